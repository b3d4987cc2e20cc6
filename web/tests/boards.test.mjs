// Games with a board of their own, where everything is, and boards put together by hand.
import assert from 'node:assert/strict';
import { accessible, asked, button, cell, linkTo, onPages, panel, seat, sees, shot, startOf, tab, visit } from './setup.mjs';

const GAMES = ['former', 'samegame', 'morpion', '2048', '2584', 'threes', 'sevn', 'connect-four', 'othello', 'togyzkumalak'];
const status = (page) => page.locator('.status');
const people = (page) => seat(page, 2, 'human');
const arrows = (page) => page.getByRole('group', { name: 'Moves' }).getByRole('button');
const board = (page) => page.locator('.left svg.board');
const boxes = (locator) => locator.evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));

onPages('a board of its own is loaded when it is shown', async (page) => {
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await visit(page);
  await page.locator('li svg').nth(9).waitFor();
  assert.deepEqual(asked.filter((path) => path.endsWith('.js')), ['/app.js']);
  await visit(page, 'othello');
  await board(page).waitFor();
  assert.ok(asked.includes('/Othello.js') && !asked.includes('/Sevn.js'), asked.join());
}, ['desktop']);

onPages('Othello shows counts and where discs may go', async (page) => {
  await visit(page, 'othello');
  await people(page);
  await page.locator('.left .dot').first().waitFor();
  assert.equal(await page.locator('.left .dot').count(), 4);
  await cell(page, 19).click();
  await sees(status(page), '1 move');
  await page.getByRole('img', { name: 'black discs 4, white discs 1' }).waitFor();
  assert.equal(await page.locator('.left .dot').count(), 3);
});

onPages('Connect Four shows where a stone lands, and the winning four', async (page) => {
  const start = await startOf('connect-four');
  await visit(page, linkTo('connect-four', start, ['4', '3', '4', '3', '4', '3']));
  await sees(status(page), '6 moves');
  await cell(page, 3).hover();
  const landing = await page.locator('.left .landing').boundingBox();
  const lands = await cell(page, 17).boundingBox();
  assert.ok(landing.x > lands.x && landing.y > lands.y && landing.y < lands.y + lands.height);
  assert.equal(await page.locator('.left .won').count(), 0);
  await cell(page, 3).click();
  await sees(status(page), 'wins');
  assert.equal(await page.locator('.left .won').count(), 4);
  const { winning } = await asked('/api/position', { game: 'connect-four', position: start, moves: ['4', '3', '4', '3', '4', '3', '4'] });
  assert.deepEqual(winning, [17, 24, 31, 38]);
}, ['desktop']);

