// Pieces move as the server says; only `transform` and `opacity` change, and with less motion nothing moves.
import assert from 'node:assert/strict';
import { asked, button, cell, linkTo, onPages, panel, seat, sees, startOf, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const moving = { reducedMotion: 'no-preference' };

/** Keeps every animation that begins on the page, with what it changes. */
const watch = (page) =>
  page.addInitScript(() => {
    globalThis.begun = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
      const names = [...new Set(frames.flatMap((frame) => Object.keys(frame)))].filter((name) => !['offset', 'easing', 'composite'].includes(name));
      globalThis.begun.push({
        cell: this.closest('[data-cell]')?.dataset.cell ?? this.dataset.ball ?? 'ghost',
        names: names.sort().join(),
        first: frames[0].transform,
        last: frames.at(-1).transform,
      });
      return animate.call(this, frames, timing);
    };
  });

const begun = (page) => page.evaluate(() => globalThis.begun.splice(0));
/** Waits until a move has begun to be shown, and gives its animations. */
async function shown(page, action) {
  await begun(page);
  await action();
  await page.waitForFunction(() => globalThis.begun.length > 0);
  const all = await begun(page);
  for (const { names, cell } of all) assert.match(names, /^(opacity,)?transform$/, cell);
  // All come to rest where the position has them, and nothing is left over.
  await page.waitForFunction(() => document.querySelectorAll('.left .ghosts > g').length === 0 && document.querySelectorAll('.left svg.board').length === 1 && document.getAnimations().length === 0);
  const resting = all.filter(({ cell }) => cell !== 'ghost');
  for (const { last, cell } of resting) assert.match(last, /^(none|translate\(0px, 0px\) scale\(1, 1\))$/, cell);
  return all;
}

/** Two people, so that nobody else moves. */
const people = (page) => seat(page, 2, 'human');
const undo = (page) => button(page, 'Undo').click();
const cells = (all) => all.map(({ cell }) => cell).sort();

