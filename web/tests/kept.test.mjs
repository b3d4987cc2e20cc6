// Nothing of a game or of what a person chose is lost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { BINARY } from './machine.mjs';
import { accessible, asked, button, cell, holdPositions, linkTo, onPages, panel, seat, sees, settled, startOf, startServer, stopServer, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
async function opponent(page, agent) {
  await tab(page, 'Play');
  await seat(page, 2, agent);
}

async function load(page, text) {
  await tab(page, 'Share');
  await page.getByLabel('Position or record').fill(text);
  await button(page, 'Load').click();
}

onPages('every new game has luck of its own', async (page) => {
  await visit(page, '2048');
  const boards = [];
  for (let game = 0; game < 2; game++) {
    await load(page, '2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0');
    await page.waitForFunction(() => document.querySelectorAll('.left .number').length === 2);
    await sees(status(page), '0 moves');
    // Each of them is possible whatever comes.
    for (const [i, key] of ['ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowDown', 'ArrowUp', 'ArrowDown'].entries()) {
      await page.keyboard.press(key);
      await sees(status(page), new RegExp(`^${i + 1} moves? `));
    }
    boards.push(await panel(page, 'Moves played').textContent());
  }
  assert.notEqual(boards[0], boards[1]);
}, ['desktop']);

/** The first moves of a long game, with nature's outcomes. */
async function longGame(count) {
  const played = spawn(BINARY, ['play', '2048', '--first', 'ntuple', '--seed', '3', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const moves = [];
  let start;
  for await (const line of createInterface({ input: played.stdout })) {
    const { event, position, action, chance } = JSON.parse(line);
    if (event === 'start') start = position;
    else moves.push(`${action}~${chance}`);
    if (moves.length === count) break;
  }
  played.kill();
  return linkTo('2048', start, moves);
}

onPages('a game of 450 moves comes back when the page is reloaded, and its list follows', async (page) => {
  await visit(page, await longGame(450));
  await sees(status(page), '450 moves');
  await page.reload();
  await sees(status(page), '450 moves');
  await page.getByRole('group', { name: 'Moves' }).locator('button:enabled').first().click();
  await sees(status(page), '451 moves');
  await page.reload();
  await sees(status(page), '451 moves');
  await button(page, 'Undo').click();
  await sees(status(page), '450 moves');
  const seen = (name) =>
    panel(page, 'Moves played').getByRole('button', { name }).evaluate((move) => {
      const [list, item] = [move.closest('ol').getBoundingClientRect(), move.getBoundingClientRect()];
      return item.top >= list.top - 1 && item.bottom <= list.bottom + 1;
    });
  assert.ok(await seen(/^450\./));
  await button(page, 'Start over').click();
  await sees(status(page), '0 moves');
  assert.ok(await seen(/^1\./));
}, ['desktop']);

onPages('a game is kept with its players, its seed and its score', async (page) => {
  await visit(page, '2048:board=3x3');
  await sees(status(page), '0 moves');
  for (let made = 0; made < 6; made++) {
    await page.getByRole('group', { name: 'Moves' }).locator('button:enabled').first().click();
    await sees(status(page), new RegExp(`^${made + 1} moves? `));
  }
  const saved = () => page.evaluate(() => JSON.parse(Object.entries(localStorage).find(([name]) => name.startsWith('ludens-saved:2048'))?.[1] ?? 'null'));
  await page.waitForFunction(() => Object.entries(localStorage).some(([name, text]) => name.startsWith('ludens-saved:2048') && JSON.parse(text).cursor === 6));
  const { seed, seats, score } = await saved();
  const told = (await status(page).textContent()).match(/6 moves · ([\d,]+) points?/);
  assert.deepEqual([seats[0], score], ['human', Number(told[1].replaceAll(',', ''))]);
  await visit(page);
  await page.getByRole('link', { name: /Continue/ }).first().click();
  await sees(status(page), told[0]);
  // The luck to come is that of the seed.
  const link = await page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.split('?')[1])));
  const moves = link.m.split(' ').map((move) => ((at) => ({ action: move.slice(0, at), chance: move.slice(at + 1) }))(move.indexOf('~')));
  const here = await asked('/api/position', { game: '2048:board=3x3', position: link.p, moves });
  const action = here.actions[0].text;
  const { played } = await asked('/api/position', { game: here.game, position: here.position, moves: [action], seed: seed + 6 });
  await page.getByRole('group', { name: 'Moves' }).getByRole('button', { name: action, exact: true }).click();
  await sees(status(page), '7 moves');
  await sees(panel(page, 'Moves played'), `7. ${action} ${played[0].chance}`);
}, ['desktop']);

