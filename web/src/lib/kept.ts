// The best figures found and who plays, as the browser keeps them.
import type { Game } from './types';

import { read, update } from './storage';

/** A person's seat. */
export const HUMAN = 'human';
const SEATS = 'ludens-seats';
const BEST = 'ludens-best';

/** The level that a newcomer meets: strong enough to be a game, weak enough to be beaten. */
const FIRST_LEVEL = 2;

/** Who plays a game when nobody has chosen: as last time, else a person against a level, or what the server names. */
export function seatsFor({ spec, opponent, levels, agents }: Game): string[] {
  const kept = read<Record<string, string[]>>(SEATS, {})[spec];
  const known = (seat: string) => agents.some(({ name, unusable }) => name === seat.split(':')[0] && unusable === null);
  return kept?.length === 2 && kept.every(known) ? kept : [HUMAN, levels[FIRST_LEVEL - 1]?.agent ?? opponent ?? HUMAN];
}

export const keepSeats = (spec: string, seats: string[]): void => update<Record<string, string[]>>(SEATS, {}, (all) => ({ ...all, [spec]: seats }));

/** The best figure found for a board, if there is one. */
export const bestFor = (board: string): number | null => read<Record<string, number>>(BEST, {})[board] ?? null;

/** Keeps a figure if it is better than the one known. */
export function keepBest(board: string, figure: number, fewer: boolean): void {
  update<Record<string, number>>(BEST, {}, (all) => {
    const known = all[board];
    const better = known === undefined || (fewer ? figure < known : figure > known);
    return better ? { ...all, [board]: figure } : all;
  });
}
