// What is new every day: Former's board with its loop, and puzzles with one winning move.
import assert from 'node:assert/strict';
import { accessible, asked, button, cell, got, hint, onPages, panel, posted, sees, settled, shot, tab, visit } from './setup.mjs';

const DAY = '2025-05-18';
const NOON = `${DAY}T10:00:00Z`;
const yours = (page) => panel(page, 'Your board of the day');
const calendar = (page) => panel(page, 'Board of the day');
const dayOf = (page, number) => calendar(page).getByRole('button', { name: new RegExp(`^${number} `) });
const daysKept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('ludens-daily') ?? '{}'));

/** The shortest solution known, one move after another on the page's own board. */
async function solve(page, line) {
  for (const [i, [col, row]] of line.entries()) {
    await settled(page);
    await cell(page, (8 - row) * 7 + col).click();
    await sees(page.locator('.left'), new RegExp(i + 1 === line.length ? `Cleared in ${line.length} moves` : `${i + 1} moves?`));
  }
}

/** A way to clear a board by taking what is lowest and leftmost, as a person who does not think. */
async function plainLine(date) {
  const moves = [];
  for (;;) {
    const sheet = await asked('/api/position', { game: 'former', date, moves });
    if (sheet.over) return moves;
    moves.push(sheet.actions[0].text.split(',').map(Number));
  }
}

/** What the panel of the day says, which is on a tab. */
async function onDays(page, pattern) {
  await tab(page, 'Days');
  await sees(yours(page), pattern);
}

onPages('a board of the day solved by oneself counts, is marked and can be shared', async (page, size) => {
  await page.clock.setFixedTime(NOON);
  const line = await plainLine(DAY);
  await visit(page, 'former');
  await sees(page.locator('.status'), DAY);
  await onDays(page, 'Solve a board without hints');
  // Noon in Oslo is in summer at ten: twelve hours are left.
  await onDays(page, '12:00:00');
  assert.ok(await dayOf(page, 19).isDisabled(), 'the next day is locked');
  assert.ok(await button(page, 'Next month').isDisabled());
  await visit(page, 'former?date=2025-05-19');
  await page.waitForURL(/date=2025-05-18/);
  await sees(page.locator('.status'), DAY);
  await solve(page, line);
  await onDays(page, `Solved in ${line.length} moves; the best known is 11.`);
  await onDays(page, /Streak\s*1 day/);
  await onDays(page, /Boards solved\s*1/);
  await sees(dayOf(page, 18), 'solved');
  await button(yours(page), 'Copy the result').click();
  await onDays(page, 'Copied.');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(text, new RegExp(`^Former ${DAY}: ${line.length} moves \\(best 11\\)\n■{11}□{${line.length - 11}}\n`));
  assert.ok(!text.includes('m='), 'no move is told');
  await accessible(page);
  await shot(page, `daily-former-${size}`, { fullPage: true });
  // The next day goes on with the streak; a day later it is over.
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('ludens-daily'));
    localStorage.setItem('ludens-daily', JSON.stringify({ ...kept, '2025-05-17': { own: 11, timely: true } }));
  });
  for (const [now, days] of [['2025-05-19', '2 days'], ['2025-05-20', '0 days']]) {
    await page.clock.setFixedTime(`${now}T10:00:00Z`);
    await visit(page);
    await visit(page, 'former');
    await onDays(page, new RegExp(`Streak\\s*${days}`));
  }
  await onDays(page, /Longest streak\s*2 days/);
});

onPages('a board of the day solved with the fewest moves has a star', async (page) => {
  await page.clock.setFixedTime(NOON);
  const response = await posted('/api/analyze', { game: 'former', date: DAY, time_ms: 60_000, prove: true });
  const done = (await response.text()).split('\n\n').find((block) => block.includes('event: done'));
  const { moves } = JSON.parse(done.split('\n').find((line) => line.startsWith('data: ')).slice(6));
  assert.equal(moves.length, 11);
  const pair = (move) => (Array.isArray(move) ? move : String(move).split(',').map(Number));
  await visit(page, 'former');
  await sees(page.locator('.status'), DAY);
  await solve(page, moves.map(pair));
  await page.getByTestId('end-card').getByRole('img', { name: '3 of 3 stars' }).waitFor();
  await sees(page.getByTestId('end-card'), 'Nobody can do better than 11: proven.');
  await tab(page, 'Days');
  await sees(dayOf(page, 18), '★');
  await onDays(page, 'Solved in 11 moves');
  await sees(yours(page).locator('figure li').first(), /1$/);
}, ['desktop']);

