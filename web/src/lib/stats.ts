// What all finished games come to: counted when a game ends, so that games that are kept no longer count too.

import type { KeptGame } from './history';
import { read, update } from './storage';

/** Won, drawn, lost. */
export type Tally = [number, number, number];

export interface Statistics {
  /** Games that were one's own: without help. */
  played: number;
  helped: number;
  /** By opponent. */
  against: Record<string, Tally>;
  /** Points, or moves where few are wanted. */
  best: number | null;
  sum: number;
  /** How many have a figure. */
  figures: number;
  /** Whether few moves are wanted. */
  fewest: boolean;
}

const KEY = 'ludens-statistics';

export const statistics = (): Record<string, Statistics> => read<Record<string, Statistics>>(KEY, {});

const NONE: Statistics = { played: 0, helped: 0, against: {}, best: null, sum: 0, figures: 0, fewest: false };
const PLACES = { won: 0, drawn: 1, lost: 2 };

/** Counts a game that has come to its end. `figure` is what it came to in games for one. */
export function count(game: KeptGame, figure: number | null, fewest: boolean): void {
  update<Record<string, Statistics>>(KEY, {}, (all) => ({ ...all, [game.game]: counted(all[game.game] ?? NONE, game, figure, fewest) }));
}

function counted(old: Statistics, game: KeptGame, figure: number | null, fewest: boolean): Statistics {
  if (game.helped) return { ...old, fewest, helped: old.helped + 1 };
  const next = { ...old, fewest, played: old.played + 1 };
  if (figure !== null) {
    next.best = old.best === null ? figure : fewest ? Math.min(old.best, figure) : Math.max(old.best, figure);
    next.sum += figure;
    next.figures += 1;
  }
  const opponent = game.seats?.find((seat) => seat !== 'human');
  if (game.outcome && opponent) {
    const place = PLACES[game.outcome];
    const tally = (old.against[opponent] ?? [0, 0, 0]).map((n, i) => (i === place ? n + 1 : n)) as Tally;
    next.against = { ...old.against, [opponent]: tally };
  }
  return next;
}
