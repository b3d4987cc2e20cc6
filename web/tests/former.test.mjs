import assert from 'node:assert/strict';
import { accessible, button, cell, hint, onPages, panel, sees, shot, tab, visit } from './setup.mjs';

const DAY = 'former?date=2025-05-18';
const solvePanel = (page) => panel(page, 'Solve');
const status = (page) => page.locator('.status');

onPages('Former is played, undone and begun anew', async (page, size) => {
  await visit(page, DAY);
  await sees(status(page), '0 moves');
  await sees(status(page), 'Best known: 11');
  await sees(page.locator('.left dl'), /groups\s*23/);
  await cell(page, 62).click();
  await sees(status(page), '1 move');
  assert.match(page.url(), /date=2025-05-18&m=\d/);
  await button(page, 'Undo').click();
  await sees(status(page), '0 moves');
  await button(page, 'Redo').click();
  await sees(status(page), '1 move');
  await button(page, 'Start over').click();
  await sees(status(page), '0 moves');
  await page.getByLabel('Number the groups').check();
  assert.equal(await page.locator('.left .note').count(), 23);
  await accessible(page);
  await shot(page, `former-${size}`);
});

onPages('Former by keyboard alone', async (page) => {
  await visit(page, DAY);
  await sees(status(page), '0 moves');
  await cell(page, 0).focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), '15');
  await page.keyboard.press('Enter');
  await sees(status(page), '1 move');
  await page.keyboard.press('u');
  await sees(status(page), '0 moves');
  await page.keyboard.press('r');
  await sees(status(page), '1 move');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
}, ['desktop']);

onPages('a group lights up under the pointer', async (page) => {
  await visit(page, DAY);
  await cell(page, 0).hover();
  await page.locator('.left .lit').first().waitFor();
  const lit = await page.locator('.left .lit').count();
  assert.ok(lit >= 1 && lit < 63, `${lit} cells`);
}, ['desktop']);

onPages('a hint tells an idea, the move, the reason, anew in every position', async (page) => {
  await visit(page, DAY);
  await sees(status(page), '0 moves');
  await button(page, 'Hint').click();
  const told = page.getByTestId('hint');
  await sees(told, /more moves.*of the board/);
  assert.equal(await page.locator('.recommended').count(), 0);
  assert.equal(await page.locator('.left .hinted').count(), 0);
  await button(page, 'Show the move').click();
  const recommended = page.locator('.recommended');
  await recommended.waitFor();
  const first = await recommended.textContent();
  await button(page, 'Why?').click();
  await sees(told, 'Then');
  await page.locator('.left .hinted').first().click();
  await sees(status(page), '1 move');
  await told.waitFor({ state: 'detached' });
  await hint(page);
  await recommended.waitFor();
  assert.notEqual(await recommended.textContent(), first);
});

onPages('a solution is withdrawn when it is not followed', async (page) => {
  await visit(page, DAY);
  await sees(status(page), '0 moves');
  await button(solvePanel(page), 'Solve').click();
  await page.locator('.recommended').waitFor();
  await page.locator('.left .cell:not(.hinted):has(.shape)').first().click();
  await sees(status(page), '1 move');
  await page.locator('.recommended').waitFor({ state: 'detached' });
  await sees(page.getByRole('status'), 'The recommendation is withdrawn.');
}, ['desktop']);

onPages('Former is solved with a proof and stepped through', async (page, size) => {
  await visit(page, DAY);
  await sees(status(page), '0 moves');
  const solve = solvePanel(page);
  await solve.getByLabel('Time limit').selectOption('600');
  await button(solve, 'Solve').click();
  await page.getByTestId('proven').waitFor({ timeout: 240_000 });
  await sees(solve, '11 moves');
  await sees(solve, /Lower bound\s*11/);
  await sees(solve, /Gap\s*0/);
  await shot(page, `former-solved-${size}`, { fullPage: size === 'phone' });
  for (let move = 1; move <= 11; move++) {
    await button(solve, 'Next move').click();
    await sees(page.locator('.left'), new RegExp(move === 11 ? 'Cleared in 11 moves' : `${move} moves?`));
  }
  await sees(status(page), 'Best found here: 11');
});

onPages('a search is cancelled', async (page) => {
  await visit(page, 'samegame');
  await sees(status(page), '0 moves');
  const solve = solvePanel(page);
  await solve.getByLabel('Time limit').selectOption('600');
  await button(solve, 'Solve').click();
  await sees(solve, /Best found/);
  await button(solve, 'Cancel').click();
  await button(solve, 'Solve').waitFor();
  // The board is free again at once.
  await hint(page);
  await page.locator('.recommended').waitFor();
});

onPages('a shared link comes back to the same game', async (page) => {
  await visit(page, DAY);
  await cell(page, 62).click();
  await sees(status(page), '1 move');
  await cell(page, 61).click();
  await sees(status(page), '2 moves');
  await tab(page, 'Share');
  await button(page, 'Copy link').click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const board = await page.locator('.left svg.board').innerHTML();
  await page.goto('about:blank');
  await page.goto(link);
  await sees(status(page), '2 moves');
  const again = await page.locator('.left svg.board').innerHTML();
  const pieces = (html) => html.match(/aria-label="[^"]*"/g).join();
  assert.equal(pieces(again), pieces(board));
  await button(page, 'Undo').click();
  await sees(status(page), '1 move');
});

onPages('days, own boards, pasted boards', async (page) => {
  await visit(page, 'former');
  const today = await page.evaluate(async () => (await (await fetch('/api/games')).json()).today);
  await sees(status(page), today);
  await tab(page, 'Days');
  await button(page, 'Previous month').click();
  await panel(page, 'Board of the day').locator('td button:enabled').first().click();
  await sees(status(page), /-01|2024-11-23/);
  await button(page, 'Today').click();
  await sees(status(page), today);
  await tab(page, 'Share');
  await button(page, 'Edit the board').click();
  await page.getByRole('radio').nth(1).click();
  for (const index of [0, 1, 2]) await cell(page, index).click();
  await button(page, 'Play this board').click();
  await sees(status(page), '0 moves');
  await page.getByLabel('Position or record').fill('0'.repeat(63));
  await button(page, 'Load').click();
  await sees(page.locator('.left dl'), /groups\s*1\D/);
  await page.getByLabel('Position or record').fill('nonsense');
  page.expectsErrors = true;
  await button(page, 'Load').click();
  await sees(panel(page, 'Share').getByRole('alert'), /position/);
});
