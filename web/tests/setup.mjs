// A server of its own and a browser for the tests of a file.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { BINARY, BROWSER, FLAGS, ROOT } from './machine.mjs';

const SHOTS = join(ROOT, 'target/screenshots');
const AXE = readFileSync(resolve(import.meta.dirname, '../node_modules/axe-core/axe.min.js'), 'utf8');
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 860 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

let server;
let browser;
let origin;
export let home;

/** Starts the server; again on the port it had. */
export async function startServer() {
  server = spawn(BINARY, ['serve', '--port', origin ? new URL(origin).port : '0', '--no-open'], {
    env: { ...process.env, LUDENS_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((done, fail) => {
    createInterface({ input: server.stdout }).once('line', done);
    server.once('exit', (code) => fail(new Error(`ludens serve ended with ${code}`)));
    server.once('error', fail);
  });
  origin = line.match(/http:\/\/[^ ]+\//)[0];
}

export async function stopServer() {
  const ended = new Promise((done) => server.once('exit', done));
  server.kill();
  await ended;
}

before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  home = mkdtempSync(join(tmpdir(), 'ludens-page-'));
  await startServer();
  browser = await chromium.launch({ executablePath: BROWSER, args: FLAGS });
});

after(async () => {
  await browser?.close();
  server?.kill();
  rmSync(home, { recursive: true, force: true });
});

/** The games whose rules have been seen: they are not shown by themselves. */
const SEEN = ['former', 'samegame', 'morpion', '2048', '2584', 'threes', 'sevn', 'connect-four', 'othello', 'togyzkumalak'];
export const seen = (context) =>
  context.addInitScript((games) => {
    // An empty page has no storage.
    if (location.protocol !== 'about:') localStorage.getItem('ludens-seen') ?? localStorage.setItem('ludens-seen', JSON.stringify(games));
  }, SEEN);

/** A test at every size, with `options` of the browser's context. `body` gets a page that fails the test when anything goes
 * wrong in it, or when it asks anybody but its own server. */
export function onPages(name, body, sizes = Object.keys(SIZES), { firstVisit = false, ...options } = {}) {
  for (const size of sizes) {
    test(`${name} (${size})`, { timeout: 300_000 }, async () => {
      const context = await browser.newContext({ ...SIZES[size], locale: 'en-GB', reducedMotion: 'reduce', ...options });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      if (!firstVisit) await seen(context);
      const page = await context.newPage();
      // Tests share their machine: these limits end what hangs, they measure nothing.
      page.setDefaultTimeout(60_000);
      const faults = [];
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !page.expectsErrors) faults.push(message.text());
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`asked ${url}`);
      });
      try {
        await body(page, size);
        assert.deepEqual(faults, []);
      } catch (error) {
        await page.screenshot({ path: join(SHOTS, `failed-${name.replace(/\W+/g, '-')}-${size}.png`) });
        throw error;
      } finally {
        await context.close();
      }
    });
  }
}

/** Goes to a part of the page, such as `former?date=2025-05-18`. */
export const visit = (page, path = '') => page.goto(`${origin}#/${path}`);

/** Keeps a picture in target/screenshots. */
export const shot = (page, name, options = {}) => page.screenshot({ path: join(SHOTS, `${name}.png`), ...options });

/** The page passes axe as it stands. */
export async function accessible(page) {
  // The page's own policy lets no script in, so axe comes by the debugger.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  assert.deepEqual(told, []);
}

export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const panel = (page, name) => page.getByRole('region', { name, exact: true });
/** Shows the panels of a tab. */
export const tab = (page, name) => page.getByRole('tab', { name, exact: true }).click();
/** Lets an agent or a person sit down. Beside levels, agents are behind a fold. */
export async function seat(page, player, agent) {
  const choice = page.locator('.advanced').getByLabel(`Player ${player}`);
  if (!(await choice.isVisible())) await page.locator('.advanced > summary').click();
  await choice.selectOption(agent);
  // Keys are the board's again.
  await page.evaluate(() => document.activeElement?.blur());
}

/** A hint up to the move. */
export async function hint(page) {
  await button(page, 'Hint').click();
  await page.getByTestId('hint').waitFor();
  await button(page, 'Show the move').click();
}

export const cell = (page, index) => page.locator(`.left [data-cell="${index}"]`);

/** Asks the server, as the page does. */
export async function posted(path, body) {
  const response = await fetch(new URL(path, origin), { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response;
}

/** What the server answers. */
export const asked = async (path, body) => (await posted(path, body)).json();
/** What the server answers to a plain question. */
export async function got(path) {
  const response = await fetch(new URL(path, origin));
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

/** A game's start as the server writes it. */
export const startOf = async (game) => (await asked('/api/position', { game })).position;

/** A link to a position after some moves. */
export const linkTo = (game, p, moves) => `${game}?${new URLSearchParams({ p, m: moves.join(' ') })}`;

/** Waits until no move is under way. */
export const settled = (page) => page.locator('.left .frame:not([aria-busy="true"])').waitFor();

/** Holds back the server's positions from now on, until the function it gives is called. */
export async function holdPositions(page) {
  let release;
  const released = new Promise((done) => (release = done));
  await page.route('**/api/position', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Waits until a locator's text matches. */
export async function sees(locator, pattern) {
  await locator.filter({ hasText: pattern }).first().waitFor();
}
