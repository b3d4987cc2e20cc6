// What is shown belongs to the position shown, and whoever is to move moves.
import assert from 'node:assert/strict';
import { accessible, button, cell, hint, holdPositions, linkTo, onPages, panel, seat, sees, settled, startOf, tab, visit } from './setup.mjs';

const DAY = 'former?date=2025-05-18';
const status = (page) => page.locator('.status');
const analysis = (page) => panel(page, 'Analysis');
const recommended = (page) => page.locator('.recommended');
const moveOfList = (page, ply) => panel(page, 'Moves played').getByRole('button', { name: new RegExp(`^${ply}\\.`) });
async function opponent(page, agent) {
  await tab(page, 'Play');
  await seat(page, 2, agent);
}

onPages('an evaluation is shown beside its own position only', async (page) => {
  const start = await startOf('connect-four');
  // Three of a kind above each other: the next wins.
  await visit(page, linkTo('connect-four', start, ['4', '3', '4', '3', '4', '3']));
  await sees(status(page), '6 moves');
  await tab(page, 'Analysis');
  const meter = analysis(page).getByRole('meter');
  const look = async () => {
    await button(analysis(page), 'Analyse').click();
    await meter.waitFor();
    await button(analysis(page), 'Analyse').waitFor();
    assert.ok(await page.locator('.left .note').count());
  };
  const nothing = async () => {
    await meter.waitFor({ state: 'detached' });
    assert.equal(await page.locator('.left .note').count(), 0);
  };
  await analysis(page).getByLabel('Agent').selectOption('uct');
  await analysis(page).getByLabel('Time limit').selectOption('0.2 s');
  await look();
  await analysis(page).getByLabel('Agent').selectOption('alphabeta');
  await nothing();
  await analysis(page).getByLabel('Agent').selectOption('uct');
  await look();
  await moveOfList(page, 4).click();
  await sees(status(page), '4 moves');
  await nothing();
  await look();
  await button(page, 'New game').click();
  await sees(status(page), '0 moves');
  await nothing();
  await button(page, 'Back to the game before').click();
  await sees(status(page), '4 moves');
  await moveOfList(page, 6).click();
  await sees(status(page), '6 moves');
  await look();
  await cell(page, 3).click();
  await sees(status(page), 'wins');
  await nothing();
  // A review belongs to its game.
  await tab(page, 'Review');
  const review = panel(page, 'Review');
  await button(review, 'Review the game').click();
  await sees(review, /lost/i);
  await button(page, 'New game').click();
  await sees(status(page), '0 moves');
  await review.getByRole('img').waitFor({ state: 'detached' });
}, ['desktop']);

onPages('a search under way ends with its position', async (page) => {
  await visit(page, 'othello');
  await opponent(page, 'human');
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('alphabeta');
  await analysis(page).getByLabel('Time limit').selectOption('1 min');
  await button(analysis(page), 'Analyse').click();
  await button(analysis(page), 'Cancel').waitFor();
  await cell(page, 19).click();
  await sees(status(page), '1 move');
  await button(analysis(page), 'Analyse').waitFor();
  assert.equal(await analysis(page).getByRole('meter').count(), 0);
}, ['desktop']);

onPages('after looking back one plays on from there, and for oneself', async (page) => {
  await visit(page, 'connect-four');
  await opponent(page, 'random');
  for (const count of [2, 4]) {
    await cell(page, 3).click();
    await sees(status(page), `${count} moves`);
  }
  await moveOfList(page, 1).click();
  await sees(status(page), 'random waits');
  await cell(page, 5).click();
  await settled(page);
  await sees(status(page), 'random waits');
  await sees(status(page), '1 move');
  await moveOfList(page, 2).click();
  await sees(status(page), 'Player 1 (you) to move');
  await cell(page, 5).click();
  await sees(status(page), '4 moves');
  await sees(status(page), 'Player 1 (you) to move');
  await moveOfList(page, 1).click();
  await button(page, 'Play on').click();
  await sees(status(page), '2 moves');
}, ['desktop']);

onPages('a link shows its position before an agent goes on', async (page) => {
  await visit(page, linkTo('connect-four', await startOf('connect-four'), ['4']));
  await sees(status(page), 'waits');
  await sees(status(page), '1 move');
  await accessible(page);
  await button(page, 'Play on').click();
  await sees(status(page), '2 moves');
});

