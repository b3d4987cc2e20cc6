import * as api from './api';
import type { Legal, Place, Sheet, Step } from './types';

/** A game in progress. The server knows the rules and keeps nothing; the
 * history is here, so undo and redo ask nobody. */
export class Match {
  /** The position that is shown. */
  sheet = $state.raw<Sheet | null>(null);
  /** All moves, those taken back too. */
  steps = $state.raw<Step[]>([]);
  /** How many of them lead to the position shown. */
  cursor = $state(0);
  /** Why the last thing did not work. */
  error = $state<string | null>(null);
  busy = $state(false);

  /** The position before the first move. */
  start = $state('');
  game = $state('');
  private sheets: (Sheet | null)[] = [];
  private seed = 0;

  constructor() {
    this.seed = Math.floor(Math.random() * 2 ** 40);
  }

  /** Moves that are on the board, not counting those taken back. */
  played = $derived(this.steps.slice(0, this.cursor));
  /** Rewards of the moves on the board. */
  total = $derived(this.played.reduce((sum, step) => sum + step.reward, 0));
  canUndo = $derived(this.cursor > 0);
  canRedo = $derived(this.cursor < this.steps.length);

  /** Begins with a position, and the moves of a link. */
  async open(place: Place): Promise<boolean> {
    return this.guarded(async () => {
      const sheet = await api.position({ seed: this.seed, ...place });
      this.game = sheet.game;
      this.start = sheet.start;
      // Positions of a record's own moves are not told one by one; its end is.
      this.steps = sheet.played;
      this.cursor = sheet.played.length;
      this.sheets = sheet.played.map(() => null);
      this.sheets.push(sheet);
      this.sheet = sheet;
    });
  }

  /** Plays a legal move; what was taken back and differs is dropped. */
  async play(action: string): Promise<boolean> {
    const from = this.sheet;
    if (!from || this.busy) return false;
    if (this.steps[this.cursor]?.action === action) return this.jump(this.cursor + 1);
    return this.guarded(async () => {
      const seed = this.seed + this.cursor;
      const sheet = await api.position({ game: from.game, position: from.position, moves: [action], seed });
      const step = sheet.played[0];
      if (!step) return;
      this.steps = [...this.played, step];
      this.sheets = [...this.sheets.slice(0, this.cursor + 1), sheet];
      this.cursor += 1;
      this.sheet = sheet;
    });
  }

  undo = () => this.jump(this.cursor - 1);
  redo = () => this.jump(this.cursor + 1);
  reset = () => this.jump(0);

  /** Shows the position after so many moves. */
  async jump(to: number): Promise<boolean> {
    if (to < 0 || to > this.steps.length || this.busy) return false;
    return this.guarded(async () => {
      const known = this.sheets[to];
      const sheet = known ?? (await api.position(this.placeAt(to)));
      this.sheets[to] = sheet;
      this.cursor = to;
      this.sheet = sheet;
    });
  }

  /** The place after so many moves, as a request says it. */
  placeAt(ply: number): Place {
    const position = ply === 0 ? this.start : this.steps[ply - 1]?.position;
    if (position) return { game: this.game, position };
    const moves = this.steps.slice(0, ply).map(({ action, chance }) => (chance === null ? action : { action, chance }));
    return { game: this.game, position: this.start, moves };
  }

  /** The whole game shown, as a request says it. */
  place(): Place {
    const moves = this.played.map(({ action, chance }) => (chance === null ? action : { action, chance }));
    return { game: this.game, position: this.start, moves };
  }

  /** The legal move that touches a cell; several share one in some games. */
  movesAt(cell: number): Legal[] {
    return this.sheet?.actions.filter((action) => action.cells.includes(cell)) ?? [];
  }

  private async guarded(work: () => Promise<void>): Promise<boolean> {
    this.busy = true;
    try {
      await work();
      this.error = null;
      return true;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}
