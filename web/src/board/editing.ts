import type { Cell, Sheet, View } from '../lib/types';
import { nameOf } from './skin';

/** A position taken apart: what lies in each cell, and what its text has besides the board. */
export interface Parts {
  cells: string[];
  rest: string;
}

/** How a game writes its positions. */
interface Format {
  split: (sheet: Sheet) => Parts;
  join: (parts: Parts, view: View) => string;
  /** What a cell may hold, the empty one first. */
  pieces: (sheet: Sheet) => string[];
  /** How it is drawn. */
  look: (piece: string, sheet: Sheet) => Cell;
}

const chunks = (cells: readonly string[], size: number): string[][] =>
  Array.from({ length: cells.length / size }, (_, i) => cells.slice(i * size, (i + 1) * size));
const plain = (text: string): Cell => ({ text, ink: 'plain' });

/** One character per cell; how each looks is learnt from the board. */
const SHAPES: Format = {
  split: ({ position }) => ({ cells: [...position], rest: '' }),
  join: ({ cells }) => cells.join(''),
  pieces: ({ position }) => ['.', ...[...new Set(position)].filter((char) => char !== '.').sort()],
  look: (piece, { position, view }) => view.cells[position.indexOf(piece)] ?? plain(piece === '.' ? '' : piece),
};

/** Rows of numbers, and what follows after a blank. */
const tiles = (series: readonly number[]): Format => ({
  split: ({ position }) => {
    const [board = '', ...rest] = position.split(' ');
    return { cells: board.split(/[/,]/), rest: rest.join(' ') };
  },
  join: ({ cells, rest }, { cols }) => [chunks(cells, cols).map((row) => row.join(',')).join('/'), rest].filter(Boolean).join(' '),
  pieces: () => ['0', ...series.map(String)],
  look: (piece) => plain(piece === '0' ? '' : piece),
});

/** Stones of two players as X and O. */
const stones = (split: Format['split'], join: Format['join']): Format => ({
  split,
  join,
  pieces: () => ['.', 'X', 'O'],
  look: (piece) => (piece === '.' ? plain('') : { text: piece, ink: piece === 'X' ? 'red' : 'yellow' }),
});

const SEVN: Format = {
  split: ({ position, view }) => ({
    cells: view.cells.map(({ text }) => text.toLowerCase() || '1'),
    rest: position.split('/').slice(0, 2).join('/'),
  }),
  join: ({ cells, rest }, { cols }) => `${rest}/${chunks(cells, cols).map((row) => row.join('')).join('.')}`,
  pieces: ({ view }) => ['1', ...Array.from({ length: view.cols }, (_, i) => String.fromCharCode(97 + i))],
  look: (piece) => (piece === '1' ? plain('') : { text: piece.toUpperCase(), ink: INKS[piece.charCodeAt(0) - 97] ?? 'plain' }),
};
const INKS = ['red', 'blue', 'green', 'orange', 'purple', 'cyan', 'yellow', 'pink', 'brown', 'grey', 'strong'];

/** The pits of player one run to the right below, those of player two to the left above. */
const PITS: Format = {
  split: ({ position, view }) => ({
    cells: view.cells.map(({ text }) => (text === 'T' ? '0' : text)),
    rest: position.split('/').slice(2).join('/'),
  }),
  join: ({ cells, rest }) => `${cells.slice(9).join(',')}/${cells.slice(0, 9).reverse().join(',')}/${rest}`,
  pieces: () => Array.from({ length: 21 }, (_, i) => `${i}`),
  look: plain,
};

const powers = Array.from({ length: 13 }, (_, i) => 2 ** (i + 1));
const fibonacci = Array.from({ length: 15 }).reduce<number[]>((all) => [...all, (all.at(-1) ?? 0) + (all.at(-2) ?? 0)], [1, 2]);
const threes = [1, 2, ...Array.from({ length: 10 }, (_, i) => 3 * 2 ** i)];

const FORMATS: Record<string, Format> = {
  former: SHAPES,
  samegame: SHAPES,
  '2048': tiles(powers),
  '2584': tiles(fibonacci),
  threes: tiles(threes),
  sevn: SEVN,
  'connect-four': stones(
    ({ position }) => ({ cells: [...position.replaceAll('/', '')], rest: '' }),
    ({ cells }, { cols }) => chunks(cells, cols).map((row) => row.join('')).join('/'),
  ),
  othello: stones(
    ({ position }) => ({ cells: [...position.slice(0, 64)], rest: position.slice(64).trim() }),
    ({ cells, rest }) => `${cells.join('')} ${rest}`,
  ),
  togyzkumalak: PITS,
};

/** A part of what a position has besides its board. */
export interface Field {
  name: string;
  value: string;
  /** What it may be; anything where there is no list. */
  choices: readonly string[] | null;
}

/** Names and choices of such parts in their order, and what stands between them. */
interface Rest {
  fields: readonly (readonly [string, readonly string[] | null])[];
  between: readonly string[];
}

const PITS_OR_NONE = ['-', ...Array.from({ length: 9 }, (_, i) => `${i + 1}`)];
const RESTS: Record<string, Rest> = {
  othello: { fields: [['to_move', ['X', 'O']]], between: [] },
  sevn: { fields: [['to_move', ['1', '2']], ['scores', null]], between: ['/'] },
  threes: { fields: [['hint', null], ['bag 1', null], ['bag 2', null], ['bag 3', null]], between: [' ', '.', '.'] },
  togyzkumalak: {
    fields: [['store_1', null], ['store_2', null], ['tuzdyk_1', PITS_OR_NONE], ['tuzdyk_2', PITS_OR_NONE], ['to_move', ['1', '2']]],
    between: [',', '/', ',', '/'],
  },
};

/** The parts of what a position has besides its board; `null` where they are not known. */
export function fieldsOf(spec: string, rest: string): Field[] | null {
  const known = RESTS[nameOf(spec)];
  if (!known) return null;
  const values: string[] = [];
  let left = rest;
  for (const sign of known.between) {
    const at = left.indexOf(sign);
    if (at < 0) return null;
    values.push(left.slice(0, at));
    left = left.slice(at + sign.length);
  }
  values.push(left);
  const fits = ([, choices]: Rest['fields'][number], i: number) => choices === null || choices.includes(values[i] ?? '');
  return known.fields.every(fits) ? known.fields.map(([name, choices], i) => ({ name, value: values[i] ?? '', choices })) : null;
}

/** Such parts as the position has them. */
export const restOf = (spec: string, fields: readonly Field[]): string =>
  fields.map(({ value }, i) => `${i === 0 ? '' : (RESTS[nameOf(spec)]?.between[i - 1] ?? '')}${value.trim()}`).join('');

/** How the cells of a game's positions are edited; nothing where a position is no list of cells. */
export const formatOf = (spec: string): Format | undefined => FORMATS[nameOf(spec)];

/** What an editor of a game changes: its cells, or its lines; nothing where there is no editor. */
export const edited = (spec: string): 'cells' | 'lines' | undefined =>
  formatOf(spec) ? 'cells' : nameOf(spec) === 'morpion' ? 'lines' : undefined;
