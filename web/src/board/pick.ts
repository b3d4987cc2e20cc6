import type { Legal } from '../lib/types';

/** The cells picked after another one was pointed at, in games whose moves take several: a cell that
 * does not go with the others begins anew, one that no move takes changes nothing. */
export function pick(actions: readonly Legal[], picked: readonly number[], cell: number): number[] {
  const possible = (cells: number[]) => actions.some((action) => cells.every((one) => action.cells.includes(one)));
  const next = picked.includes(cell) ? picked.filter((other) => other !== cell) : [...picked, cell];
  return possible(next) ? next : possible([cell]) ? [cell] : [...picked];
}

/** The move that takes exactly the cells picked. */
export const takenBy = (actions: readonly Legal[], picked: readonly number[]): Legal | undefined =>
  actions.find(({ cells }) => cells.length === picked.length && cells.every((cell) => picked.includes(cell)));
