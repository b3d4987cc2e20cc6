import type { View } from '../lib/types';

/** How far a piece came from: columns and rows, to the right and down. */
export type Fall = [number, number];

/** Where the pieces of a new drawing were before some cells were removed and what
 * was above fell: by cell. Empty when the new drawing is not what falling gives. */
export function falls(before: View, removed: readonly number[], after: View): Map<number, Fall> {
  const { rows, cols } = after;
  const moved = new Map<number, Fall>();
  if (before.rows !== rows || before.cols !== cols) return moved;
  const gone = new Set(removed);
  const columns = Array.from({ length: cols }, (_, col) =>
    Array.from({ length: rows }, (_, i) => (rows - 1 - i) * cols + col).filter(
      (cell) => !gone.has(cell) && before.cells[cell]?.text,
    ),
  );
  for (const standing of [columns, columns.filter((column) => column.length > 0)]) {
    moved.clear();
    let fits = true;
    for (let col = 0; col < cols && fits; col++) {
      for (let up = 0; up < rows && fits; up++) {
        const here = (rows - 1 - up) * cols + col;
        const source = standing[col]?.[up];
        const expected = source === undefined ? '' : before.cells[source]?.text;
        fits = (after.cells[here]?.text ?? '') === expected;
        if (fits && source !== undefined && source !== here) {
          moved.set(here, [(source % cols) - col, Math.floor(source / cols) - (rows - 1 - up)]);
        }
      }
    }
    if (fits) return moved;
  }
  moved.clear();
  return moved;
}