onPages('2048 has arrows that stay where they are', async (page) => {
  // Nothing can go up or left.
  await visit(page, linkTo('2048', '2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  assert.deepEqual(await arrows(page).evaluateAll((all) => all.map((one) => one.disabled)), [true, true, false, false]);
  const before = await boxes(arrows(page));
  await page.getByRole('button', { name: 'right', exact: true }).click();
  await sees(status(page), '1 move');
  assert.deepEqual(await boxes(arrows(page)), before);
});

onPages('Threes! shows the next tile', async (page) => {
  await visit(page, 'threes');
  await page.getByRole('img', { name: /^Next tile: / }).waitFor();
});

onPages('Sevn shows who leads in every colour', async (page) => {
  await visit(page, 'sevn');
  await people(page);
  const colours = page.getByRole('list', { name: 'Colours' }).getByRole('listitem');
  await colours.first().waitFor();
  assert.equal(await colours.filter({ hasNotText: 'Player' }).count(), 7);
  await cell(page, 0).click();
  await button(page, 'Take the picked tiles').click();
  await sees(status(page), '1 move');
  await page.getByRole('listitem', { name: /player 1 leads by 1, 6 left/ }).waitFor();
});

onPages('Togyzkumalak shows kazans and what is captured', async (page) => {
  await visit(page, 'togyzkumalak');
  await people(page);
  await cell(page, 17).click();
  await sees(status(page), '1 move');
  await sees(page.locator('.left'), 'player 1 has 10 balls');
  assert.equal(await page.locator('.left [data-ball^="store_1:"]').count(), 10);
});

onPages('Morpion shows the line that a point completes', async (page) => {
  const { actions } = await asked('/api/position', { game: 'morpion', position: await startOf('morpion') });
  await visit(page, 'morpion');
  await sees(status(page), '0 moves');
  await cell(page, actions[0].cells[0]).hover();
  await page.locator('.left .line').first().waitFor({ state: 'attached' });
  await cell(page, actions[0].cells[0]).click();
  const several = page.getByRole('group', { name: 'Several moves fit' }).getByRole('button');
  if (await several.count()) await several.first().click();
  await sees(status(page), '1 move');
  assert.ok(await page.locator('.left .stroke').count());
}, ['desktop']);

onPages('forms for two are linked', async (page) => {
  for (const game of ['2048', '2584', 'threes']) {
    await visit(page, game);
    await page.getByRole('link', { name: /for two$/ }).click();
    await page.getByRole('heading', { level: 1, name: /for two/ }).waitFor();
    await page.getByRole('link', { name: /^(2048|2584|Threes!)$/ }).waitFor();
  }
}, ['desktop']);

for (const game of GAMES.filter((name) => name !== 'morpion')) {
  onPages(`${game}: a board is put together, and refused once if it cannot be`, async (page) => {
    await visit(page, game);
    await board(page).waitFor();
    const before = await board(page).locator('.cell').count();
    await tab(page, 'Share');
    await button(page, 'Edit the board').click();
    const pieces = page.getByRole('radiogroup').getByRole('radio');
    await pieces.nth(1).click();
    await cell(page, 0).click();
    page.expectsErrors = true;
    await button(page, 'Play this board').click();
    const alert = page.getByRole('alert');
    await page.locator('.status, [role=alert]').first().waitFor();
    if (await alert.count()) {
      assert.equal(await alert.count(), 1);
      await button(page, 'Cancel').click();
      await sees(status(page), 'move');
    }
    assert.equal(await board(page).locator('.cell').count(), before);
  }, ['desktop']);
}

onPages('morpion: lines are drawn and rubbed out with what needs them, then played', async (page, size) => {
  const start = await startOf('morpion');
  const { actions, view } = await asked('/api/position', { game: 'morpion', position: start });
  // A line whose point completes no other, and one that needs that point.
  const alone = ({ cells: [point] }, all) => all.filter(({ cells }) => cells[0] === point).length === 1;
  const name = (at, { cols, col_labels, row_labels }) => col_labels[at % cols] + row_labels[Math.floor(at / cols)];
  let first, after, needs;
  for (first of actions.filter((one) => alone(one, actions))) {
    after = await asked('/api/position', { game: 'morpion', position: first.text });
    const point = name(first.cells[0], view);
    needs = after.actions.find((one) => alone(one, after.actions) && one.cells.slice(1).some((at) => name(at, after.view) === point));
    if (needs) break;
  }
  assert.ok(needs, 'a line that needs another');
  const lines = (count) => sees(page.getByTestId('lines'), `${count} line`);
  const at = (view, point) => view.cells.findIndex((_, i) => name(i, view) === point);
  await visit(page, 'morpion');
  await sees(status(page), '0 moves');
  await tab(page, 'Share');
  await button(page, 'Edit the board').click();
  await lines(0);
  await cell(page, first.cells[0]).click();
  await lines(1);
  await cell(page, needs.cells[0]).click();
  await lines(2);
  await accessible(page);
  await shot(page, `editor-morpion-${size}`);
  // A point of the cross stays.
  const both = await asked('/api/position', { game: 'morpion', position: `${first.text};${needs.text}` });
  const cross = view.cells.findIndex(({ text }) => text === '●');
  await cell(page, at(both.view, name(cross, view))).click();
  await lines(2);
  // The first point takes both lines along.
  await cell(page, at(both.view, name(first.cells[0], view))).click();
  await lines(0);
  await cell(page, first.cells[0]).click();
  await lines(1);
  await button(page, 'Play this board').click();
  await sees(status(page), '0 moves');
  assert.equal(await page.evaluate(() => new URLSearchParams(location.hash.split('?')[1]).get('p')), first.text);
  // And it can be begun anew.
  await button(page, 'Edit the board').click();
  await lines(1);
  await button(page, 'Rub out all lines').click();
  await lines(0);
  await button(page, 'Cancel').click();
  await sees(status(page), '0 moves');
});

onPages('what a position has besides its board is chosen, not typed', async (page) => {
  const rest = page.getByRole('group', { name: 'Besides the board' });
  const edit = async () => {
    await tab(page, 'Share');
    await button(page, 'Edit the board').click();
    await rest.waitFor();
  };
  await visit(page, 'othello');
  await people(page);
  await sees(status(page), 'Player 1');
  await edit();
  await rest.getByLabel('to move').selectOption('O');
  await button(page, 'Play this board').click();
  await sees(status(page), 'Player 2');
  // A ball of the first pit is in player 1's kazan, and player 2 is to move.
  await visit(page, 'togyzkumalak');
  await people(page);
  await sees(status(page), 'Player 1');
  await edit();
  await page.getByRole('radiogroup').getByRole('radio', { name: '8', exact: true }).click();
  await cell(page, 9).click();
  await rest.getByLabel('store 1').fill('1');
  await rest.getByLabel('to move').selectOption('2');
  await accessible(page);
  await shot(page, 'editor-togyzkumalak');
  await button(page, 'Play this board').click();
  await sees(status(page), 'Player 2');
  await visit(page, 'threes');
  await sees(status(page), '0 moves');
  await edit();
  assert.equal(await rest.getByRole('textbox').count(), 4);
}, ['desktop']);

onPages('a 2048 board put together is played', async (page) => {
  await visit(page, linkTo('2048', '2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  await tab(page, 'Share');
  await button(page, 'Edit the board').click();
  await page.getByRole('radio', { name: '64', exact: true }).click();
  await cell(page, 5).click();
  await accessible(page);
  await button(page, 'Play this board').click();
  // The editor's own board has the tile already.
  await sees(status(page), '0 moves');
  await sees(cell(page, 5), '64');
  await page.keyboard.press('ArrowLeft');
  await sees(status(page), '1 move');
});

onPages('board, moves and evaluation are seen at once', async (page) => {
  for (const game of GAMES) {
    await visit(page, game);
    await board(page).waitFor();
    const end = await page.locator('.left > section').evaluate((one) => one.getBoundingClientRect().bottom);
    assert.ok(end <= 860, `${game} ends at ${end}`);
  }
  await visit(page, 'connect-four');
  await people(page);
  await cell(page, 3).click();
  await sees(status(page), '1 move');
  await tab(page, 'Analysis');
  await panel(page, 'Analysis').getByLabel('Agent').selectOption('uct');
  await button(panel(page, 'Analysis'), 'Analyse').click();
  await panel(page, 'Analysis').getByRole('meter').waitFor();
  await button(panel(page, 'Analysis'), 'Analyse').waitFor();
  for (const seen of [panel(page, 'Moves played'), panel(page, 'Analysis'), board(page)]) {
    const { y, height } = await seen.boundingBox();
    assert.ok(y >= 0 && y + height <= 860, `${y} to ${y + height}`);
  }
}, ['desktop']);

onPages('on a phone the board comes first', async (page) => {
  for (const game of GAMES) {
    await visit(page, game);
    await board(page).waitFor();
    const { y, x, width } = await board(page).boundingBox();
    assert.ok(y < 120, `${game} begins at ${y}`);
    assert.ok(x >= 0 && x + width <= 390, game);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${game} is too wide`);
  }
}, ['phone']);

onPages('tabs are gone over by keys', async (page) => {
  await visit(page, 'othello');
  await page.getByRole('tab', { name: 'Play', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Analysis');
  await panel(page, 'Analysis').waitFor();
  await panel(page, 'Players').waitFor({ state: 'hidden' });
}, ['desktop']);

for (const theme of ['light', 'dark']) {
  onPages(`every page, ${theme}`, async (page, size) => {
    for (const name of ['', ...GAMES, 'daily', 'mine', 'results', 'training']) {
      await visit(page, name);
      await page.locator('main h1').first().waitFor();
      if (GAMES.includes(name)) await board(page).waitFor();
      else await page.waitForLoadState('networkidle').catch(() => undefined);
      await accessible(page);
      await shot(page, `${name || 'home'}-${theme}-${size}`);
    }
  }, undefined, { colorScheme: theme });
}
