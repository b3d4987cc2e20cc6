import { untrack } from 'svelte';
import type { Change } from '../../lib/match.svelte';
import { mayMove, moving } from '../../lib/motion';
import type { Spot } from '../../lib/types';
import { Stage, type Moved, type Point } from '../animate';
import { tracksOf, type Leg, type Track } from '../tracks';
import { ballsIn } from './balls';

/** The number of each ball in the places it goes from and to: the one on top leaves, and who comes is on top. */
function slotsOf(tracks: readonly Track[], held: (place: Spot) => number): Map<Leg, [number, number]> {
  const counts = new Map<Spot, number>();
  const add = (place: Spot, change: number): number => {
    const count = (counts.get(place) ?? held(place)) + change;
    counts.set(place, count);
    return count;
  };
  const slots = new Map<Leg, [number, number]>();
  const legs = tracks.flatMap((track) => track.legs);
  const events = legs.flatMap((leg) => [{ time: leg.start, leg, comes: false }, { time: leg.end, leg, comes: true }]);
  // What comes at a moment is there before others leave.
  for (const { leg, comes } of events.sort((one, two) => one.time - two.time || Number(two.comes) - Number(one.comes))) {
    const [from] = slots.get(leg) ?? [0, 0];
    slots.set(leg, comes ? [from, add(leg.to, 1) - 1] : [add(leg.from, -1), 0]);
  }
  return slots;
}

/** Shows balls going from pit to pit, and counts them as they come. */
export class Sowing {
  /** Milliseconds of the sowing that have passed. */
  private now = $state(Infinity);
  private tracks = $state.raw<Track[]>([]);
  private stage = new Stage();
  private shownChange: Change | null = null;
  private begun = false;
  private timers: ReturnType<typeof setTimeout>[] = [];

  /** How many balls a place shows now that has `count` at the end. */
  shown(place: Spot, count: number): number {
    const later = this.tracks.flatMap(({ legs }) => legs);
    const coming = later.filter((leg) => leg.to === place && leg.end > this.now).length;
    const leaving = later.filter((leg) => leg.from === place && leg.start > this.now).length;
    return count - coming + leaving;
  }

  /** Shows a change, unless it has been shown; call inside an effect. */
  follow(change: Change | null, layer: Element | undefined, slot: (place: Spot, i: number) => Point): void {
    if (!layer) return;
    untrack(() => {
      if (this.begun && change !== this.shownChange) void this.sow(change, layer, slot);
      this.shownChange = change;
      this.begun = true;
    });
  }

  private async sow(change: Change | null, layer: Element, slot: (place: Spot, i: number) => Point): Promise<void> {
    this.stop();
    const tracks = change && mayMove() ? tracksOf(change.motion) : [];
    if (!change || tracks.length === 0) return;
    this.tracks = tracks;
    this.now = 0;
    const times = new Set(tracks.flatMap(({ legs }) => legs.flatMap(({ start, end }) => [start, end])));
    this.timers = [...times].map((time) => setTimeout(() => (this.now = time), time));
    const taken = slotsOf(tracks, (place) => ballsIn(change.from.view, place));
    const place = (spot: Spot, leg: Leg): Point => slot(spot, taken.get(leg)?.[spot === leg.to ? 1 : 0] ?? 0);
    const played = this.stage.play(this.moved(layer, slot), place);
    moving.done = played;
    await played;
    if (this.tracks === tracks) this.stop();
  }

  /** The balls that came last to a place are those on top. */
  private moved(layer: Element, slot: (place: Spot, i: number) => Point): Moved[] {
    const came = new Map<Spot, number>();
    return [...this.tracks].reverse().flatMap((track): Moved[] => {
      const balls = layer.querySelectorAll(`[data-ball^="${track.target}:"]`);
      const i = balls.length - 1 - (came.get(track.target) ?? 0);
      came.set(track.target, balls.length - i);
      return i < 0 ? [] : [[balls[i], track, slot(track.target, i)]];
    });
  }

  private stop(): void {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    this.stage.stop();
    this.tracks = [];
    this.now = Infinity;
  }
}
