import { settings } from './settings.svelte';
import type { Movement } from './types';

/** The last movement begins with this number. */
const lastOf = (motion: readonly Movement[]): number => Math.max(-1, ...motion.map(({ order }) => order));

/** The movements that take a move back. */
export function reversed(motion: readonly Movement[]): Movement[] {
  const last = lastOf(motion);
  const back = (kind: Movement['kind']) => (kind === 'appear' ? 'vanish' : kind === 'vanish' ? 'appear' : kind);
  return motion.map(({ from, to, order, kind }) => ({ from: to, to: from, order: last - order, kind: back(kind) }));
}

/** The movements of several moves, one after another. */
export function inTurn(motions: readonly Movement[][]): Movement[] {
  let first = 0;
  return motions.flatMap((motion) => {
    const later = motion.map((movement) => ({ ...movement, order: movement.order + first }));
    first = lastOf(later) + 1 || first;
    return later;
  });
}

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Whether pieces may be shown moving. */
export const mayMove = (): boolean => !settings.reducedMotion && !still.matches;

/** Resolved when no piece moves. */
export const moving = { done: Promise.resolve() as Promise<unknown> };
