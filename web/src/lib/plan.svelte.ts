import type { Match } from './match.svelte';
import type { Move, Step } from './types';

/** A move of a reply as its text. */
export const moveText = (move: Move): string => (Array.isArray(move) ? move.join(',') : move);

/** A recommended line. It follows as long as its moves are played, and is
 * withdrawn as soon as another one is. */
export class Plan {
  private at = $state(0);
  /** The move before it: after another one the line says nothing. */
  private after = $state.raw<Step | undefined>(undefined);
  private moves = $state.raw<string[]>([]);

  constructor(private match: Match) {}

  /** How many of its moves have been played; `null` when it is not followed. */
  private followed = $derived.by(() => {
    if (this.moves.length === 0 || this.match.cursor < this.at) return null;
    if (this.match.steps[this.at - 1] !== this.after) return null;
    const since = this.match.played.slice(this.at);
    return since.every((step, i) => step.action === this.moves[i]) ? since.length : null;
  });

  /** What it would play now. */
  next = $derived(this.followed === null ? null : (this.moves[this.followed] ?? null));
  /** The moves from here on. */
  rest = $derived(this.followed === null ? [] : this.moves.slice(this.followed));

  /** The cells of the recommended move. */
  cells = $derived.by(() => {
    const legal = this.match.sheet?.actions.find((action) => action.text === this.next);
    return this.next === null ? [] : (legal?.cells ?? []);
  });

  /** Recommends a line from the position shown. */
  set(moves: Move[]): void {
    this.at = this.match.cursor;
    this.after = this.match.steps[this.at - 1];
    this.moves = moves.map(moveText);
  }

  clear(): void {
    this.moves = [];
  }
}
