import type { Spot, View } from '../lib/types';
import type { Point } from './animate';
import { cellSize, type Skin } from './skin';
import type { Leg } from './tracks';

/** Labels of boards with many cells are larger, to be read all the same. */
const SMALLEST_LABEL = 24;
const LABEL_SHARE = 0.021;

/** Whether the rows and the columns of a drawing have labels. */
export const labelled = (view: View): [boolean, boolean] => [view.row_labels.some(Boolean), view.col_labels.some(Boolean)];

/** Where the cells of a drawing are, in its units. */
export class Geometry {
  readonly cell: [number, number];
  readonly labelSize: number;
  readonly left: number;
  readonly below: number;
  readonly width: number;
  readonly height: number;

  constructor(
    readonly rows: number,
    readonly cols: number,
    /** Whether rows and columns have labels. */
    labelled: readonly [boolean, boolean],
    skin: Skin,
    /** Room between rows, for what a game has there. */
    readonly gap = 0,
  ) {
    this.cell = cellSize(skin);
    this.labelSize = Math.max(SMALLEST_LABEL, LABEL_SHARE * cols * this.cell[0]);
    const margin = 1.85 * this.labelSize;
    this.left = labelled[0] ? margin : 0;
    this.below = labelled[1] ? margin : 0;
    this.width = this.left + cols * this.cell[0];
    this.height = this.boardHeight + this.below;
  }

  static of(view: View, skin: Skin, gap = 0): Geometry {
    return new Geometry(view.rows, view.cols, labelled(view), skin, gap);
  }

  get boardHeight(): number {
    return this.rows * (this.cell[1] + this.gap) - this.gap;
  }

  /** The corner of a cell. */
  at(cell: number): Point {
    return [this.left + (cell % this.cols) * this.cell[0], Math.floor(cell / this.cols) * (this.cell[1] + this.gap)];
  }

  /** Where a piece is at an end of a leg. What is off the board is above it, if it falls. */
  place = (spot: Spot, leg: Leg): Point => {
    if (typeof spot === 'number') return this.at(spot);
    const other = leg.from === null ? leg.to : leg.from;
    const [x, y] = typeof other === 'number' ? this.at(other) : [0, 0];
    return leg.kind === 'fall' ? [x, -this.cell[1]] : [x, y];
  };
}