onPages('a new game can be taken back', async (page) => {
  await visit(page, 'former?date=2025-05-18');
  await cell(page, 62).click();
  await sees(status(page), '1 move');
  await button(page, 'New game').click();
  await sees(status(page), '0 moves');
  await button(page, 'Back to the game before').click();
  await sees(status(page), '2025-05-18');
  await sees(status(page), '1 move');
  await button(page, 'Undo').click();
  await sees(status(page), '0 moves');
  await accessible(page);
}, ['desktop']);

onPages('a record of another game opens that game', async (page) => {
  const { record } = await asked('/api/record', { game: 'othello', position: await startOf('othello'), moves: ['d3', 'c3'] });
  await visit(page, 'connect-four');
  await sees(status(page), '0 moves');
  await load(page, record);
  await page.getByRole('heading', { name: 'Othello', level: 1 }).waitFor();
  await sees(status(page), '2 moves');
}, ['desktop']);

onPages('an address that is no text is a page there is not', async (page) => {
  await visit(page, '%E0%A4%A');
  await sees(page.locator('main'), 'There is no such page.');
}, ['desktop']);

onPages('the page goes on when the server comes back', async (page) => {
  await visit(page, 'connect-four');
  await opponent(page, 'random');
  page.expectsErrors = true;
  await stopServer();
  await cell(page, 3).click();
  await sees(page.getByRole('alert'), 'does not answer');
  await accessible(page);
  await startServer();
  await sees(status(page), '2 moves');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  // A search that was under way begins anew.
  await opponent(page, 'alphabeta');
  await panel(page, 'Players').getByText('Parameters').click();
  await panel(page, 'Players').getByLabel('time').fill('10s');
  await panel(page, 'Players').getByLabel('time').blur();
  await cell(page, 3).click();
  await sees(status(page), 'thinks');
  await stopServer();
  await sees(page.getByRole('alert'), 'does not answer');
  await startServer();
  await sees(status(page), '4 moves');
}, ['desktop']);

onPages('two tabs share their settings', async (page) => {
  await visit(page);
  const other = await page.context().newPage();
  await visit(other);
  await button(page, 'Settings').click();
  await button(other, 'Settings').click();
  await page.getByLabel('Theme').selectOption('dark');
  await other.getByLabel(/Less motion/).check();
  const both = () => ({ ...document.documentElement.dataset });
  for (const one of [page, other]) {
    await one.waitForFunction(() => document.documentElement.dataset.theme === 'dark' && document.documentElement.dataset.motion === 'reduced');
    await one.reload();
    await button(one, 'Settings').waitFor();
    assert.deepEqual(await one.evaluate(both), { theme: 'dark', colour: 'full', palette: 'usual', motion: 'reduced' });
  }
}, ['desktop']);

onPages('moves that come quickly are all played; a board on its way is not played on', async (page) => {
  await visit(page, linkTo('2048', '2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  const moved = await holdPositions(page);
  for (const key of ['ArrowLeft', 'ArrowDown']) await page.keyboard.press(key);
  moved();
  await sees(status(page), '2 moves');
  await page.unroute('**/api/position');
  const loaded = await holdPositions(page);
  await load(page, '0,0,0,0/0,8,0,0/0,0,8,0/0,0,0,0');
  await sees(status(page), 'Loading');
  await page.keyboard.press('ArrowLeft');
  loaded();
  await sees(cell(page, 5), '8');
  await settled(page);
  await sees(status(page), '0 moves');
  await page.keyboard.press('ArrowLeft');
  await sees(status(page), '1 move');
}, ['desktop']);