onPages('an agent that was chosen while the board was on its way begins', async (page) => {
  const release = await holdPositions(page);
  await visit(page, 'connect-four');
  await seat(page, 1, 'random');
  release();
  await sees(status(page), '1 move');
}, ['desktop']);

onPages('hints of another line do not come again', async (page) => {
  await visit(page, DAY);
  await cell(page, 62).click();
  await sees(status(page), '1 move');
  await hint(page);
  await recommended(page).waitFor();
  await button(page, 'Undo').click();
  await sees(status(page), '0 moves');
  await cell(page, 0).click();
  await sees(status(page), '1 move');
  assert.equal(await recommended(page).count(), 0);
  await hint(page);
  await recommended(page).waitFor();
  await page.locator('.left .cell:not(.hinted):has(.shape)').first().click();
  await sees(status(page), '2 moves');
  await button(page, 'Undo').click();
  await sees(status(page), '1 move');
  assert.equal(await recommended(page).count(), 0);
}, ['desktop']);

onPages('an analysis uses its time limit', async (page) => {
  for (const [game, agent] of [['othello', 'uct'], ['sevn', 'az'], ['othello', 'alphabeta'], ['2048', 'ntuple']]) {
    await visit(page, game);
    await tab(page, 'Analysis');
    await analysis(page).getByLabel('Agent').selectOption(agent);
    await analysis(page).getByLabel('Time limit').selectOption('1 s');
    await button(analysis(page), 'Analyse').click();
    await button(analysis(page), 'Cancel').waitFor();
    await button(analysis(page), 'Analyse').waitFor();
    const took = Number((await analysis(page).locator('dd').allTextContents()).join(' ').match(/([\d.]+) s/)[1]);
    assert.ok(took > 0.9, `${agent} thought ${took} s of 1 s`);
  }
}, ['desktop']);

onPages('a value that is proven is said to be', async (page) => {
  // Three of a kind above each other: the next wins, whatever the other does.
  await visit(page, linkTo('connect-four', await startOf('connect-four'), ['4', '3', '4', '3', '4', '3']));
  await sees(status(page), '6 moves');
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('alphabeta');
  await button(analysis(page), 'Analyse').click();
  await sees(analysis(page).getByTestId('proven-value'), 'proven');
  await accessible(page);
}, ['desktop']);

onPages('a hint is one move, and nobody’s best', async (page) => {
  await visit(page, DAY);
  await hint(page);
  await recommended(page).waitFor();
  const solve = await panel(page, 'Solve').textContent();
  assert.doesNotMatch(solve, /Solution|Best found/);
  assert.doesNotMatch(await status(page).textContent(), /Best found here/);
  await page.reload();
  await sees(status(page), '0 moves');
  assert.doesNotMatch(await status(page).textContent(), /Best found here/);
}, ['desktop']);

onPages('a review of 2048 blames moves, not luck', async (page) => {
  // The only move is down; the worst of nature's answers follows.
  const forced = '512,4,2,4/4,256,4,2/2,4,128,4/0,0,0,0';
  await visit(page, linkTo('2048', forced, ['down~4@3']));
  await sees(status(page), '1 move');
  const review = panel(page, 'Review');
  await tab(page, 'Analysis');
  await analysis(page).getByLabel('Agent').selectOption('ntuple');
  await tab(page, 'Review');
  await button(review, 'Review the game').click();
  await sees(review, 'No move lost anything.');
  // The same after a move that takes the large tile out of its corner.
  await visit(page, linkTo('2048', '1024,512,256,128/0,0,0,64/0,0,0,0/0,0,0,0', ['down~2@0']));
  await sees(status(page), '1 move');
  await tab(page, 'Review');
  await button(review, 'Review the game').click();
  await sees(review, '1. down');
}, ['desktop']);

onPages('a hint is seen on every ground', async (page) => {
  await visit(page, 'connect-four');
  await sees(status(page), 'to move');
  await hint(page);
  await page.locator('.left .hinted').first().waitFor();
  const best = await page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => Number(part) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, two) => (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    const ground = light(getComputedStyle(document.querySelector('.left .ground')).fill);
    const rings = [...document.querySelectorAll('.left .hint > rect')].map((ring) => getComputedStyle(ring).stroke);
    return Math.max(...rings.filter((stroke) => stroke.startsWith('rgb(')).map((stroke) => contrast(light(stroke), ground)));
  });
  assert.ok(best >= 3, `contrast ${best}`);
}, ['desktop']);
