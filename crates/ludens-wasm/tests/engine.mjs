// The engine as a Node program uses it: `node engine.mjs ludens_wasm.wasm`. Solves a board of Former
// with its proof and lets every agent of every game play one move.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const file = process.env.LUDENS_WASM;
assert.ok(file, 'LUDENS_WASM names the module');
const clock = { now_ms: () => performance.now(), unix_ms: () => Date.now() };
const { instance } = await WebAssembly.instantiate(readFileSync(file), { ludens: clock });
const { memory, ludens_alloc, ludens_call, ludens_free } = instance.exports;

function call(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = ludens_alloc(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const packed = ludens_call(at, bytes.length);
  const [start, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
  const reply = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, start, length)));
  ludens_free(start, length);
  return reply;
}

const { games } = call({ call: 'games' });
const specs = games.map(({ name, form }) => (form ? `${name}:${form}` : name));

test('solves a board of Former and proves it', () => {
  const board = { call: 'analyze', game: 'former', date: '2025-05-18', solver: 'portfolio' };
  const found = call({ ...board, nodes: 200_000 });
  assert.equal(found.length, found.moves.length, JSON.stringify(found));
  assert.ok(found.finished && found.length <= 13, JSON.stringify(found));
  const small = { call: 'analyze', game: 'former:rows=4,cols=4,shapes=3', random: 1, prove: true };
  assert.equal(call(small).proven, true);
});

for (const game of specs) {
  test(`every agent of ${game} plays a move`, () => {
    const at = { game, random: 1, plies: 4 };
    const { agents } = call({ call: 'agents', ...at });
    assert.ok(agents.length >= 2, JSON.stringify(agents));
    const { actions } = call({ call: 'position', ...at });
    const legal = actions.map(({ text }) => text);
    for (const agent of agents) {
      const reply = call({ call: 'analyze', ...at, agent, nodes: 50 });
      const best = Array.isArray(reply.best) ? reply.best.join(',') : reply.best;
      assert.ok(legal.includes(best), `${game} ${agent}: ${JSON.stringify(reply)}`);
    }
  });
}

test('bad calls are answered', () => {
  for (const request of [{}, { call: 'x' }, { call: 'analyze', game: 'chess' }, { call: 'analyze', solver: 'beam:eval=/etc/passwd' }]) {
    assert.equal(typeof call(request).error, 'string');
  }
});
