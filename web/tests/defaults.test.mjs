// With nothing chosen beforehand: in every game and sample variant a hint works, and a move
// gets its reply.
import assert from 'node:assert/strict';
import { asked, button, cell, hint, onPages, panel, sees, visit } from './setup.mjs';

const status = (page) => page.locator('.status');

/** The first legal move of the position shown. */
async function firstMove(page, game) {
  const query = new URLSearchParams(decodeURIComponent(page.url()).split('?')[1]);
  const from = query.has('date') ? { date: query.get('date') } : { position: query.get('p') };
  const sheet = await asked('/api/position', { game, ...from });
  return { ...sheet.actions[0], control: sheet.view.control, players: sheet.players };
}

async function tryOut(page, game) {
  // Another address each time, so that nothing is left of the game before.
  await visit(page, encodeURIComponent(game));
  await sees(status(page), '0 moves');
  await hint(page);
  await page.locator('.recommended').waitFor();
  const move = await firstMove(page, game);
  if (move.control === 'slide') await page.getByRole('group', { name: 'Moves' }).locator('button:enabled').first().click();
  else if (move.control === 'pick') {
    for (const index of move.cells) await cell(page, index).click();
    await button(page, 'Take the picked tiles').click();
  } else {
    await cell(page, move.cells[0]).click();
    // Where a cell stands for several moves, one is chosen.
    const several = page.getByRole('group', { name: 'Several moves fit' }).getByRole('button');
    if (await several.count()) await several.first().click();
  }
  await sees(status(page), move.players === 2 ? '2 moves' : '1 move');
  assert.equal(await page.getByRole('alert').count(), 0, game);
}

const GAMES = ['former', 'samegame', 'morpion', '2048', '2584', 'threes', 'sevn', 'connect-four', 'othello', 'togyzkumalak'];
for (const name of GAMES) {
  onPages(`${name}: a move is answered and a hint works, with nothing chosen`, async (page) => {
    await visit(page);
    const { games } = await page.evaluate(async () => (await fetch('/api/games')).json());
    for (const { spec, samples, name: its } of games.filter((game) => game.name === name)) {
      // Forms for two differ from the game itself in who moves, not in who advises.
      for (const sample of spec === its ? samples : samples.slice(-1)) await tryOut(page, sample);
    }
  }, ['desktop']);
}

onPages('what cannot be used says why', async (page) => {
  await visit(page, 'othello');
  const option = page.locator('.advanced').getByLabel('Player 2').locator('option[value=probs]');
  await option.waitFor({ state: 'attached' });
  assert.ok(await option.isDisabled());
  assert.match(await option.getAttribute('title'), /network/);
}, ['desktop']);

onPages('a newcomer meets a level, which is called by its title', async (page) => {
  for (const game of ['sevn', 'connect-four', 'othello', 'togyzkumalak']) {
    await visit(page, game);
    const chosen = panel(page, 'Players').getByLabel('Opponent').locator('option:checked');
    await sees(status(page), '0 moves');
    assert.equal(await chosen.textContent(), '2 · Novice');
  }
  await button(panel(page, 'Players'), 'You are second').click();
  await button(page, 'New game').click();
  await sees(status(page), '1 move');
  // Who looks back is waited for.
  await button(page, 'Start over').click();
  await sees(status(page), 'Novice waits.');
  await sees(status(page), 'Player 1 (Novice) to move');
}, ['desktop']);
