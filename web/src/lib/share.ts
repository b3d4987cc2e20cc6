import type { Match } from './match.svelte';
import type { Place } from './types';

/** Longer games are shared by their position alone. */
const MOST_MOVES = 400;

/** The parameters of a link to a game: where it began and what was played. */
export function linkOf(match: Match, date: string | null): Record<string, string> {
  const steps = match.played;
  if (steps.length > MOST_MOVES) return { p: match.sheet?.position ?? match.start };
  const from: Record<string, string> = date ? { date } : { p: match.start };
  if (steps.length === 0) return from;
  // Moves and outcomes have no blanks.
  const moves = steps.map(({ action, chance }) => (chance === null ? action : `${action}~${chance}`));
  return { ...from, m: moves.join(' ') };
}

/** The place a link leads to; `null` when it names none. */
export function placeOf(game: string, params: URLSearchParams): Place | null {
  const [position, date, moves] = [params.get('p'), params.get('date'), params.get('m')];
  if (position === null && date === null) return null;
  const place: Place = position !== null ? { game, position } : { game, date: date ?? '' };
  if (moves) {
    place.moves = moves.split(' ').map((text) => {
      const [action = '', chance] = text.split('~', 2);
      return chance === undefined ? action : { action, chance };
    });
  }
  return place;
}
