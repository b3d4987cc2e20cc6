// Boards from pictures: chosen, pasted and dropped; corners, doubtful cells, hostile files.
import assert from 'node:assert/strict';
import { accessible, button, cell, linkTo, onPages, sees, shot, startOf, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const dialog = (page) => page.getByRole('dialog', { name: 'From a picture' });

/** A picture of the board shown, as the page draws it. */
const drawn = (page) => page.locator('.left svg.board').screenshot();

/** What the link of the page says about the position that is played. */
const position = (page) => page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('p'));

/** Hands a picture to the page, as a browser does that pastes or drops. */
async function hand(page, kind, picture) {
  await page.evaluate(
    ({ kind, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], 'board.png', { type: 'image/png' }));
      const init = { bubbles: true, cancelable: true };
      const event = kind === 'paste' ? new ClipboardEvent('paste', { ...init, clipboardData: data }) : new DragEvent('drop', { ...init, dataTransfer: data });
      (document.querySelector('dialog[open]') ?? document.body).dispatchEvent(event);
    },
    { kind, bytes: picture.toString('base64') },
  );
}

const BOARDS = [
  ['connect-four', [...'4453362']],
  ['othello', ['d3', 'c3', 'c4']],
  ['2048', []],
  ['former', []],
  ['samegame', []],
  ['sevn', []],
];

for (const [game, moves] of BOARDS) {
  onPages(`${game}: a picture of a board is pasted and played`, async (page, size) => {
    const start = game === 'connect-four' || game === 'othello' ? await startOf(game) : null;
    await visit(page, start === null ? game : linkTo(game, start, moves));
    await sees(status(page), `${moves.length} moves`);
    // No marks, no pointer: only what lies on the board.
    await page.mouse.move(0, 0);
    const picture = await drawn(page);
    const read = () => page.locator('.left .board .cell').evaluateAll((all) => all.map((one) => one.querySelector('[class*=ink-]')?.getAttribute('class').match(/ink-\w+/)[0] ?? one.textContent));
    // What a colour of Sevn is called is not to be seen: the order from the top left tells.
    const cells = async () => (game === 'sevn' ? (await read()).map((one, _, all) => all.indexOf(one)) : read());
    const before = await cells();
    // Another board is there when the picture comes.
    await button(page, 'New game').click();
    await sees(status(page), '0 moves');
    await hand(page, 'paste', picture);
    await sees(dialog(page).getByTestId('doubtful'), /cell/);
    await accessible(page);
    await shot(page, `picture-${game}-${size}`);
    await button(dialog(page), 'Play this board').click();
    await dialog(page).waitFor({ state: 'detached' });
    await sees(status(page), '0 moves');
    assert.deepEqual(await cells(), before);
  }, ['desktop']);
}

onPages('a picture is dropped, and its corners are moved', async (page) => {
  await visit(page, linkTo('connect-four', await startOf('connect-four'), [...'445336']));
  await sees(status(page), '6 moves');
  const picture = await drawn(page);
  await hand(page, 'drop', picture);
  await sees(dialog(page).getByTestId('doubtful'), /cell/);
  const corner = dialog(page).getByRole('button', { name: 'Corner 1 of the board' });
  const before = await corner.getAttribute('cx');
  const read = page.waitForRequest(/api\/read.*corners=/);
  await corner.focus();
  await page.keyboard.press('ArrowRight');
  await read;
  assert.notEqual(await corner.getAttribute('cx'), before);
  await button(dialog(page), 'Close').click();
  await dialog(page).waitFor({ state: 'detached' });
  await sees(status(page), '6 moves');
}, ['desktop']);