onPages('with a hint a board never counts as one’s own', async (page) => {
  await page.clock.setFixedTime(NOON);
  const line = await plainLine(DAY);
  await visit(page, 'former');
  await sees(page.locator('.status'), DAY);
  await hint(page);
  await page.locator('.recommended').waitFor();
  await onDays(page, 'Help was used');
  await page.reload();
  await sees(page.locator('.status'), '0 moves');
  await solve(page, line);
  await onDays(page, 'Help was used');
  await onDays(page, /Boards solved\s*0/);
  assert.deepEqual(await daysKept(page), { [DAY]: { helped: true } });
  await sees(dayOf(page, 18), 'with help');
}, ['desktop']);

onPages('a link with moves is not one’s own either', async (page) => {
  await page.clock.setFixedTime(NOON);
  const line = await plainLine(DAY);
  const moves = line.slice(0, -1).map((pair) => pair.join(','));
  await visit(page, `former?${new URLSearchParams({ date: DAY, m: moves.join(' ') })}`);
  await sees(page.locator('.status'), `${moves.length} moves`);
  const [col, row] = line.at(-1);
  await cell(page, (8 - row) * 7 + col).click();
  await sees(page.locator('.left'), 'Cleared');
  assert.deepEqual(await daysKept(page), {});
}, ['desktop']);

/** Plays a move of a puzzle by its text. */
async function play(page, game, position, text) {
  const { actions, view } = await asked('/api/position', { game, position });
  const { cells } = actions.find((action) => action.text === text);
  const board = page.locator('main svg.board');
  if (view.control === 'pick') {
    for (const one of cells) await board.locator(`[data-cell="${one}"]`).click();
    await button(page, 'Take the picked tiles').click();
  } else {
    await board.locator(`[data-cell="${cells[0]}"]`).click();
  }
}

onPages('the only winning move: right and wrong, with the proof', async (page, size) => {
  await page.clock.setFixedTime(NOON);
  await visit(page, 'daily');
  await page.getByRole('link', { name: 'Connect Four', exact: true }).waitFor();
  await accessible(page);
  await shot(page, `daily-${size}`, { fullPage: true });
  for (const game of ['connect-four', 'sevn', 'othello', 'togyzkumalak']) {
    const puzzle = await got(`/api/puzzle?game=${game}&date=${DAY}`);
    assert.equal(puzzle.moves.filter(({ result }) => result === 'win').length, 1);
    await visit(page, `daily?game=${game}`);
    await sees(page.locator('main'), 'Exactly one move wins');
    await play(page, game, puzzle.position, puzzle.best);
    await sees(page.locator('main'), `Right: ${puzzle.best} is the only move that wins.`);
    await sees(page.locator('main'), /Streak:\s*1 day/);
    assert.equal(await page.getByRole('row').count(), puzzle.moves.length);
    if (game !== 'othello') await accessible(page);
    await shot(page, `puzzle-${game}-${size}`);
  }
  // The answer is kept, and only the first counts.
  await page.reload();
  await sees(page.locator('main'), 'Right:');
  const other = '2025-05-17';
  const puzzle = await got(`/api/puzzle?game=othello&date=${other}`);
  await visit(page, `daily?game=othello&date=${other}`);
  await sees(page.locator('main'), 'Exactly one move wins');
  await play(page, 'othello', puzzle.position, puzzle.moves.find(({ result }) => result !== 'win').action);
  await sees(page.locator('main'), `The winning move is ${puzzle.best}.`);
  await sees(page.locator('main'), /Streak:\s*1 day/);
  await page.getByRole('link', { name: 'Play on from here' }).click();
  await sees(page.locator('.status'), '0 moves');
  // Tomorrow's is locked.
  await visit(page, 'daily?game=othello&date=2025-05-19');
  await sees(page.locator('main'), 'There is no such puzzle.');
});

onPages('SameGame has a board of the day with a par', async (page) => {
  await page.clock.setFixedTime(NOON);
  await visit(page, 'daily');
  await page.getByRole('link', { name: 'SameGame', exact: true }).click();
  await tab(page, 'Days');
  await sees(panel(page, 'Board of the day'), /Par: [\d,]+ points/);
  const puzzle = await got(`/api/puzzle?game=samegame&date=${DAY}`);
  const moves = [];
  for (;;) {
    const sheet = await asked('/api/position', { game: 'samegame', position: puzzle.position, moves });
    if (sheet.over) break;
    moves.push(sheet.actions[0].text);
  }
  for (const [i, text] of moves.entries()) {
    await settled(page);
    const [col, row] = text.split(',').map(Number);
    await cell(page, (14 - row) * 15 + col).click();
    await sees(page.locator('.left'), new RegExp(`(^|\\D)${i + 1} moves?`));
  }
  await sees(panel(page, 'Board of the day'), /Your best: \d+ points/);
}, ['desktop']);
