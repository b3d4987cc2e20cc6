import type { Movement, Spot } from '../lib/types';

/** A piece's way from one place to the next, in milliseconds from the begin. */
export interface Leg {
  from: Spot;
  to: Spot;
  kind: Movement['kind'];
  start: number;
  end: number;
}

/** All that one piece does. */
export interface Track {
  legs: Leg[];
  /** The cell of the old drawing whose piece it is; `null` for one that is new. */
  origin: Spot;
  /** Where it is at the end; `null` for one that is gone then. */
  target: Spot;
}

/** How long a movement takes, and how soon those of the next order may begin. */
const TIMES: Record<Movement['kind'], [number, number]> = {
  slide: [120, 120],
  merge: [120, 110],
  fall: [220, 220],
  turn: [240, 70],
  appear: [150, 50],
  vanish: [150, 60],
  sow: [260, 85],
};

/** No move is shown longer than this. */
const LONGEST = 1500;

/** The movements by their order. */
function inOrder(motion: readonly Movement[]): Movement[][] {
  const groups = new Map<number, Movement[]>();
  for (const movement of motion) {
    const group = groups.get(movement.order);
    if (group) group.push(movement);
    else groups.set(movement.order, [movement]);
  }
  return [...groups].sort(([one], [two]) => one - two).map(([, group]) => group);
}

/** The tracks of all pieces that a list of movements names. */
export function tracksOf(motion: readonly Movement[]): Track[] {
  const tracks: Track[] = [];
  /** The pieces that have come to a place, the last one last. */
  const there = new Map<Spot, Track[]>();
  /** When the last piece has come to a place. */
  const arrived = new Map<Spot, number>();
  let begin = 0;
  for (const now of inOrder(motion)) {
    const merged = now.filter(({ kind }) => kind === 'merge');
    const split = repeated(merged.map(({ from }) => from));
    const joined = repeated(merged.map(({ to }) => to));
    const came: [Spot, Track][] = [];
    for (const { from, to, kind } of now) {
      const splits = kind === 'merge' && split.has(from);
      const old = from === null || splits ? undefined : there.get(from)?.pop();
      const track: Track = old ?? { legs: [], origin: splits ? null : from, target: null };
      if (!old) tracks.push(track);
      const start = Math.max(begin, track.legs.at(-1)?.end ?? 0, kind === 'sow' ? (arrived.get(from) ?? 0) : 0);
      track.legs.push({ from, to, kind, start, end: start + TIMES[kind][0] });
      came.push([to, track]);
    }
    // What was split is gone, and what turns is another piece then: both are seen going.
    for (const cell of split) tracks.push(ended(cell, begin, 'merge'));
    for (const { from, kind } of now) if (kind === 'turn') tracks.push(ended(from, begin, kind));
    for (const [to, track] of came) {
      const end = track.legs.at(-1)?.end ?? begin;
      arrived.set(to, Math.max(arrived.get(to) ?? 0, end));
      track.target = joined.has(to) ? null : to;
      if (track.target === null) continue;
      const others = there.get(to);
      if (others) others.push(track);
      else there.set(to, [track]);
    }
    for (const to of joined) {
      const start = arrived.get(to) ?? begin;
      const made: Track = { legs: [{ from: null, to, kind: 'merge', start, end: start + TIMES.merge[0] }], origin: null, target: to };
      tracks.push(made);
      there.set(to, [made]);
    }
    begin += Math.max(...now.map(({ kind }) => TIMES[kind][1]));
  }
  return shortened(tracks);
}

/** What occurs more than once. */
const repeated = (spots: readonly Spot[]): Set<Spot> => new Set(spots.filter((spot, i) => spots.indexOf(spot) !== i));

const ended = (cell: Spot, start: number, kind: Movement['kind']): Track => ({
  legs: [{ from: cell, to: null, kind, start, end: start + TIMES[kind][0] }],
  origin: cell,
  target: null,
});

/** When the last piece has come to rest. */
export const endOf = (tracks: readonly Track[]): number => Math.max(0, ...tracks.flatMap(({ legs }) => legs.map(({ end }) => end)));

function shortened(tracks: Track[]): Track[] {
  const end = endOf(tracks);
  if (end <= LONGEST) return tracks;
  const scale = LONGEST / end;
  const shorter = (leg: Leg): Leg => ({ ...leg, start: leg.start * scale, end: leg.end * scale });
  return tracks.map((track) => ({ ...track, legs: track.legs.map(shorter) }));
}
