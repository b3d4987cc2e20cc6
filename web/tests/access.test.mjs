// For those who do not see the board, hear of it, use no pointer, or read Norwegian.
import assert from 'node:assert/strict';
import { accessible, asked, button, cell, hint, linkTo, onPages, panel, seat, sees, shot, startServer, stopServer, tab, visit } from './setup.mjs';

const status = (page) => page.locator('.status');
const people = (page) => seat(page, 2, 'human');

onPages('2048 is a grid, and its moves are told', async (page) => {
  await visit(page, linkTo('2048', '2,0,0,2/0,0,0,0/0,0,0,0/0,0,0,0', []));
  await sees(status(page), '0 moves');
  await page.getByRole('grid', { name: '2048 board' }).waitFor();
  assert.equal(await page.getByRole('gridcell').count(), 16);
  await page.getByRole('gridcell', { name: '1, 4: 2' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await sees(page.getByRole('status'), /left played\. Made 4\. New [24] in row \d, column \d\./);
});

onPages('digits play columns and pits', async (page) => {
  await visit(page, 'connect-four');
  await people(page);
  await page.keyboard.press('4');
  await sees(status(page), '1 move');
  await page.getByRole('gridcell', { name: /^4: X/ }).waitFor();
  await page.keyboard.press('9');
  await page.keyboard.press('7');
  await sees(status(page), '2 moves');
  await visit(page, 'togyzkumalak');
  await people(page);
  await page.keyboard.press('9');
  await sees(status(page), '1 move');
  await sees(page.locator('.left'), 'player 1 has 10 balls');
}, ['desktop']);

onPages('colours for colour blindness are a choice', async (page, size) => {
  await visit(page, 'former?date=2025-05-18');
  await sees(status(page), '0 moves');
  await button(page, 'Settings').click();
  await page.getByLabel(/^Colours/).selectOption('okabe-ito');
  await button(page, 'Close').click();
  const fills = await page.locator('.left .shape').evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fill))].sort());
  assert.deepEqual(fills, ['rgb(0, 114, 178)', 'rgb(0, 158, 115)', 'rgb(204, 121, 167)', 'rgb(230, 159, 0)']);
  await accessible(page);
  await shot(page, `okabe-ito-${size}`);
});

