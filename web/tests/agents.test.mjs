import assert from 'node:assert/strict';
import { accessible, button, cell, hint, onPages, panel, seat, sees, shot, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const analysis = (page) => panel(page, 'Analysis');

onPages('an analysis shows evaluation, line and visits on the board', async (page, size) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'human');
  await cell(page, 3).click();
  await sees(status(page), '1 move');
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('uct');
  await button(analysis(page), 'Analyse').click();
  await analysis(page).getByRole('meter').waitFor();
  await sees(analysis(page), 'Expected line');
  // Reports on the way may not have all moves yet.
  await button(analysis(page), 'Analyse').waitFor();
  assert.equal(await analysis(page).locator('tbody tr').count(), 7);
  assert.equal(await page.locator('.left .note').count(), 7);
  await accessible(page);
  await shot(page, `analysis-${size}`, { fullPage: size === 'phone' });
  await hint(page);
  await page.locator('.recommended').waitFor();
});

onPages('a person loses to the tree search, and reviews the game', async (page, size) => {
  await visit(page, 'connect-four');
  const players = panel(page, 'Players');
  await seat(page, 1, 'random');
  await seat(page, 2, 'uct');
  await players.getByLabel('Speed').last().fill('7');
  await sees(status(page), /wins|draw/);
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('uct');
  await tab(page, 'Review');
  const review = panel(page, 'Review');
  await button(review, 'Review the game').click();
  await sees(review, 'Accuracy');
  await review.getByRole('img', { name: 'Evaluation after every move' }).waitFor();
  await review.getByRole('listitem').first().getByRole('button').click();
  await accessible(page);
  await shot(page, `review-${size}`, { fullPage: true });
});

onPages('the tree is explored', async (page, size) => {
  await visit(page, 'othello');
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('uct');
  const tree = panel(page, 'Search tree');
  await button(tree, 'Open').click();
  await sees(tree, /N \d/);
  assert.equal(await tree.getByRole('img').count(), 1);
  // The most visited reply to the most visited move is part of the same search.
  await tree.getByRole('button', { name: '▸' }).first().click();
  await tree.getByRole('img').nth(1).waitFor();
  await tree.locator('li li li').first().getByRole('button').first().click();
  await tree.getByRole('img').nth(2).waitFor();
  await accessible(page);
  await shot(page, `tree-${size}`, { fullPage: true });
}, ['desktop']);

onPages('strength is a parameter, and a wrong one is told', async (page) => {
  await visit(page, 'sevn');
  const players = panel(page, 'Players');
  await seat(page, 2, 'uct');
  await players.getByText('Parameters').click();
  // The server refuses it with 400, which the browser reports.
  page.expectsErrors = true;
  await players.getByRole('textbox', { name: 'samples' }).fill('many');
  await players.getByRole('textbox', { name: 'samples' }).blur();
  await cell(page, 0).click();
  await button(page, 'Take the picked tiles').click();
  await sees(players.getByRole('alert'), /samples/);
  await players.getByRole('textbox', { name: 'samples' }).fill('50');
  await players.getByRole('textbox', { name: 'samples' }).blur();
  await sees(status(page), '2 moves');
}, ['desktop']);
