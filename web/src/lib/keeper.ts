import * as daily from './daily';
import { keepGame, keptGame, type Outcome } from './history';
import { keepBest } from './kept';
import { HUMAN, type Play } from './play.svelte';
import { href } from './router.svelte';
import { forget, save, savedGame, type SavedGame } from './saved';
import { linkOf, movesOf, movesText } from './share';
import { count } from './stats';
import type { Place } from './types';

/** How long the newest moves may be kept by the page alone. */
const PATIENCE_MS = 200;

/** Keeps the game of a page: while it is under way, so that it can be gone on with, and at its end. */
export class Keeper {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private play: Play) {
    addEventListener('pagehide', this.flush);
  }

  /** The game as it stands. */
  snapshot(): SavedGame {
    const { match, date, seats, began, names, together, helped, whole } = this.play;
    return {
      seed: match.seed,
      game: match.game,
      start: match.start,
      moves: movesText(match.steps),
      cursor: match.cursor,
      date,
      seats: [...seats],
      began: [...began],
      names: [...names],
      together,
      helped,
      whole,
      score: match.total,
      when: Date.now(),
    };
  }

  /** The place of a saved game. */
  static place({ game, start, moves, seed }: SavedGame): Place {
    return { game, position: start, seed, moves: movesOf(moves) };
  }

  /** The game that a link means: one that is to be gone on with, one of the history, or the one that
   * is shown when the page is loaded again. */
  find(params: URLSearchParams): SavedGame | null {
    const saved = savedGame(this.play.info.spec);
    if (params.has('continue')) return saved;
    const kept = params.has('kept') ? keptGame(Number(params.get('kept'))) : undefined;
    if (kept?.start !== undefined && kept.line !== undefined) return this.ofHistory(kept.seed ?? 0);
    const moves = params.get('m') ?? '';
    const from = saved && (params.get('p') === saved.start || (saved.date !== null && params.get('date') === saved.date));
    return from && moves !== '' && `${saved.moves} `.startsWith(`${moves} `) ? { ...saved, cursor: moves.split(' ').length } : null;
  }

  private ofHistory(seed: number): SavedGame | null {
    const kept = keptGame(seed);
    if (!kept) return null;
    const seats = kept.seats ?? [HUMAN, HUMAN];
    const { game, start = '', line = '', date = null, names = ['', ''], helped = false, whole = false, when } = kept;
    return { seed, game, start, moves: line, cursor: kept.moves, date, seats, began: seats, names, together: false, helped, whole, score: kept.points ?? 0, when };
  }

  /** Keeps the game soon. Nothing is kept before the first move: a game that is looked at is not begun. */
  note(): void {
    if (this.play.match.steps.length === 0 || this.play.match.sheet?.over) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.flush, PATIENCE_MS);
  }

  /** Keeps the game now, if anything is to be kept. */
  flush = (): void => {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    save(this.snapshot());
  };

  /** The page goes on without this game. */
  close(): void {
    this.flush();
    removeEventListener('pagehide', this.flush);
  }

  /** Keeps a game that has come to its end, and counts it if it is the first time. */
  ended(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { match, info, date, seats, names, whole } = this.play;
    const few = match.sheet?.fewest_moves ?? false;
    const figure = info.players === 1 ? (few ? match.cursor : match.total) : null;
    // Who plays on for another has not won.
    const helped = this.play.helped || this.play.began.join() !== seats.join();
    if (figure !== null) keepBest(`${match.game} ${match.start}`, figure, few);
    if (date && few && !helped) daily.solved(date, match.cursor);
    forget(match.game, match.seed);
    const game = {
      game: match.game,
      when: Date.now(),
      moves: match.cursor,
      result: this.play.status(),
      link: href(match.game, linkOf(match, date)),
      seed: match.seed,
      start: match.start,
      line: movesText(match.played),
      date,
      seats: seats.slice(0, info.players),
      names: [...names],
      helped,
      whole,
      points: match.total,
      outcome: outcome(match.sheet?.winner ?? null, seats),
    };
    const known = keptGame(match.seed);
    keepGame({ ...game, rated: known?.rated });
    if (!known) count(game, figure, few);
  }
}

/** How a game ended for the person, where exactly one played. */
function outcome(winner: number | null, seats: string[]): Outcome | undefined {
  const person = 1 + seats.indexOf(HUMAN);
  if (winner === null || person === 0 || seats.every((seat) => seat === HUMAN)) return undefined;
  return winner === 0 ? 'drawn' : winner === person ? 'won' : 'lost';
}
