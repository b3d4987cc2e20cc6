// Exact values beside the moves, told apart from estimates; arrows for the moves of an analysis.
import assert from 'node:assert/strict';
import { accessible, button, cell, linkTo, onPages, panel, seat, sees, shot, startOf, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const exact = (page) => page.getByTestId('exact');
const value = (page, action) => page.locator(`.left .values [data-value="${action}"]`);
const show = (page) => page.getByLabel('Exact values').check();
const proven = (page) => sees(exact(page), 'Every value is proven.');

onPages('Connect Four: scores above the columns, by the book and by the solver', async (page, size) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'human');
  await sees(status(page), '0 moves');
  await show(page);
  await proven(page);
  // 42 cells: the first player wins with the last stone but one, and only in the middle.
  await sees(value(page, '4'), 'wins 21');
  for (const column of ['3', '5']) await sees(value(page, column), 'draw');
  for (const column of ['1', '2', '6', '7']) await sees(value(page, column), 'loses');
  assert.equal(await page.locator('.left .values .best').count(), 1);
  const top = async (locator) => (await locator.boundingBox()).y;
  assert.ok((await top(value(page, '4'))) < (await top(cell(page, 3))), 'above its column');
  await sees(page.getByRole('meter', { name: 'Evaluation of this position' }), '100 % · proven');
  // No position of the book: scores 3 and 2 of player 1 with nine stones each on the board.
  await visit(page, linkTo('connect-four', await startOf('connect-four'), [...'567752164521632153']));
  await proven(page);
  await sees(value(page, '3'), 'wins 10');
  await sees(value(page, '7'), 'wins 11');
  await sees(value(page, '1'), 'draw');
  // Whoever reads the cells is told too.
  assert.match(await page.getByRole('gridcell', { name: 'wins in 10: proven' }).getAttribute('aria-label'), /^3/);
  await accessible(page);
  await shot(page, `exact-connect-four-${size}`);
  await page.getByLabel('Exact values').uncheck();
  await page.locator('.left .values').waitFor({ state: 'detached' });
});

onPages('who wins is shown before it is known how soon', async (page) => {
  // What a proof has found when its time is over: column 1 wins, column 2 loses, the rest is open.
  const found = { unit: 'score', proven: false, value: null, values: { 1: [1, 18], 2: [-18, -1], 3: [-18, 18], 4: 0 } };
  await page.route('**/api/analyze', (route) => route.fulfill({ contentType: 'text/event-stream', body: `event: done\ndata: ${JSON.stringify(found)}\n\n` }));
  await visit(page, 'connect-four');
  await seat(page, 2, 'human');
  await show(page);
  await sees(exact(page), 'Not everything could be proven in time.');
  for (const [column, told] of [['1', 'win'], ['2', 'loss'], ['3', '?'], ['4', 'draw']]) await sees(value(page, column), told);
  await page.getByRole('gridcell', { name: 'wins: proven' }).first().waitFor();
  // The mover wins, whatever the other columns are worth.
  await sees(page.getByRole('meter', { name: 'Evaluation of this position' }), '100 % · proven');
}, ['desktop']);

onPages('Othello, Sevn and small boards of 2048 have exact ends', async (page, size) => {
  const ended = 'XXXXX..OXOXXX.O.XXO.XX..XXOOOOOOOXOOOOOO.OXXXOXOXXXXXXXOXXXX..XO X';
  await visit(page, linkTo('othello', ended, []));
  await seat(page, 2, 'human');
  await show(page);
  await proven(page);
  await sees(value(page, 'a6'), '+32');
  await sees(value(page, 'h3'), 'draw');
  await shot(page, `exact-othello-${size}`);
  await visit(page, 'sevn:base=3');
  await seat(page, 2, 'human');
  await proven(page);
  // Every move is listed: those of several tiles stand at no cell.
  assert.match(await exact(page).textContent(), /(win|loss|draw)/);
  await visit(page, '2048:board=2x3');
  await proven(page);
  await sees(exact(page), /points to come on average: proven/);
  await accessible(page);
});

onPages('Former: what a move loses', async (page, size) => {
  await visit(page, 'former:rows=4,cols=4,shapes=3');
  await sees(status(page), '0 moves');
  await show(page);
  await proven(page);
  // Some move is always one of the best.
  await sees(page.locator('.left .values .good').first(), '✓');
  await shot(page, `exact-former-${size}`);
});

onPages('what is not proven is no exact value', async (page) => {
  // Far from the end of Togyzkumalak: bounds stay apart.
  await page.route('**/api/analyze', async (route) => {
    const asked = route.request().postDataJSON();
    await route.continue({ postData: JSON.stringify({ ...asked, time_ms: 200 }) });
  });
  await visit(page, 'togyzkumalak');
  await seat(page, 2, 'human');
  await show(page);
  await sees(exact(page), 'Not everything could be proven in time.');
  await sees(value(page, '1'), '?');
  assert.equal(await page.locator('.left .values :is(.good, .bad, .even)').count(), 0);
}, ['desktop']);

onPages('arrows point at the moves that an analysis prefers', async (page, size) => {
  for (const game of ['connect-four', 'othello', 'togyzkumalak']) {
    await visit(page, game);
    await tab(page, 'Analysis');
    await panel(page, 'Analysis').getByLabel('Agent').selectOption('uct');
    await button(panel(page, 'Analysis'), 'Analyse').click();
    await button(panel(page, 'Analysis'), 'Analyse').waitFor();
    await page.locator('.left .arrow[data-rank="0"]').waitFor();
    assert.ok((await page.locator('.left .arrow').count()) > 1, `${game} has several`);
    await shot(page, `arrows-${game}-${size}`);
  }
  await visit(page, '2048');
  await tab(page, 'Analysis');
  await button(panel(page, 'Analysis'), 'Analyse').click();
  await page.locator('.left .arrow[data-rank="0"]').waitFor();
  await shot(page, `arrows-2048-${size}`);
});
