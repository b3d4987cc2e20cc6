// Measures what docs/results/web.md tells: `npm run figures`, or `npm run figures -- --busy` beside a program that keeps
// every core busy. Not a test: it fails at nothing.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { chromium } from 'playwright-core';
import { BROWSER, FLAGS, ROOT } from './machine.mjs';

const binary = process.env.LUDENS_BINARY ?? join(ROOT, 'target/release/ludens');
const home = mkdtempSync(join(tmpdir(), 'ludens-figures-'));
const server = spawn(binary, ['serve', '--port', '0', '--no-open'], { env: { ...process.env, LUDENS_HOME: home }, stdio: ['ignore', 'pipe', 'inherit'] });
const line = await new Promise((done) => createInterface({ input: server.stdout }).once('line', done));
const origin = line.match(/http:\/\/[^ ]+\//)[0];
const browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
const load = process.argv.includes('--busy') ? Array.from({ length: availableParallelism() }, () => new Worker('for (;;);', { eval: true })) : [];

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const tell = (name, values, unit = 'ms') =>
  console.log(`${name.padEnd(62)} ${median(values).toFixed(0).padStart(7)} ${unit}  (${values.length} times, at most ${Math.max(...values).toFixed(0)})`);
const times = async (count, measure) => {
  const values = [];
  for (let i = 0; i < count; i++) values.push(await measure(i));
  return values;
};

/** Milliseconds from an action in the page until a selector's text matches. */
const until = (page, selector, pattern, action) =>
  page.evaluate(
    ([selector, pattern, action]) =>
      new Promise((done) => {
        const fits = () => new RegExp(pattern).test(document.querySelector(selector)?.textContent ?? '');
        const begin = performance.now();
        const watch = new MutationObserver(() => {
          if (!fits()) return;
          watch.disconnect();
          requestAnimationFrame(() => done(performance.now() - begin));
        });
        watch.observe(document.body, { subtree: true, childList: true, characterData: true });
        new Function(action)();
      }),
    [selector, pattern, action],
  );

const DAY = `${origin}#/former?date=2025-05-18`;
const click = (selector) => `document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new MouseEvent('click', { bubbles: true }))`;
const press = (name) => `[...document.querySelectorAll('button')].find((b) => b.textContent === ${JSON.stringify(name)}).click()`;

async function opened(url = DAY) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage();
  await page.goto(url);
  await page.locator('.left .cell').first().waitFor();
  return page;
}

/** A click on a group and its undoing, in turn. */
async function interactions(page, count) {
  return times(count, async () => {
    const took = await until(page, '.status', '^1 move\\b', click('.left [data-cell="62"]'));
    await until(page, '.status', '^0 moves', press('Undo'));
    return took;
  });
}

// First paint and layout shift: a fresh browser context each time, nothing cached.
const shifts = [];
const paints = await times(10, async () => {
  const page = await opened();
  const [paint, shift] = await page.evaluate(async () => {
    const seen = [];
    new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    await new Promise((done) => setTimeout(done, 500));
    return [performance.getEntriesByName('first-contentful-paint')[0].startTime, seen.reduce((sum, { value }) => sum + value, 0)];
  });
  shifts.push(1000 * shift);
  await page.context().close();
  return paint;
});
tell('first contentful paint', paints);
tell('cumulative layout shift, thousandths', shifts, '  ');
const boards = await times(10, async () => {
  const page = await (await browser.newContext()).newPage();
  const begin = performance.now();
  await page.goto(DAY, { waitUntil: 'commit' });
  await page.locator('.left .cell').first().waitFor();
  await page.context().close();
  return performance.now() - begin;
});
tell('from the address to the board', boards);

const page = await opened();
const bytes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter((e) => /\/$|app\.|icon/.test(new URL(e.name).pathname)).reduce((sum, e) => sum + e.encodedBodySize, 0));
tell('page, script, style and icon, compressed', [bytes], 'bytes');
const scripts = await page.evaluate(() => performance.getEntriesByType('resource').filter((e) => new URL(e.name).pathname.endsWith('/app.js')).reduce((sum, e) => sum + e.encodedBodySize, 0));
tell('script of a first visit, compressed', [scripts], 'bytes');
tell('a move: from the click to the new board', await interactions(page, 20));
const hints = await times(10, async (i) => {
  const other = await opened(`${origin}#/former?date=2025-05-${10 + i}`);
  const took = await until(other, '[data-testid=hint]', '.', press('Hint'));
  await other.context().close();
  return took;
});
tell('a hint on a Former board', hints);

// The last group of a board is taken.
const cards = await times(10, async () => {
  const other = await opened(`${origin}#/former:rows=2,cols=2,shapes=2?p=11/11`);
  const took = await until(other, '[data-testid=end-card]', '.', click('.left [data-cell="0"]'));
  await other.context().close();
  return took;
});
tell('the end card, from the click on the last group', cards);

/** A request whose events are read and dropped. */
function stream(path, body) {
  const request = http.request(new URL(path, origin), { method: body ? 'POST' : 'GET' });
  const begun = new Promise((done) => request.on('response', (response) => response.once('data', done).resume()));
  request.on('error', () => undefined);
  request.end(body && JSON.stringify(body));
  return { request, begun };
}

const searches = [1, 2].map((seed) => stream('/api/analyze', { game: 'samegame', random: seed, time_ms: 500_000, threads: 1 }));
await Promise.all(searches.map(({ begun }) => begun));
tell('a move while two searches run', await interactions(page, 20));

/** Processor time of the server in milliseconds. */
const spent = () =>
  readdirSync(`/proc/${server.pid}/task`).reduce((sum, task) => {
    const fields = readFileSync(`/proc/${server.pid}/task/${task}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + 10 * (Number(fields[11]) + Number(fields[12]));
  }, 0);

searches.forEach(({ request }) => request.destroy());
const frees = await times(10, async (i) => {
  const { request, begun } = stream('/api/analyze', { game: i % 2 ? 'samegame' : 'former', random: i, prove: i % 2 === 0, time_ms: 500_000, threads: 1 });
  await begun;
  await sleep(700);
  request.destroy();
  const begin = performance.now();
  let [last, quiet] = [spent(), begin];
  while (performance.now() - quiet < 300) {
    await sleep(5);
    const now = spent();
    if (now > last + 5) [last, quiet] = [now, performance.now()];
  }
  return quiet - begin;
});
tell('from closing a search to its core being free', frees);

const idle = Array.from({ length: 200 }, () => stream('/api/runs/events'));
await Promise.all(idle.map(({ begun }) => begun));
tell('a move with 200 idle event streams', await interactions(page, 20));
const memory = readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1];
console.log(`memory of the server then: ${(memory / 1024).toFixed(0)} MiB`);
idle.forEach(({ request }) => request.destroy());

await browser.close();
await Promise.all(load.map((one) => one.terminate()));
server.kill();
rmSync(home, { recursive: true, force: true });
