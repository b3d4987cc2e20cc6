// How to play: shown on the first visit of a game, reachable later, with boards to try.
import assert from 'node:assert/strict';
import { accessible, button, onPages, sees, shot, visit } from './setup.mjs';

const dialog = (page) => page.getByRole('dialog');
const tried = (page, number) => dialog(page).getByRole('region', { name: `Try it ${number}`, exact: true });

onPages('the rules come by themselves once, and by a button later', async (page, size) => {
  await visit(page, 'connect-four');
  await sees(dialog(page), 'Get four stones in a row');
  await tried(page, 2).locator('svg').waitFor();
  await accessible(page);
  await shot(page, `rules-connect-four-${size}`);
  // The first example is won by the fourth stone.
  await tried(page, 1).locator('[data-cell="3"]').click();
  await sees(tried(page, 1), 'That ended the game.');
  await button(tried(page, 1), 'Once more').click();
  await sees(tried(page, 1), /^(?!.*ended)/s);
  await button(dialog(page), 'Play').click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.reload();
  await sees(page.locator('.status'), '0 moves');
  assert.equal(await dialog(page).count(), 0);
  await button(page, 'How to play').click();
  await sees(dialog(page), 'Get four stones in a row');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}, undefined, { firstVisit: true });

/** A way to move on the first example of each game. */
const MOVES = {
  former: (board) => board.locator('[data-cell="2"]').click(),
  samegame: (board) => board.locator('[data-cell="3"]').click(),
  morpion: (board) => board.locator('.cell:has(.open)').first().click(),
  2048: (board) => button(board, 'left').click(),
  2584: (board) => button(board, 'left').click(),
  threes: (board) => board.getByRole('button', { name: /up|right|down|left/ }).first().click(),
  sevn: async (board) => {
    await board.locator('[data-cell="8"]').click();
    await button(board, 'Take the picked tiles').click();
  },
  othello: (board) => board.locator('[data-cell="34"]').click(),
  togyzkumalak: (board) => board.locator('[data-cell="9"]').click(),
};

onPages('every game has rules and a board to try them on', async (page, size) => {
  for (const [game, move] of Object.entries(MOVES)) {
    await visit(page, game);
    for (const heading of ['Goal', 'Move', 'End']) await sees(dialog(page), heading);
    await tried(page, 1).locator('svg').waitFor();
    if (['former', 'sevn', 'togyzkumalak'].includes(game)) {
      await accessible(page);
      await shot(page, `rules-${game}-${size}`);
    }
    await move(tried(page, 1));
    await sees(tried(page, 1), 'That was a move.');
    await button(dialog(page), 'Play').click();
    await dialog(page).waitFor({ state: 'detached' });
  }
}, undefined, { firstVisit: true });

onPages('the rules are in Norwegian too, and name the form for two', async (page) => {
  await page.addInitScript(() => localStorage.setItem('ludens-settings', '{"language":"nb"}'));
  await visit(page, '2048:adversary=cell');
  await sees(dialog(page), 'Slik spiller du');
  await sees(dialog(page), 'Den andre spilleren legger de nye brikkene');
  await sees(dialog(page), 'Prøv selv');
  for (const game of ['connect-four', ...Object.keys(MOVES)].filter((name) => name !== '2048')) {
    await visit(page, game);
    for (const heading of ['Mål', 'Trekk', 'Slutt']) await dialog(page).getByText(heading, { exact: true }).waitFor();
    await dialog(page).locator('svg').first().waitFor();
  }
}, ['desktop'], { firstVisit: true });