onPages('every text is Norwegian', async (page, size) => {
  const english = /\b(Undo|Redo|Moves?|Player|Players|Analysis|Share|New game|Settings|Loading|Review|Play|Solve|Edit|board|tiles?|left|right|Time|Next|points?|groups?|found|expected)\b/;
  await visit(page);
  await page.locator('li svg').nth(9).waitFor();
  for (const name of ['', 'former', 'samegame', 'morpion', '2048', '2048:adversary=cell', 'threes', 'sevn', 'connect-four', 'othello', 'togyzkumalak', 'results', 'training']) {
    await visit(page, encodeURIComponent(name));
    if (name && name !== 'results' && name !== 'training') await page.locator('.left svg.board').waitFor();
    for (const one of await page.getByRole('tab').all()) {
      await one.click();
      // What commands, agents and variants are called is the same in every language.
      const seen = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll('[aria-label]')].map((one) => one.ariaLabel)].join('\n'));
      assert.doesNotMatch(seen.replaceAll(/`[^`]*`|\S+=\S*/g, ''), english, `${name}: ${seen.match(english)?.[0]}`);
    }
  }
  // Tips of agents, solvers and their parameters too.
  for (const game of ['former', 'samegame', '2048', 'sevn', 'connect-four']) {
    const { agents, solvers } = await asked('/api/game', { game });
    const english = [...agents, ...solvers].flatMap(({ about, parameters }) => [about, ...parameters.map(({ help }) => help)]);
    await visit(page, game);
    await page.locator('.left svg.board').waitFor();
    for (const one of await page.getByRole('tab').all()) {
      await one.click();
      const tips = await page.locator('[title]').evaluateAll((all) => all.map(({ title }) => title));
      assert.deepEqual(tips.filter((tip) => english.includes(tip)), []);
    }
  }
  await visit(page, 'connect-four?p=nonsense');
  page.expectsErrors = true;
  await sees(page.getByRole('alert'), /fant .*ventet/);
  await accessible(page);
  await shot(page, `norwegian-${size}`);
}, undefined, { locale: 'nb-NO' });

onPages('a fault is told once, with a way out', async (page) => {
  page.expectsErrors = true;
  await visit(page, 'connect-four?p=nonsense');
  const alert = page.getByRole('alert');
  await sees(alert, 'found');
  assert.equal(await alert.count(), 1);
  await accessible(page);
  await button(alert, 'New game').click();
  await sees(status(page), '0 moves');
  await alert.waitFor({ state: 'detached' });
  await tab(page, 'Share');
  await page.getByLabel('Position or record').fill('nonsense');
  await button(page, 'Load').click();
  await sees(panel(page, 'Share').getByRole('alert'), 'found');
  assert.equal(await alert.count(), 1);
  // A variant there is not leads back to all games.
  await visit(page, encodeURIComponent('sevn:base=99'));
  await sees(alert, 'base');
  await button(page, 'All games').click();
  await page.getByRole('heading', { name: 'Ludens', level: 1 }).waitFor();
});

onPages('a server that is gone is reconnected to', async (page) => {
  await visit(page, 'connect-four');
  await people(page);
  page.expectsErrors = true;
  await stopServer();
  await page.keyboard.press('4');
  await sees(page.getByRole('alert'), 'Reconnecting');
  await startServer();
  await sees(status(page), '1 move');
  await page.getByRole('alert').waitFor({ state: 'detached' });
}, ['desktop']);

/** The least contrast that any mark of a kind has with what is next to it. */
const contrasts = (page) =>
  page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => Number(part) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, two) => (Math.max(light(one), light(two)) + 0.05) / (Math.min(light(one), light(two)) + 0.05);
    const style = (selector, name) => [...document.querySelectorAll(selector)].map((one) => getComputedStyle(one)[name]).filter((value) => value.startsWith('rgb(') && value !== 'rgba(0, 0, 0, 0)');
    const under = [...new Set([...style('.left .ground', 'fill'), ...style('.left :is(.shape, .tile, .disc, .number, .pit, .slot)', 'fill')])];
    const marks = {};
    for (const mark of document.querySelectorAll('.left :is(.marks, .values, .arrows) > *, .left .landing')) {
      const parts = [mark, ...mark.children].filter((one) => one.tagName !== 'text').flatMap((one) => [getComputedStyle(one).stroke, getComputedStyle(one).fill]).filter((value) => value.startsWith('rgb('));
      // One of its two colours is seen on each colour below.
      marks[mark.getAttribute('class').split(' ')[0]] = Math.min(...under.map((colour) => Math.max(...parts.map((part) => contrast(part, colour)))));
    }
    return marks;
  });

for (const theme of ['light', 'dark']) {
  onPages(`every mark is seen on every ground, ${theme}`, async (page) => {
    const seen = {};
    const look = async () => Object.entries(await contrasts(page)).forEach(([kind, least]) => (seen[kind] = Math.min(seen[kind] ?? Infinity, least)));
    for (const game of ['former?date=2025-05-18', 'sevn', 'connect-four', 'othello', 'togyzkumalak']) {
      await visit(page, game);
      await page.locator('.left svg.board').waitFor();
      await cell(page, 0).focus();
      await page.keyboard.press('ArrowRight');
      await page.locator('.left .focus').waitFor();
      await look();
      await hint(page);
      await page.locator('.left .hint').first().waitFor();
      await look();
      if (game === 'connect-four') {
        await cell(page, 3).hover();
        await page.locator('.left .landing').waitFor();
        await look();
      }
      if (game !== 'sevn' && game !== 'former?date=2025-05-18') {
        await tab(page, 'Analysis');
        await panel(page, 'Analysis').getByLabel('Agent').selectOption('uct');
        await button(panel(page, 'Analysis'), 'Analyse').click();
        await page.locator('.left .arrow[data-rank="1"]').waitFor();
        await page.locator('.left .note').first().waitFor();
        await look();
      }
      if (game === 'connect-four') {
        await page.getByLabel('Exact values').check();
        await page.locator('.left .values > g').nth(6).waitFor();
        await look();
        await page.getByLabel('Exact values').uncheck();
      }
      if (game === 'sevn') {
        await cell(page, 0).click();
        await page.locator('.left .pick').waitFor();
        await look();
      }
    }
    await visit(page, linkTo('connect-four', '', ['4', '3', '4', '3', '4', '3', '4']));
    await page.locator('.left .won').first().waitFor();
    await look();
    for (const kind of ['focus', 'hint', 'lit', 'pick', 'won', 'dot', 'note', 'arrow', 'landing', 'good', 'bad', 'even']) assert.ok(seen[kind] >= 3, `${kind}: ${seen[kind]} of ${JSON.stringify(seen)}`);
  }, ['desktop'], { colorScheme: theme });
}
