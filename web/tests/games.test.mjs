import assert from 'node:assert/strict';
import { accessible, button, cell, hint, onPages, panel, seat, sees, settled, shot, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const players = (page) => panel(page, 'Players');

onPages('SameGame pays points', async (page, size) => {
  await visit(page, 'samegame');
  await sees(status(page), '0 points');
  await hint(page);
  await page.locator('.left .hinted').first().click();
  await sees(status(page), /1 move · \d+ points?/);
  await accessible(page);
  await shot(page, `samegame-${size}`);
});

for (const game of ['2048', '2584', 'threes']) {
  onPages(`${game} slides by keys and buttons, and by itself`, async (page, size) => {
    await visit(page, game);
    await sees(status(page), '0 moves');
    const moves = async () => Number((await status(page).textContent()).match(/(\d+) moves?/)[1]);
    // At least one of two neighbouring directions is possible.
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    await sees(status(page), /[12] moves?/);
    await settled(page);
    const before = await moves();
    await page.getByRole('group', { name: 'Moves' }).locator('button:enabled').first().click();
    await sees(status(page), `${before + 1} moves`);
    const auto = panel(page, 'Autoplay');
    await seat(page, 1, 'random');
    await auto.getByLabel('Speed').fill('7');
    await sees(status(page), /(1[0-9]|[2-9][0-9]|\d{3}) moves/);
    await button(auto, 'Pause').click();
    await button(auto, 'Go on').waitFor();
    // A board that waits for the server is dimmed.
    await settled(page);
    await accessible(page);
    await shot(page, `${game}-${size}`);
  });
}

onPages('2048 answers to swipes and to pasted boards', async (page) => {
  await visit(page, '2048');
  await tab(page, 'Share');
  await page.getByLabel('Position or record').fill('2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0');
  await button(page, 'Load').click();
  // Both tiles are where the text has them, and no others are there.
  for (const index of [0, 3]) await sees(cell(page, index), '2');
  await page.waitForFunction(() => document.querySelectorAll('.left .number').length === 2);
  const frame = page.locator('.frame');
  const box = await frame.boundingBox();
  const at = (x, y) => ({ clientX: box.x + x * box.width, clientY: box.y + y * box.height, pointerType: 'touch', bubbles: true });
  await frame.dispatchEvent('pointerdown', at(0.8, 0.5));
  await frame.dispatchEvent('pointerup', at(0.2, 0.5));
  await sees(status(page), '1 move · 4 points');
}, ['phone']);

onPages('Sevn: tiles are picked, then taken', async (page, size) => {
  await visit(page, 'sevn');
  await sees(status(page), 'Player 1 (you) to move');
  assert.ok(await button(page, 'Take the picked tiles').isDisabled());
  await cell(page, 0).click();
  await button(page, 'Take the picked tiles').click();
  await sees(status(page), '2 moves');
  await accessible(page);
  await shot(page, `sevn-${size}`);
});

onPages('Connect Four against an agent, and an agent against another', async (page, size) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'random');
  await cell(page, 3).click();
  await sees(status(page), '2 moves');
  await button(page, 'Undo').click();
  await sees(status(page), '0 moves');
  await cell(page, 3).click();
  await sees(status(page), '2 moves');
  await accessible(page);
  await shot(page, `connect-four-${size}`);
  await seat(page, 1, 'random');
  await players(page).getByLabel('Speed').fill('7');
  await sees(status(page), /wins|draw/);
  await visit(page, 'results');
  await sees(panel(page, 'Games finished in this browser'), 'connect-four');
});

onPages('Othello and Togyzkumalak are played', async (page, size) => {
  for (const [game, index] of [['othello', 19], ['togyzkumalak', 9]]) {
    await visit(page, game);
    await seat(page, 2, 'random');
    await sees(status(page), 'Player 1 (you) to move');
    await cell(page, index).click();
    await sees(status(page), '2 moves');
    await accessible(page);
    await shot(page, `${game}-${size}`);
  }
});

onPages('a person plays second', async (page) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'human');
  await seat(page, 1, 'random');
  await sees(status(page), 'Player 2 (you) to move');
  await sees(status(page), '1 move');
}, ['desktop']);

onPages('a game is downloaded as a record and comes back', async (page) => {
  await visit(page, 'connect-four');
  await seat(page, 2, 'random');
  await cell(page, 3).click();
  await sees(status(page), '2 moves');
  await tab(page, 'Share');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download record').click()]);
  const chunks = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  const record = Buffer.concat(chunks).toString();
  assert.match(record, /^ludens-record 1\ngame connect-four\none human\ntwo random\n/);
  await button(page, 'New game').click();
  await sees(status(page), '0 moves');
  await page.getByLabel('Position or record').fill(record);
  await button(page, 'Load').click();
  await sees(status(page), '2 moves');
  await button(page, 'Undo').click();
  await sees(status(page), '0 moves');
}, ['desktop']);
