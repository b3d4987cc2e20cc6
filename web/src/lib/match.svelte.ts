import * as api from './api';
import { inTurn, reversed } from './motion';
import type { Legal, Movement, Place, Sheet, Step } from './types';

/** What led to the position shown: the drawing before, and how its pieces moved. */
export interface Change {
  from: Sheet;
  motion: Movement[];
}

/** Steps over more moves than this are not shown moving. */
const FOLLOWED = 2;

/** The seed of a game's luck. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 40);

/** A game in progress. The server knows the rules and keeps nothing; the
 * history is here, so undo and redo ask nobody. What is asked while something else
 * is under way waits for it. */
export class Match {
  /** The position that is shown. */
  sheet = $state.raw<Sheet | null>(null);
  /** How it came about, where that can be shown. */
  change = $state.raw<Change | null>(null);
  /** All moves, those taken back too. */
  steps = $state.raw<Step[]>([]);
  /** How many of them lead to the position shown. */
  cursor = $state(0);
  /** Why the last thing did not work. */
  error = $state<string | null>(null);
  /** Whether another game is on its way. */
  loading = $state(false);

  /** The position before the first move. */
  start = $state('');
  game = $state('');
  /** Where nature's choices come from: another seed in every game. */
  seed = 0;
  private sheets: (Sheet | null)[] = [];
  private pending = $state(0);
  private last: Promise<unknown> = Promise.resolve();
  /** Counts games: what was asked of an earlier one is dropped. */
  private opened = 0;

  /** Whether something is under way. */
  busy = $derived(this.pending > 0);
  /** Moves that are on the board, not counting those taken back. */
  played = $derived(this.steps.slice(0, this.cursor));
  /** Rewards of the moves on the board. */
  total = $derived(this.played.reduce((sum, step) => sum + step.reward, 0));
  canUndo = $derived(this.cursor > 0);
  canRedo = $derived(this.cursor < this.steps.length);

  /** Begins with a position, and the moves of a link. */
  async open(place: Place): Promise<boolean> {
    const number = ++this.opened;
    this.loading = true;
    const opened = await this.queued(async (current) => {
      const seed = place.seed ?? newSeed();
      const sheet = await api.position({ ...place, seed });
      if (!current()) return false;
      this.seed = seed;
      this.game = sheet.game;
      this.start = sheet.start;
      // Positions of a record's own moves are not told one by one; its end is.
      this.steps = sheet.played;
      this.cursor = sheet.played.length;
      this.sheets = sheet.played.map(() => null);
      this.sheets.push(sheet);
      this.change = null;
      this.sheet = sheet;
      return true;
    });
    if (number === this.opened) this.loading = false;
    return opened;
  }

  /** Plays a move, if it is legal and `may` be played when its turn comes; what was taken
   * back and differs is dropped. */
  async play(action: string, may = (): boolean => true): Promise<boolean> {
    return this.queued(async (current) => {
      const from = this.sheet;
      if (!from?.actions.some(({ text }) => text === action) || !may()) return false;
      if (this.steps[this.cursor]?.action === action) return this.show(this.cursor + 1, current);
      const seed = this.seed + this.cursor;
      const sheet = await api.position({ game: from.game, position: from.position, moves: [action], seed });
      const step = sheet.played[0];
      if (!step || !current()) return false;
      this.steps = [...this.played, step];
      this.sheets = [...this.sheets.slice(0, this.cursor + 1), sheet];
      this.cursor += 1;
      this.change = { from, motion: step.motion ?? [] };
      this.sheet = sheet;
      return true;
    });
  }

  /** Shows the position after so many moves, as they are when its turn comes. */
  async jump(to: () => number): Promise<boolean> {
    return this.queued((current) => this.show(to(), current));
  }

  /** The place after so many moves, as a request says it. */
  placeAt(ply: number): Place {
    const position = ply === 0 ? this.start : this.steps[ply - 1]?.position;
    if (position) return { game: this.game, position };
    return { game: this.game, position: this.start, moves: moves(this.steps.slice(0, ply)) };
  }

  /** The whole game shown, as a request says it; with what was taken back if `all`. */
  place(all = false): Place {
    return { game: this.game, position: this.start, moves: moves(all ? this.steps : this.played) };
  }

  /** The position after the last move, where it is known. */
  get end(): Sheet | null {
    return this.sheets[this.steps.length] ?? null;
  }

  /** Why the last thing did not work, for who tells it: it is told once. */
  takeError(): string | null {
    const { error } = this;
    this.error = null;
    return error;
  }

  /** The legal move that touches a cell; several share one in some games. */
  movesAt(cell: number): Legal[] {
    return this.sheet?.actions.filter((action) => action.cells.includes(cell)) ?? [];
  }

  private async show(ply: number, current: () => boolean): Promise<boolean> {
    if (ply < 0 || ply > this.steps.length) return false;
    const sheet = this.sheets[ply] ?? (await api.position(this.placeAt(ply)));
    if (!current()) return false;
    this.sheets[ply] = sheet;
    this.change = this.sheet && { from: this.sheet, motion: this.between(this.cursor, ply) };
    this.cursor = ply;
    this.sheet = sheet;
    return true;
  }

  /** How the pieces move from one position to another of the same game, forth or back. */
  private between(from: number, to: number): Movement[] {
    if (Math.abs(to - from) > FOLLOWED) return [];
    const motions = this.steps.slice(Math.min(from, to), Math.max(from, to)).map(({ motion }) => motion ?? []);
    return to > from ? inTurn(motions) : inTurn(motions.reverse().map(reversed));
  }

  /** Does one thing after another. `current` tells whether the game is still the same. */
  private queued(work: (current: () => boolean) => Promise<boolean>): Promise<boolean> {
    const game = this.opened;
    const current = () => this.opened === game;
    const done = async (): Promise<boolean> => {
      try {
        if (!current() || !(await work(current))) return false;
        this.error = null;
        return true;
      } catch (error) {
        if (current()) this.error = error instanceof Error ? error.message : String(error);
        return false;
      } finally {
        this.pending -= 1;
      }
    };
    this.pending += 1;
    const result = this.last.then(done);
    this.last = result;
    return result;
  }
}

const moves = (steps: Step[]): NonNullable<Place['moves']> =>
  steps.map(({ action, chance }) => (chance === null ? action : { action, chance }));
