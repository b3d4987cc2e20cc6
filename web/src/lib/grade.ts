// How good the moves of a game were. Pure functions: no page, no server.

export type Grade = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'forced';

/** What losses are counted in: moves of a puzzle, points, or parts of a win. */
export type Scale = 'moves' | 'points' | 'win';

/** What a reviewer says of a position of the game. */
export interface Seen {
  /** The value of what is to come: to player 1 where somebody wins, -1 to 1; rewards elsewhere. */
  value: number | null;
  /** No play is worth more, where that is known. */
  bound: number | null;
  proven: boolean;
  best: string | null;
  /** Values of single moves to the mover, where the reviewer gives them. */
  values: ReadonlyMap<string, number>;
  /** How many moves there were, where the reviewer lists them. */
  choices: number | null;
}

/** A move as it was played. */
export interface Move {
  player: number;
  action: string;
  reward: number;
  chance: boolean;
}

/** What the reviewer says of a move. */
export interface Graded {
  ply: number;
  player: number;
  action: string;
  grade: Grade;
  /** What it lost, on the scale of the game; `null` where that is unknown. */
  lost: number | null;
  /** Whether the loss is proven. */
  proven: boolean;
  /** The better move, where there is one. */
  better: string | null;
  /** 0 to 100; `null` for forced moves. */
  accuracy: number | null;
  /** What nature added to what could be expected, where it had a part. */
  luck: number | null;
}

/** Losses from which a move is an inaccuracy, a mistake, a blunder: moves; percent of the points
 * to come; percent of a win. */
const LIMITS: Record<Scale, readonly [number, number, number]> = {
  moves: [1, 2, 3],
  points: [2, 5, 10],
  win: [5, 10, 15],
};
/** A move more in a puzzle counts for accuracy as much as this many percent of a win. */
const PERCENT_OF_A_MOVE = 15;
/** How fast accuracy falls with each percent lost. */
const FALL = 0.045;

/** The values of a game's positions as its own moves show them: a position is worth at least what was
 * made of it, and at most what its moves left. One value for each position, the end's too. */
export function settled(seen: readonly Seen[], moves: readonly Move[], scale: Scale): (number | null)[] {
  const values = seen.map(({ value }) => value);
  const at = (ply: number): number | null => values[ply] ?? null;
  if (moves.some(({ chance }) => chance)) return values;
  if (scale !== 'win') {
    // What a found line promises holds after its first move too.
    moves.forEach(({ action, reward }, ply) => {
      const [here, next] = [at(ply), at(ply + 1)];
      if (here !== null && seen[ply]?.best === action) values[ply + 1] = Math.max(next ?? -Infinity, here - reward);
    });
  }
  for (let ply = moves.length - 1; ply >= 0; ply--) {
    const [move, here, next] = [moves[ply], at(ply), at(ply + 1)];
    if (!move || next === null) continue;
    const reached = scale === 'win' ? next : move.reward + next;
    if (here === null) values[ply] = reached;
    else values[ply] = scale === 'win' && move.player === 2 ? Math.min(here, reached) : Math.max(here, reached);
  }
  return values;
}

/** What every move was worth. `seen` has one entry more than there are moves. */
export function graded(seen: readonly Seen[], moves: readonly Move[], scale: Scale): Graded[] {
  const values = settled(seen, moves, scale);
  const bounds = tightened(seen, moves, scale);
  const exact = (ply: number): boolean =>
    scale === 'win' ? (seen[ply]?.proven ?? false) : values[ply] !== null && values[ply] === bounds[ply];
  return moves.map((move, ply) => {
    const here = seen[ply];
    const forced = here?.choices === 1;
    const followed = here?.best === move.action;
    const lost = forced || followed ? 0 : loss(move, here, values[ply] ?? null, values[ply + 1] ?? null, scale);
    const percent = lost === null ? null : share(lost, values[ply] ?? null, scale);
    return {
      ply: ply + 1,
      player: move.player,
      action: move.action,
      grade: forced ? 'forced' : grade(lost, percent, scale),
      lost,
      proven: exact(ply) && exact(ply + 1),
      better: lost !== null && lost > 0 && !followed ? (here?.best ?? null) : null,
      accuracy: forced || percent === null ? null : accuracyOf(percent, lost ?? 0, scale),
      luck: move.chance ? luck(move, here, values[ply + 1] ?? null) : null,
    };
  });
}

/** The accuracy of a player: the mean over moves that left a choice; `null` where there was none. */
export function accuracy(moves: readonly Graded[], player: number): number | null {
  const own = moves.flatMap((move) => (move.player === player && move.accuracy !== null ? [move.accuracy] : []));
  return own.length === 0 ? null : own.reduce((sum, one) => sum + one, 0) / own.length;
}

/** No position is worth more than the one before it left. */
function tightened(seen: readonly Seen[], moves: readonly Move[], scale: Scale): (number | null)[] {
  const bounds = seen.map(({ bound }) => bound);
  if (scale === 'win' || moves.some(({ chance }) => chance)) return bounds;
  moves.forEach(({ reward }, ply) => {
    const before = bounds[ply] ?? null;
    if (before !== null) bounds[ply + 1] = Math.min(bounds[ply + 1] ?? Infinity, before - reward);
  });
  return bounds;
}

function loss(move: Move, seen: Seen | undefined, before: number | null, after: number | null, scale: Scale): number | null {
  // From the same position by the same search, where it has values of both moves.
  const played = seen?.values.get(move.action);
  if (played !== undefined && seen) {
    const most = Math.max(...seen.values.values());
    return Math.max(0, scale === 'win' ? 50 * (most - played) : most - played);
  }
  if (move.chance || before === null || after === null) return null;
  if (scale !== 'win') return Math.max(0, before - move.reward - after);
  return Math.max(0, 50 * (move.player === 2 ? after - before : before - after));
}

/** A loss in percent: of a win, or of the points to come. */
function share(lost: number, before: number | null, scale: Scale): number {
  if (scale !== 'points') return lost;
  return before === null || before <= 0 ? (lost > 0 ? 100 : 0) : Math.min(100, (100 * lost) / before);
}

function grade(lost: number | null, percent: number | null, scale: Scale): Grade {
  if (lost === null || percent === null) return 'good';
  const [inaccuracy, mistake, blunder] = LIMITS[scale];
  if (percent >= blunder) return 'blunder';
  if (percent >= mistake) return 'mistake';
  if (percent >= inaccuracy) return 'inaccuracy';
  return lost === 0 ? 'best' : 'good';
}

function accuracyOf(percent: number, lost: number, scale: Scale): number {
  return 100 * Math.exp(-FALL * (scale === 'moves' ? PERCENT_OF_A_MOVE * lost : percent));
}

/** What came after nature's choice, less what the move promised. */
function luck(move: Move, seen: Seen | undefined, after: number | null): number | null {
  const promised = seen?.values.get(move.action);
  return promised === undefined || after === null ? null : move.reward + after - promised;
}
