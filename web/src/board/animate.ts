import type { Spot } from '../lib/types';
import { endOf, type Leg, type Track } from './tracks';

export type Point = [number, number];

/** Elements that move, each by a track; they lie at a point. */
export type Moved = [Element | null | undefined, Track, Point];

/** Where a piece is at an end of a leg. */
type Placing = (spot: Spot, leg: Leg) => Point;

const FALLING = 'cubic-bezier(0.45, 0, 0.8, 0.6)';
const GENTLE = 'cubic-bezier(0.3, 0, 0.2, 1)';

/** What a piece looks like on its way: where it is, how large, how much of it is seen. */
interface Look {
  at: Point;
  scale: Point;
  opacity: number;
}

/** What is seen at the begin and at the end of a leg. */
function looks({ from, to, kind }: Leg, at: Point, next: Point): [Look, Look] {
  const whole: Look = { at, scale: [1, 1], opacity: 1 };
  const there = { ...whole, at: next };
  const [small, thin]: [Look, Look] = [{ ...whole, scale: [0.6, 0.6], opacity: 0 }, { ...whole, scale: [0, 1] }];
  if (kind === 'merge' && from === null) return [{ ...whole, scale: [1.14, 1.14] }, whole];
  if (kind === 'merge' && to === null) return [whole, { ...whole, opacity: 0 }];
  if (kind === 'turn') return to === null ? [whole, thin] : [thin, whole];
  if (kind === 'fall' && to === null) return [whole, { ...there, opacity: 0 }];
  if (from === null && kind !== 'fall') return [{ ...small, at: next }, there];
  if (to === null) return [whole, small];
  return [whole, there];
}

const transform = ({ at, scale }: Look): string => `translate(${at[0]}px, ${at[1]}px) scale(${scale[0]}, ${scale[1]})`;

const frame = (look: Look, offset: number, easing: string): Keyframe => ({ transform: transform(look), opacity: look.opacity, offset, easing });

/** When a leg is seen: of the two sides of a piece the old one first, then the new one. */
function seen({ kind, to, start, end }: Leg): [number, number] {
  const middle = (start + end) / 2;
  if (kind !== 'turn') return [start, end];
  return to === null ? [start, middle] : [middle, end];
}

/** The keyframes of a track, for an element that lies at `home`. A piece that is to come is not seen
 * before its first leg, one that is gone not after its last. */
export function keyframes(track: Track, home: Point, place: Placing, end: number): Keyframe[] {
  const { legs, origin, target } = track;
  const relative = (spot: Spot, leg: Leg): Point => {
    const [x, y] = place(spot, leg);
    return [x - home[0], y - home[1]];
  };
  const frames = legs.flatMap((leg) => {
    const [start, stop] = seen(leg);
    const home: Point | null = leg === legs.at(-1) && target !== null ? [0, 0] : null;
    const [from, to] = looks(leg, relative(leg.from, leg), home ?? relative(leg.to, leg));
    return [frame(from, start / end, leg.kind === 'fall' ? FALLING : GENTLE), frame(to, stop / end, 'linear')];
  });
  const [first, last] = [frames[0], frames.at(-1)];
  if (!first || !last) return [];
  const comes = target !== null && (legs[0]?.kind === 'turn' || (origin === null && legs[0]?.kind !== 'fall'));
  frames.unshift({ ...first, offset: 0, easing: 'steps(1, end)', ...(comes && first.offset ? { opacity: 0 } : {}) });
  if (target === null) frames.push({ ...last, opacity: 0 });
  frames.push({ ...(frames.at(-1) as Keyframe), offset: 1 });
  return frames;
}

/** Begins to move one element. Most pieces go one straight way: that needs two frames. */
function begin(element: Element, track: Track, home: Point, place: Placing, end: number): Animation {
  const { legs, origin, target } = track;
  const [leg] = legs;
  if (!leg || legs.length > 1 || origin === null || target === null || leg.kind === 'turn') {
    return element.animate(keyframes(track, home, place, end), { duration: end, fill: 'both' });
  }
  const [x, y] = place(leg.from, leg);
  const frames = [{ transform: `translate(${x - home[0]}px, ${y - home[1]}px)` }, { transform: 'none' }];
  const easing = leg.kind === 'fall' ? FALLING : GENTLE;
  return element.animate(frames, { delay: leg.start, duration: leg.end - leg.start, fill: 'backwards', easing });
}

/** Moves elements. Only their `transform` and `opacity` change. */
export class Stage {
  private running: Animation[] = [];

  /** Ends what is under way and moves these; resolves when they rest or are stopped. */
  async play(moved: readonly Moved[], place: Placing): Promise<void> {
    this.stop();
    const end = endOf(moved.map(([, track]) => track));
    this.running = moved.flatMap(([element, track, home]) => (element ? [begin(element, track, home, place, end)] : []));
    await Promise.allSettled(this.running.map(({ finished }) => finished));
  }

  stop(): void {
    for (const animation of this.running) animation.cancel();
    this.running = [];
  }
}