onPages('a large picture is made small enough, corners are dragged, doubtful cells are marked', async (page) => {
  await visit(page, linkTo('connect-four', await startOf('connect-four'), [...'44536']));
  await sees(status(page), '5 moves');
  const picture = await drawn(page);
  // The board on a large ground of noise, which no format makes small.
  const large = await page.evaluate(async (bytes) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))]));
    const [width, height] = [2400, 2000];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const draw = canvas.getContext('2d');
    const noise = draw.createImageData(width, height);
    let seed = 1;
    for (let i = 0; i < noise.data.length; i++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      noise.data[i] = i % 4 === 3 ? 255 : 225 + (seed >> 16) % 24;
    }
    draw.putImageData(noise, 0, 0);
    draw.drawImage(bitmap, 500, 400, 1400, (1400 * bitmap.height) / bitmap.width);
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/png'));
    const text = await new Promise((done) => Object.assign(new FileReader(), { onload: ({ target }) => done(target.result) }).readAsDataURL(blob));
    return text.split(',')[1];
  }, picture.toString('base64'));
  const file = Buffer.from(large, 'base64');
  assert.ok(file.length > 2 << 20, `${file.length} bytes`);
  const sizes = [];
  await page.route('**/api/read?*', async (route) => {
    sizes.push(route.request().postDataBuffer().length);
    const response = await route.fetch();
    const read = await response.json();
    // Whatever the server was sure of: the first cell is to be looked at twice.
    await route.fulfill({ response, json: { ...read, doubtful: [[0, 0]] } });
  });
  await tab(page, 'Share');
  await button(page, 'From a picture').click();
  await dialog(page).getByLabel('Choose a picture').setInputFiles({ name: 'board.png', mimeType: 'image/png', buffer: file });
  await sees(dialog(page).getByTestId('doubtful'), /1 cell/);
  assert.ok(sizes[0] <= 2 << 20, `${sizes[0]} bytes`);
  const corner = dialog(page).getByRole('button', { name: 'Corner 1 of the board' });
  await corner.scrollIntoViewIfNeeded();
  const before = await corner.getAttribute('cx');
  const { x, y, width, height } = await corner.boundingBox();
  const again = page.waitForResponse(/api\/read.*corners=/);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 1, y + height / 2 + 1);
  await page.mouse.move(x + width / 2 + 3, y + height / 2 + 3);
  await page.mouse.up();
  await again;
  assert.notEqual(await corner.getAttribute('cx'), before);
  await button(dialog(page), 'Correct it').click();
  await page.getByRole('heading', { name: 'Your own board' }).waitFor();
  await sees(page.locator('.left .note'), '?');
  assert.equal(await page.locator('.left .note').count(), 1);
  await cell(page, 0).click();
  await page.locator('.left .note').waitFor({ state: 'detached' });
});

onPages('a picture is chosen, corrected in the editor and played', async (page) => {
  await visit(page, linkTo('connect-four', await startOf('connect-four'), [...'4455']));
  await sees(status(page), '4 moves');
  const picture = await drawn(page);
  await tab(page, 'Share');
  await button(page, 'From a picture').click();
  await dialog(page).getByLabel('Choose a picture').setInputFiles({ name: 'board.png', mimeType: 'image/png', buffer: picture });
  await button(dialog(page), 'Correct it').click();
  await page.getByRole('heading', { name: 'Your own board' }).waitFor();
  // Two stones more.
  for (const [piece, at] of [[1, 35], [2, 41]]) {
    await page.getByRole('radiogroup').getByRole('radio').nth(piece).click();
    await cell(page, at).click();
  }
  await button(page, 'Play this board').click();
  await sees(status(page), '0 moves');
  assert.equal((await position(page)).replaceAll(/[^XO]/g, '').length, 6);
});

onPages('what is no picture is told, and nothing is lost', async (page) => {
  page.expectsErrors = true;
  await visit(page, linkTo('connect-four', await startOf('connect-four'), ['4']));
  await sees(status(page), '1 move');
  await tab(page, 'Share');
  await button(page, 'From a picture').click();
  const choose = dialog(page).getByLabel('Choose a picture');
  await choose.setInputFiles({ name: 'board.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') });
  await dialog(page).getByRole('alert').waitFor();
  await button(dialog(page), 'Close').click();
  await sees(status(page), '1 move');
}, ['desktop']);
