import type { Match } from './match.svelte';
import type { Place, Step } from './types';

/** Links with more moves are too long for some programs: they have the position alone. */
const MOST_MOVES = 400;
/** Where this tab keeps the whole of such a game. */
const LONG = 'ludens-long-game';

/** Moves with nature's outcomes as one text: neither has blanks. */
export const movesText = (steps: readonly Step[]): string =>
  steps.map(({ action, chance }) => (chance === null ? action : `${action}~${chance}`)).join(' ');

/** The moves of such a text. */
export const movesOf = (text: string): NonNullable<Place['moves']> =>
  text.split(' ').filter(Boolean).map((move) => {
    const [action = '', chance] = move.split('~', 2);
    return chance === undefined ? action : { action, chance };
  });

/** The parameters of a link to a game: where it began and what was played. */
export function linkOf(match: Match, date: string | null): Record<string, string> {
  const steps = match.played;
  if (steps.length > MOST_MOVES) return { p: match.sheet?.position ?? match.start, long: `${match.seed}` };
  const from: Record<string, string> = date ? { date } : { p: match.start };
  return steps.length === 0 ? from : { ...from, m: movesText(steps) };
}

/** Keeps a game that is too long for its link, so that reloading comes back to it. */
export function keepLong(match: Match): void {
  if (match.played.length <= MOST_MOVES) return;
  try {
    sessionStorage.setItem(LONG, JSON.stringify({ ...match.place(), seed: match.seed }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** The game that was kept, if it is the one of a link. */
function longGame(game: string, seed: string | null): Place | null {
  if (seed === null) return null;
  try {
    const place: Place | null = JSON.parse(sessionStorage.getItem(LONG) ?? 'null');
    return place?.game === game && `${place.seed}` === seed ? place : null;
  } catch {
    return null;
  }
}

/** The place a link leads to; `null` when it names none. */
export function placeOf(game: string, params: URLSearchParams): Place | null {
  const [position, date, moves] = [params.get('p'), params.get('date'), params.get('m')];
  const puzzle = params.get('puzzle');
  if (puzzle !== null) return { game, puzzle };
  if (position === null && date === null) return null;
  const long = longGame(game, params.get('long'));
  if (long) return long;
  const place: Place = position !== null ? { game, position } : { game, date: date ?? '' };
  return moves ? { ...place, moves: movesOf(moves) } : place;
}
