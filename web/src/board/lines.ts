// Positions of Morpion Solitaire, which are lists of lines: `q21h5` adds the point q21 as the fifth of a horizontal line.

const COLUMNS = 'abcdefghijklmnopqrstuvwxyzABCDEF';
/** From a point of a line to the next, from the left or from below. */
const STEPS: Record<string, readonly [number, number]> = { h: [1, 0], v: [0, 1], u: [1, 1], d: [1, -1] };
const [BETWEEN, NONE] = [';', '-'];

interface Line {
  text: string;
  /** The point that it adds. */
  point: string;
  /** All its points. */
  points: string[];
}

function lineOf(text: string): Line {
  const [, column = '', row = '', way = '', place = ''] = text.match(/^(\w)(\d+)([hvud])(\d)$/) ?? [];
  const [dx, dy] = STEPS[way] ?? [0, 0];
  const at = (i: number) => `${COLUMNS[COLUMNS.indexOf(column) + i * dx]}${Number(row) + i * dy}`;
  return { text, point: column + row, points: [1, 2, 3, 4, 5].map((i) => at(i - Number(place))) };
}

const linesOf = (position: string): Line[] => (position === NONE ? [] : position.split(BETWEEN).map(lineOf));
const written = (lines: readonly string[]): string => lines.join(BETWEEN) || NONE;

/** The position with one more line. */
export const withLine = (position: string, line: string): string => written([...linesOf(position).map(({ text }) => text), line]);

/** The position without a point, its line, and the lines that need them; the same where no line added it. */
export function withoutPoint(position: string, point: string): string {
  const gone = new Set([point]);
  const left = linesOf(position).filter((line) => {
    const stays = line.point !== point && !line.points.some((one) => gone.has(one));
    if (!stays) gone.add(line.point);
    return stays;
  });
  // A point of the cross stays, with all that is drawn through it.
  return linesOf(position).some((line) => line.point === point) ? written(left.map(({ text }) => text)) : position;
}

/** What the point of a cell is called; nothing between points. */
export const pointAt = (cell: number, { cols, row_labels, col_labels }: { cols: number; row_labels: string[]; col_labels: string[] }): string => {
  const [column, row] = [col_labels[cell % cols], row_labels[Math.floor(cell / cols)]];
  return column && row ? column + row : '';
};

/** The position without lines. */
export const CROSS = NONE;
