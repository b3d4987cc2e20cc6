// One whole game per game by mouse, by touch and by keyboard; games for two against a level.
import assert from 'node:assert/strict';
import { asked, button, cell, onPages, panel, sees, shot, visit } from './setup.mjs';

const status = (page) => page.locator('.status');

/** Short forms where a game has them, so that a whole game does not take long. */
const DUELS = ['sevn:base=3', 'connect-four', 'othello', 'togyzkumalak'];
const PUZZLES = ['former:rows=4,cols=4,shapes=3', 'samegame:rows=5,cols=5,colours=3', 'morpion', '2048:board=2x2', '2584:board=2x2', 'threes:board=2x3'];
/** More moves than any of these games has. */
const MOST_MOVES = 400;

/** Where the game stands: read from the link, which tells all, once it tells of as many moves as the page. */
async function state(page, game) {
  const read = await page.waitForFunction(() => {
    const told = document.querySelector('.status')?.textContent ?? '';
    const link = new URLSearchParams(location.hash.split('?')[1]);
    const moves = (link.get('m') ?? '').split(' ').filter(Boolean);
    const over = document.querySelector('[data-testid=end-card]') !== null;
    const mine = !/Player/.test(told) || /\(you\) to move/.test(told);
    const busy = document.querySelector('.left .frame')?.getAttribute('aria-busy') === 'true';
    const [, count] = told.match(/(\d+) moves?/) ?? [];
    return !busy && Number(count) === moves.length && (over || mine) && { over, moves, position: link.get('p') };
  });
  const { over, moves, position } = await read.jsonValue();
  const played = moves.map((move) => ((at) => (at < 0 ? move : { action: move.slice(0, at), chance: move.slice(at + 1) }))(move.indexOf('~')));
  const sheet = await asked('/api/position', { game, position, moves: played });
  assert.equal(sheet.over, over, `${game} after ${moves.length} moves`);
  return { sheet, count: moves.length };
}

/** Ways to make a move: they get the page, the move and the position. */
const WAYS = {
  mouse: {
    size: 'desktop',
    point: (page, index) => cell(page, index).click(),
    slide: (page, direction) => page.getByRole('group', { name: 'Moves' }).getByRole('button', { name: direction, exact: true }).click(),
    press: (locator) => locator.click(),
  },
  touch: {
    size: 'phone',
    point: (page, index) => cell(page, index).tap(),
    async slide(page, direction) {
      const { x, y, width, height } = await page.locator('.left .frame svg.board').boundingBox();
      const [dx, dy] = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] }[direction];
      const at = (part) => [{ x: x + width * (0.5 + part * dx), y: y + height * (0.5 + part * dy) }];
      const finger = await page.context().newCDPSession(page);
      await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(-0.3) });
      await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(0.3) });
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      await finger.detach();
    },
    press: (locator) => locator.tap(),
  },
  keyboard: {
    size: 'desktop',
    async point(page, index, sheet) {
      const { cols } = sheet.view;
      const from = await page.evaluate(() => {
        const reached = document.querySelector('.left .cell[tabindex="0"]');
        reached.focus();
        return Number(reached.dataset.cell);
      });
      const [down, right] = [Math.floor(index / cols) - Math.floor(from / cols), (index % cols) - (from % cols)];
      for (let i = 0; i < Math.abs(down); i++) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
      for (let i = 0; i < Math.abs(right); i++) await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
      await page.keyboard.press('Enter');
    },
    slide: (page, direction) => page.keyboard.press(`Arrow${direction[0].toUpperCase()}${direction.slice(1)}`),
    async press(locator) {
      await locator.focus();
      await locator.press('Enter');
    },
  },
};

/** Makes a move as a person does. */
async function move(page, way, sheet, action) {
  const { control } = sheet.view;
  if (control === 'slide') return way.slide(page, action.text);
  // A pass has a button of its own.
  if (sheet.actions.length === 1 && sheet.players === 2 && action.cells.length > 1 && control !== 'pick')
    return way.press(page.getByRole('button', { name: /^Only move/ }));
  if (way === WAYS.keyboard && /^[1-9]$/.test(action.text)) return page.keyboard.press(action.text);
  if (control === 'pick') {
    for (const index of action.cells) await way.point(page, index, sheet);
    return way.press(button(page, 'Take the picked tiles'));
  }
  // A cell may stand for several moves: then there is a choice.
  const at = action.cells[0];
  await way.point(page, at, sheet);
  if (sheet.actions.filter(({ cells }) => cells.includes(at)).length > 1)
    await way.press(page.getByRole('group', { name: /choose/ }).getByRole('button', { name: action.text, exact: true }));
}

for (const [name, way] of Object.entries(WAYS)) {
  for (const game of [...DUELS, ...PUZZLES]) {
    onPages(`${game}: a whole game by ${name}`, async (page) => {
      await visit(page, game);
      if (DUELS.includes(game)) {
        await panel(page, 'Players').getByLabel('Opponent').selectOption({ label: '1 · Beginner' });
        await panel(page, 'Players').getByLabel('Speed').fill('7');
        await page.evaluate(() => document.activeElement?.blur());
      }
      let { sheet, count } = await state(page, game);
      while (!sheet.over) {
        assert.ok(count < MOST_MOVES, `${game} does not end`);
        // Not always the first one, but the same in every run.
        await move(page, way, sheet, sheet.actions[(7 * count) % sheet.actions.length]);
        await sees(status(page), new RegExp(`\\b(?!${count} moves?\\b)\\d+ moves?\\b|wins|draw|over|Cleared`, 'i'));
        ({ sheet, count } = await state(page, game));
      }
      await page.getByTestId('end-card').waitFor();
      await shot(page, `whole-${game.split(':')[0]}-${name}`);
    }, [way.size]);
  }
}
