// Games under way, as the browser keeps them: the newest of each game.

import { keys, read, remove, write } from './storage';

/** A game with all that is needed to go on with it. */
export interface SavedGame {
  /** Tells it from others: the seed of its luck. */
  seed: number;
  game: string;
  /** The position it began with, and the moves of a link. */
  start: string;
  moves: string;
  /** How many of them are on the board. */
  cursor: number;
  date: string | null;
  seats: string[];
  /** Who sat there at the first move. */
  began: string[];
  names: string[];
  together: boolean;
  /** Whether a search has helped, or moves were not made here. */
  helped: boolean;
  /** Whether it began with a start of its game, not with a chosen position. */
  whole: boolean;
  score: number;
  when: number;
}

const PREFIX = 'ludens-saved:';
/** Games, and letters of moves of one, at most. */
const MOST = 24;
const LONGEST = 400_000;

/** The game of a name and variant that was left unfinished. */
export const savedGame = (game: string): SavedGame | null => read<SavedGame | null>(PREFIX + game, null);

/** All of them, the newest first. */
export function savedGames(): SavedGame[] {
  const all = keys(PREFIX).flatMap((key) => read<SavedGame | null>(key, null) ?? []);
  return all.sort((a, b) => b.when - a.when);
}

/** Keeps a game in place of the one before it; the oldest of too many goes. */
export function save(game: SavedGame): void {
  if (game.moves.length > LONGEST) return;
  for (const old of savedGames().slice(MOST)) remove(PREFIX + old.game);
  while (!write(PREFIX + game.game, game)) {
    const oldest = savedGames().at(-1);
    if (!oldest || oldest.game === game.game) return;
    remove(PREFIX + oldest.game);
  }
}

/** Forgets a game, unless another tab has begun another one since. */
export function forget(game: string, seed: number): void {
  if (savedGame(game)?.seed === seed) remove(PREFIX + game);
}
