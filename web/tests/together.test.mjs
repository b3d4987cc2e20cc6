// Two people on one screen.
import assert from 'node:assert/strict';
import { accessible, button, cell, onPages, panel, seat, sees, shot, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const players = (page) => panel(page, 'Players');

onPages('two people play with names, a turned board, and moves taken back by agreement', async (page, size) => {
  await visit(page, 'othello');
  await players(page).getByLabel('Two people on one screen').check();
  await players(page).getByLabel('Name of player 1').fill('Ada');
  await players(page).getByLabel('Name of player 2').fill('Bo');
  await players(page).getByLabel('Turn the board to player 2').check();
  await sees(status(page), 'Ada to move');
  await cell(page, 19).click();
  await sees(status(page), 'Bo to move');
  await page.locator('.left .frame.turned').waitFor();
  await shot(page, `together-${size}`);
  // Who moved last asks, the other one answers.
  await button(page, 'Undo').click();
  await sees(page.getByRole('alert'), 'Ada asks to take back d3. Bo, do you agree?');
  await accessible(page);
  await button(page, 'No').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await sees(status(page), '1 move');
  await button(page, 'Undo').click();
  await button(page, 'Yes, take it back').click();
  await sees(status(page), '0 moves');
  await sees(status(page), 'Ada to move');
  assert.equal(await page.locator('.left .frame.turned').count(), 0);
  // Both are there again when the page is.
  await cell(page, 19).click();
  await sees(status(page), 'Bo to move');
  await page.waitForFunction(() => localStorage.getItem('ludens-saved:othello'));
  await page.reload();
  await sees(status(page), 'Bo to move');
  // An agent on a seat ends it.
  await seat(page, 2, 'random');
  await sees(status(page), '2 moves');
  assert.ok(!(await players(page).getByLabel('Two people on one screen').isChecked()));
});

onPages('a board on which stones fall is not turned', async (page) => {
  await visit(page, 'connect-four');
  await players(page).getByLabel('Two people on one screen').check();
  await players(page).getByLabel('Name of player 1').waitFor();
  assert.equal(await players(page).getByLabel('Turn the board to player 2').count(), 0);
}, ['desktop']);
