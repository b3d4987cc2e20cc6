// No game is lost: games under way, finished games, statistics, ratings.
import assert from 'node:assert/strict';
import { accessible, button, cell, hint, onPages, panel, seat, sees, settled, shot, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const players = (page) => panel(page, 'Players');
const kept = (page, key) => page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? 'null'), key);
const saved = (page, game) => page.waitForFunction((name) => localStorage.getItem(`ludens-saved:${name}`), game);

onPages('a game under way is gone on with, with its players', async (page, size) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'random');
  await cell(page, 3).click();
  await sees(status(page), '2 moves');
  await saved(page, 'connect-four');
  await visit(page, 'former?date=2025-05-18');
  await cell(page, 62).click();
  await sees(status(page), '1 move');
  await saved(page, 'former');
  await visit(page);
  const card = page.getByRole('listitem').filter({ hasText: 'Connect Four' });
  await sees(card, 'Continue 2 moves played');
  await accessible(page);
  await shot(page, `home-continue-${size}`);
  await card.getByRole('link', { name: /Continue/ }).click();
  await sees(status(page), '2 moves');
  assert.equal(await players(page).getByLabel('Player 2').inputValue(), 'random');
  await cell(page, 3).click();
  await sees(status(page), '4 moves');
  await page.reload();
  await sees(status(page), '4 moves');
  assert.equal(await players(page).getByLabel('Player 2').inputValue(), 'random');
  // A new game does not lose the old one before it has a move of its own.
  await visit(page);
  await visit(page, 'connect-four');
  await button(page, 'Back to the game before').click();
  await sees(status(page), '4 moves');
});

onPages('two tabs do not lose each other’s games', async (page) => {
  await visit(page, 'othello');
  const other = await page.context().newPage();
  await visit(other, '2048');
  await sees(status(page), '0 moves');
  await cell(page, 19).click();
  await sees(status(page), '2 moves');
  await other.getByRole('group', { name: 'Moves' }).getByRole('button').first().click();
  await sees(status(other), '1 move');
  await saved(page, 'othello');
  await saved(page, '2048');
  await visit(other);
  await sees(other.getByRole('listitem').filter({ hasText: 'Othello' }), 'Continue');
  await sees(other.getByRole('listitem').filter({ hasText: '2048' }), 'Continue');
}, ['desktop']);

/** Wins or loses a game against `random`; gives the number of moves. */
async function finish(page) {
  await visit(page);
  await visit(page, 'connect-four');
  await sees(status(page), '0 moves');
  await seat(page, 2, 'random');
  for (let moves = 0; ; moves += 2) {
    await settled(page);
    await sees(status(page), /wins|draw|Player 1 \(you\) to move/);
    if (/wins|draw/i.test(await status(page).textContent())) return;
    // The first column that has room.
    for (let col = 0; col < 7; col++) {
      if (await cell(page, col).locator('.disc').count()) continue;
      await cell(page, col).click();
      break;
    }
    await sees(status(page), new RegExp(`wins|draw|${moves + 2} moves`, 'i'));
  }
}

onPages('a finished game is kept, counted, exported, and rated under a name', async (page, size) => {
  await finish(page);
  assert.equal(await kept(page, 'ludens-saved:connect-four'), null);
  const rating = panel(page, 'Your rating');
  await rating.getByLabel('Your name').fill('two words');
  assert.ok(await button(rating, 'Enter the game').isDisabled());
  await rating.getByLabel('Your name').fill(`Ada-${size}`);
  await accessible(page);
  await button(rating, 'Enter the game').click();
  await sees(rating, 'The game is among the ratings.');
  await shot(page, `rated-${size}`);
  await rating.getByRole('link', { name: 'Results' }).click();
  await sees(panel(page, 'Ratings'), `Ada-${size}`);
  await sees(panel(page, 'Games finished in this browser'), 'connect-four');
  await visit(page, 'mine');
  await sees(panel(page, 'Statistics'), 'Connect Four');
  await sees(panel(page, 'Statistics'), /random\s*(1, 0, 0|0, 1, 0|0, 0, 1)/);
  const finished = panel(page, 'Finished games');
  await sees(finished, 'rated');
  await accessible(page);
  await shot(page, `mine-${size}`, { fullPage: true });
  const [file] = await Promise.all([page.waitForEvent('download'), button(finished, 'Export').click()]);
  assert.equal(file.suggestedFilename(), 'connect-four.ludens');
  await finished.getByRole('link', { name: 'Open and review' }).click();
  await sees(status(page), /wins|draw/i);
  await tab(page, 'Review');
  await button(panel(page, 'Review'), 'Review the game').waitFor();
  await visit(page, 'mine');
  await button(finished, 'Forget').click();
  await sees(finished, 'None yet.');
  await sees(panel(page, 'Statistics'), 'Connect Four');
});

onPages('a game with help is no game of one’s own', async (page) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'random');
  await hint(page);
  await page.locator('.recommended').waitFor();
  await page.evaluate(() => localStorage.setItem('ludens-person', '{"name":"Ada","always":true}'));
  for (let i = 0; i < 40 && !/wins|draw/i.test(await status(page).textContent()); i++) {
    const before = await status(page).textContent();
    for (let col = 0; col < 7; col++) {
      if (await cell(page, col).locator('.disc').count()) continue;
      await cell(page, col).click();
      break;
    }
    await page.waitForFunction((text) => document.querySelector('.status').textContent !== text, before);
    await sees(status(page), /wins|draw|Player 1 \(you\) to move/);
    await settled(page);
  }
  assert.equal(await panel(page, 'Your rating').count(), 0);
  const [game] = await kept(page, 'ludens-games');
  assert.equal(game.helped, true);
  await visit(page, 'mine');
  await sees(panel(page, 'Statistics'), /With help\s*1/);
}, ['desktop']);