onPages('2048: tiles slide, merge and come; undo takes that back', async (page) => {
  await watch(page);
  await visit(page, linkTo('2048', '2,0,0,2/0,0,4,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  const all = await shown(page, () => page.keyboard.press('ArrowLeft'));
  // Two tiles go to a corner and are one there, a third slides, a fourth comes.
  assert.equal(all.filter(({ cell }) => cell === 'ghost').length, 2);
  assert.ok(cells(all).includes('0') && cells(all).includes('4'));
  assert.equal(all.length, 5);
  assert.match(all.find(({ cell }) => cell === '4').first, /^translate\(200px, 0px\)/);
  const back = await shown(page, () => undo(page));
  assert.ok(['0', '3', '6'].every((index) => cells(back).includes(index)), cells(back).join());
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await begun(page);
  await page.keyboard.press('ArrowLeft');
  await sees(status(page), '1 move');
  assert.deepEqual(await begun(page), []);
}, undefined, moving);

onPages('keys that come quickly are all played', async (page) => {
  await visit(page, linkTo('2048', '2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
  await sees(status(page), '4 moves');
}, undefined, moving);

onPages('Connect Four: a stone falls, and rises when it is taken back', async (page) => {
  await watch(page);
  await visit(page, 'connect-four');
  await people(page);
  const [stone] = await shown(page, () => cell(page, 3).click());
  assert.deepEqual([stone.cell, stone.first], ['38', 'translate(0px, -600px) scale(1, 1)']);
  const [back] = await shown(page, () => undo(page));
  assert.equal(back.cell, 'ghost');
}, undefined, moving);

onPages('Othello: a disc is placed and others turn', async (page) => {
  await watch(page);
  await visit(page, 'othello');
  await people(page);
  const all = await shown(page, () => cell(page, 19).click());
  // The new disc, and both sides of the one that turns.
  assert.deepEqual(cells(all), ['19', '27', 'ghost']);
  assert.deepEqual(cells(await shown(page, () => undo(page))), ['27', 'ghost', 'ghost']);
}, undefined, moving);

onPages('Togyzkumalak: balls are sown one by one, and counted', async (page) => {
  await watch(page);
  await visit(page, 'togyzkumalak');
  await people(page);
  const all = await shown(page, () => cell(page, 9).click());
  // Eight of nine balls leave the pit; a capture of none.
  assert.equal(all.filter(({ cell }) => /^\d+:/.test(cell)).length, 8);
  await page.waitForFunction(() => [...document.querySelectorAll('.left .count')].map((count) => count.textContent).join() === '9,9,9,9,9,9,9,9,9,1,10,10,10,10,10,10,10,10,0,0');
  await page.keyboard.press('2');
  await sees(status(page), '2 moves');
}, undefined, moving);

onPages('Former and SameGame: groups go, what is above falls', async (page) => {
  await watch(page);
  await visit(page, 'former?date=2025-05-18');
  await sees(status(page), '0 moves');
  const all = await shown(page, () => cell(page, 62).click());
  assert.ok(all.some(({ cell }) => cell === 'ghost'));
  assert.ok(all.some(({ first }) => /translate\(0px, -\d+px\)/.test(first)));
  await shown(page, () => undo(page));
  // Removing the left column moves the right one there.
  await visit(page, linkTo('samegame:rows=2,cols=3,colours=3', '01./02.', []));
  await sees(status(page), '0 moves');
  const closed = await shown(page, () => cell(page, 0).click());
  assert.ok(closed.some(({ first }) => /translate\(100px, 0px\)/.test(first)), JSON.stringify(closed));
}, ['desktop'], moving);

onPages('Sevn and Morpion: tiles leave, lines are drawn', async (page) => {
  await watch(page);
  await visit(page, 'sevn');
  await people(page);
  await cell(page, 0).click();
  const taken = await shown(page, () => button(page, 'Take the picked tiles').click());
  assert.ok(taken.some(({ cell }) => cell === 'ghost'));
  await visit(page, 'morpion');
  await sees(status(page), '0 moves');
  const { actions } = await asked('/api/position', { game: 'morpion', position: await startOf('morpion') });
  const alone = actions.find(({ cells: [point] }) => actions.filter(({ cells }) => cells.includes(point)).length === 1);
  const drawn = await shown(page, () => cell(page, alone.cells[0]).click());
  assert.ok(drawn.length >= 5);
}, ['desktop'], moving);

/** Waits until nothing moves, and the browser has told of the tasks until then. */
const rested = (page, told = '') =>
  page.evaluate(async (told) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    do await frame();
    while (!document.querySelector('.status').textContent.includes(told));
    do await frame();
    while (document.getAnimations().length > 0);
    await frame();
  }, told);

/** The processor time in milliseconds of the longest task of a page's main thread while something is done. */
async function longestTask(page, action) {
  const browser = page.context().browser();
  await browser.startTracing(page, { categories: ['toplevel'] });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const thread = ({ pid, tid }) => `${pid} ${tid}`;
  const main = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(thread));
  const tasks = traceEvents.filter((event) => event.tdur && event.name.endsWith('RunTask') && main.has(thread(event)));
  assert.ok(tasks.length > 10, 'the browser tells of no tasks');
  return Math.max(...tasks.map(({ tdur }) => tdur)) / 1000;
}

onPages('no task is long, on a processor four times slower', async (page) => {
  const { position, actions } = await asked('/api/position', { game: 'samegame', random: 7 });
  const lowest = actions.reduce((one, other) => (Math.max(...other.cells) > Math.max(...one.cells) ? other : one));
  await visit(page, linkTo('samegame', position, []));
  await sees(status(page), '0 moves');
  const box = await cell(page, lowest.cells[0]).boundingBox();
  const debugging = await page.context().newCDPSession(page);
  await debugging.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  // What else the machine does makes tasks longer, never shorter: the best of several tries counts.
  let best = Infinity;
  for (let attempt = 0; attempt < 12 && best > 50; attempt++) {
    await page.mouse.move(1, 1);
    await rested(page);
    const took = await longestTask(page, async () => {
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await rested(page, '1 move');
    });
    best = Math.min(best, took);
    await undo(page);
    await rested(page, '0 moves');
  }
  assert.ok(best <= 50, `a task of ${best} ms`);
}, ['desktop'], moving);
