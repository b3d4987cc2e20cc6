// Where the program and the browser are, and how the browser is started.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const BINARY = process.env.LUDENS_BINARY ?? join(ROOT, 'target/debug/ludens');
const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
export const BROWSER = process.env.LUDENS_BROWSER ?? BROWSERS.find((path) => existsSync(path));
// No sandbox: tests may run as root. Nothing of the browser's own goes to the network.
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
