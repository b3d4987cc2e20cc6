import type { Spot, View } from '../../lib/types';
import type { Point } from '../animate';

/** The balls of a pit or of a store. */
export function ballsIn(view: View, place: Spot): number {
  const text = typeof place === 'number' ? view.cells[place]?.text : view.facts.find(({ name }) => name === place)?.value;
  return Number(text) || 0;
}

/** Where the ball of a number lies: in threes in a pit, in two rows in a kazan. Balls beyond the
 * room there is lie on others; the figure tells how many there are. */
export function slotIn(place: Spot, i: number, [x, y]: Point): Point {
  if (typeof place !== 'number') return [x + 26 + (Math.floor(i / 2) % 41) * 20, y + 24 + (i % 2) * 26];
  const slot = i % 24;
  return [x + 29 + (slot % 3) * 21, y + 36 + Math.floor(slot / 3) * 15];
}
