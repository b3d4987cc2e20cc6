import { tick, untrack } from 'svelte';
import type { Change } from '../lib/match.svelte';
import { mayMove, moving } from '../lib/motion';
import type { Cell } from '../lib/types';
import { Stage, type Moved, type Point } from './animate';
import type { Geometry } from './geometry';
import { tracksOf, type Track } from './tracks';

/** Changes that come sooner one after another than this are not shown moving. */
const SOONEST_MS = 70;

/** A piece of the drawing before that leaves the board. */
interface Ghost {
  cell: Cell;
  at: Point;
  track: Track;
}

/** Shows how the pieces of a board come to where they are. */
export class Follower {
  ghosts = $state.raw<Ghost[]>([]);
  private stage = new Stage();
  private elements: Element[] = [];
  private shown: Change | null = null;
  private last = 0;
  private begun = false;
  private frame = 0;

  constructor(private board: () => Element | undefined) {}

  /** Keeps the element of a ghost. */
  found = (i: number, element: Element): void => {
    this.elements[i] = element;
  };

  /** Shows a change, unless it has been shown; call inside an effect. */
  follow(change: Change | null, geometry: Geometry): void {
    untrack(() => {
      if (this.begun && change !== this.shown) {
        this.stage.stop();
        this.ghosts = [];
        // A task of its own, before anything of the new drawing is seen.
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => void this.move(change, geometry));
      }
      this.shown = change;
      this.begun = true;
    });
  }

  private async move(change: Change | null, geometry: Geometry): Promise<void> {
    const soon = performance.now() - this.last < SOONEST_MS;
    this.last = performance.now();
    if (!change || soon || !mayMove() || change.motion.some(({ kind }) => kind === 'sow')) return;
    const tracks = tracksOf(change.motion);
    if (tracks.length === 0) return;
    const { rows, cols, cells } = change.from.view;
    const same = rows === geometry.rows && cols === geometry.cols;
    const leaves = (track: Track): Ghost[] => {
      const cell = typeof track.origin === 'number' ? cells[track.origin] : undefined;
      return same && cell && track.target === null ? [{ cell, at: geometry.at(track.origin as number), track }] : [];
    };
    const ghosts = tracks.flatMap(leaves);
    this.elements = [];
    this.ghosts = ghosts;
    await tick();
    if (this.ghosts !== ghosts) return;
    const pieces = this.board()?.querySelectorAll('.cell > .moving') ?? [];
    const stays: Moved[] = tracks.flatMap((track) => {
      if (typeof track.target !== 'number') return [];
      return [[pieces[track.target], track, geometry.at(track.target)]];
    });
    const goes = ghosts.map(({ at, track }, i): Moved => [this.elements[i], track, at]);
    const played = this.stage.play([...stays, ...goes], geometry.place);
    moving.done = played;
    await played;
    if (this.ghosts === ghosts) {
      this.ghosts = [];
      this.stage.stop();
    }
  }
}
