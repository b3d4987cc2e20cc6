import { announce } from './announce.svelte';
import * as daily from './daily';
import { Exact } from './exact.svelte';
import type { Graded } from './grade';
import { Hint } from './hint.svelte';
import { Keeper } from './keeper';
import { bestFor, HUMAN, keepSeats, seatsFor } from './kept';
import { Match, newSeed } from './match.svelte';
import { moving } from './motion';
import { moveText, Plan } from './plan.svelte';
import { Review } from './review.svelte';
import { href, router } from './router.svelte';
import { Search, subjectOf } from './search.svelte';
import type { SavedGame } from './saved';
import { keepLong, linkOf, placeOf } from './share';
import { spokenMove } from './spoken';
import { moveName, t, titleOf } from './text/index.svelte';
import type { Considered, Game, Place, Report, Thought } from './types';

export { HUMAN };
/** How long an opponent thinks at most, and a level, which needs less unless the machine is busy. */
const [TURN_MS, LEVEL_MS] = [10_000, 180];
/** Moves of an analysis that are pointed at. */
const CANDIDATES = 3;
/** How far behind the best they may be, where a win counts 1 and a loss -1. */
const CLOSE = 0.3;
/** Nodes of an opponent's search tree that are kept with its move. */
const TREE_NODES = 400;

/** Everything about one game on the page: the game itself, who plays, what is recommended. */
export class Play {
  match = new Match();
  plan = new Plan(this.match);
  hint = new Hint(this);
  review = new Review(this);
  exact = new Exact(this);
  /** Looks for solutions. */
  solving = new Search();
  /** Thinks for a player whose turn it is. */
  turn = new Search();
  /** Thinks about the position shown, for whoever looks on. */
  analysis = new Search();

  /** Who sits where. */
  seats = $state<string[]>([HUMAN, HUMAN]);
  /** Whether agents wait: a person wants it so, or looks back. */
  paused = $state(false);
  /** Milliseconds between moves of agents. */
  delay = $state(400);
  /** Who is asked for hints and analyses where there is no solver. */
  analyst = $state('');
  /** How long it may think. */
  analystMs = $state(1000);
  /** What the agents thought of their moves, by the number of the move. */
  thoughts = $state.raw<ReadonlyMap<number, Thought>>(new Map());
  /** Former: the day whose board it is. */
  date = $state<string | null>(null);
  /** The game that was left unfinished for this one. */
  left = $state.raw<SavedGame | null>(null);
  /** Who sat where at the first move. */
  began: string[] = [];
  /** Names of people who play against each other here. */
  names = $state<string[]>(['', '']);
  /** Whether two people share the screen: then moves are taken back by agreement. */
  together = $state(false);
  /** Whether the board is turned to the second player when it is that one's turn. */
  turning = $state(false);
  turned = $derived(this.together && this.turning && this.match.sheet?.to_move === 2);
  /** Whether the one who moved last asks to take that back. */
  asking = $state(false);
  /** Whether a search has helped, or moves were not made here: then it is not one's own game. */
  helped = $state(false);
  /** Whether it began with a start of its game. */
  whole = false;
  private keeper = new Keeper(this);

  /** One's own mistakes that are practised. */
  practising = $state.raw<Graded[]>([]);
  /** A text that could not be copied, to be copied by hand. */
  pasted = $state('');

  /** `aside` is a game beside the one of the page: no link, no history. */
  constructor(readonly info: Game, private readonly aside = false) {
    this.analyst = info.adviser ?? '';
    this.seats = seatsFor(info);
  }

  /** What the game is called. */
  title = $derived.by(() => titleOf(this.info));

  /** Cells to point at: a hint, the next move of a solution, or the better move of a review. */
  marked = $derived.by(() => {
    if (!this.mine) return [];
    if (this.hint.cells.length > 0) return this.hint.cells;
    if (this.plan.cells.length > 0) return this.plan.cells;
    return this.match.sheet?.actions.find(({ text }) => text === this.better)?.cells ?? [];
  });

  /** The better move of a review, where the one played lost something. */
  better = $derived.by(() => this.review.moves[this.match.cursor]?.better ?? null);

  /** The moves that an analysis of the position shown prefers, the best first. */
  candidates = $derived.by(() => {
    const all = (this.analysed ? this.analysis.report?.considered : null) ?? [];
    const considered = all.filter(({ visits, value }) => visits !== null || value !== null);
    const worth = ({ visits, value }: Considered) => visits ?? value ?? 0;
    const [best, ...others] = considered.toSorted((a, b) => worth(b) - worth(a)).slice(0, CANDIDATES);
    // A move that throws much of a win away is none.
    const near = ({ value }: Considered) => this.info.players === 1 || value === null || (best?.value ?? value) - value <= CLOSE;
    return best ? [best, ...others.filter(near)].map(({ action }) => moveText(action)) : [];
  });

  /** Who plays, now and in later games. */
  sit(seats: string[]): void {
    this.seats = seats;
    if (!this.aside) keepSeats(this.info.spec, seats);
  }

  /** The analyst with the setting by which it uses the whole time limit. */
  thinker = $derived.by(() => {
    const [name, settings] = this.analyst.split(':', 2);
    const more = this.info.agents.find((agent) => agent.name === name)?.until_stopped;
    if (!more || settings?.split(',').some((pair) => pair.split('=')[0] === more.split('=')[0])) return this.analyst;
    return settings ? `${this.analyst},${more}` : `${this.analyst}:${more}`;
  });

  /** Who is to move, unless the game is over. */
  mover = $derived.by(() => {
    const player = this.match.sheet?.to_move;
    return player ? (this.seats[player - 1] ?? HUMAN) : null;
  });

  /** Whether a person is to move. Autoplay that pauses is taken over by hand. */
  mine = $derived(this.mover === HUMAN || (this.mover !== null && this.paused && this.match.sheet?.players === 1));
  /** The agent to move that waits until it is told to play on. */
  waiting = $derived(this.paused && !this.mine ? this.mover : null);

  /** Whether what a search found is about the position shown. */
  solved = $derived.by(() => this.solving.subject === subjectOf(this.match.sheet));
  thought = $derived.by(() => this.turn.subject === subjectOf(this.match.sheet, this.mover ?? ''));
  analysed = $derived.by(() => this.analysis.subject === subjectOf(this.match.sheet, this.thinker));

  /** The best figure known for this board in this browser. */
  localBest = $derived.by(() => (this.ends, bestFor(this.board)));
  /** How many games have come to their end here. */
  ends = $state(0);

  private get board(): string {
    return `${this.match.game} ${this.match.start}`;
  }

  /** Begins what a link says, or the usual start. */
  async open(params: URLSearchParams, today: string): Promise<void> {
    const saved = this.keeper.find(params);
    if (saved && (await this.resume(saved))) return;
    const asked = placeOf(this.info.spec, params);
    // A day that has not come is locked.
    const linked = asked?.date && asked.date > today ? null : asked;
    const before = linked ? null : this.keeper.find(new URLSearchParams({ continue: '' }));
    if (linked) await this.begin(linked);
    else if (this.info.daily) await this.begin({ game: this.info.spec, date: today });
    else await this.newGame();
    if (before) this.left = before;
  }

  /** Goes on with a game that was kept. */
  async resume(saved: SavedGame): Promise<boolean> {
    const { seats, names, together } = this;
    [this.seats, this.names, this.together] = [[...saved.seats], [...saved.names], saved.together];
    if (!(await this.begin(Keeper.place(saved), saved.date))) {
      [this.seats, this.names, this.together] = [seats, names, together];
      return false;
    }
    [this.helped, this.whole, this.began] = [saved.helped, saved.whole, [...saved.began]];
    if (saved.cursor < this.match.steps.length) await this.jump(saved.cursor);
    return true;
  }

  /** Begins at a place; `date` is that of its board. A game under way can be gone back to,
   * and an agent to move waits until a person has seen the position, unless the game is `fresh`. */
  async begin(place: Place, date = place.date ?? null, fresh = false): Promise<boolean> {
    const { match } = this;
    const left = this.keeper.snapshot();
    const unfinished = match.steps.length > 0 && !match.sheet?.over;
    const paused = this.paused;
    this.stop();
    this.paused = !fresh;
    const opened = await match.open(place);
    if (!opened) this.paused = paused;
    else if (!this.waiting) this.paused = false;
    if (!opened) return false;
    if (unfinished) this.left = left;
    this.thoughts = new Map();
    this.date = date;
    this.asking = false;
    this.helped = match.steps.length > 0;
    this.whole = fresh && place.position === undefined;
    this.began = match.steps.length > 0 ? [...this.seats] : [];
    if (match.game === this.info.spec) {
      this.note();
    } else {
      // A record says itself which game it is of: that game's page shows it.
      keepLong(match);
      router.go(match.game, linkOf(match, date));
    }
    return true;
  }

  /** A random board, or the start. */
  fresh(): Place {
    return { game: this.info.spec, seed: newSeed(), ...(this.info.daily ? { random: newSeed() } : {}) };
  }

  newGame = () => this.begin(this.fresh(), null, true);

  /** Back to the game that was left for this one. */
  goBack = async (): Promise<void> => {
    const left = this.left;
    if (!left) return;
    this.left = null;
    if (!(await this.resume(left))) this.left = left;
  };

  /** A person's move. It waits for what is under way, and is dropped where it fits no longer. */
  act = (action: string): Promise<boolean> => this.play(action, () => this.mine);

  /** Plays a move, if it `may` be played when its turn comes, and tells of it. */
  async play(action: string, may = (): boolean => true): Promise<boolean> {
    let recommended: string | null = null;
    let branches = false;
    const played = await this.match.play(action, () => {
      recommended = this.plan.next;
      branches = this.match.canRedo && this.match.steps[this.match.cursor]?.action !== action;
      return may();
    });
    if (!played) return false;
    this.asking = false;
    if (this.match.cursor === 1) this.began = [...this.seats];
    // Another try against an agent is no game of one's own.
    if (branches && this.info.players === 2 && !this.seats.every((seat) => seat === HUMAN)) this.helped = true;
    // Whoever moves in a game for two has seen enough: the opponent answers.
    if (this.info.players === 2) this.paused = false;
    const news = [spokenMove(this.match)];
    if (recommended !== action) this.plan.clear();
    if (recommended !== null && recommended !== action) news.push(t('withdrawn'));
    else if (this.plan.next) news.push(t('recommended')(moveName(this.plan.next)));
    news.push(this.status());
    announce(news.join(' '));
    this.note();
    if (this.match.sheet?.over) this.ended();
    return true;
  }

  /** Back to where a person was to move. */
  undo = async (): Promise<void> => {
    if (this.together) {
      this.asking = this.match.canUndo;
      return;
    }
    const person = (ply: number) => this.seats[(this.match.steps[ply]?.player ?? 1) - 1] === HUMAN;
    if (!this.seats.includes(HUMAN)) this.paused = true;
    await this.jump(() => {
      let to = this.match.cursor - 1;
      if (this.seats.includes(HUMAN)) while (to > 0 && !person(to)) to -= 1;
      return to;
    });
  };

  /** The opponent agrees that the last move is taken back, or does not. */
  answer = async (agreed: boolean): Promise<void> => {
    this.asking = false;
    if (agreed) await this.jump(() => this.match.cursor - 1);
  };

  redo = () => this.jump(() => this.match.cursor + 1);
  reset = () => this.jump(0);

  /** Shows an earlier or later position; agents wait while one looks back. */
  async jump(ply: number | (() => number)): Promise<void> {
    this.turn.cancel();
    const to = (): number => {
      const at = typeof ply === 'number' ? ply : ply();
      const next = this.match.steps[at];
      if (next && this.seats[next.player - 1] !== HUMAN) this.paused = true;
      return at;
    };
    if (await this.match.jump(to)) {
      announce(this.status());
      this.note();
    }
  }

  /** Agents that wait go on. */
  goOn = (): void => {
    this.paused = false;
  };

  /** Looks for the best line from here. */
  async solve(solver: string, time_ms: number, prove: boolean): Promise<void> {
    this.help();
    const asked = { ...this.here(), solver: prove ? undefined : solver, time_ms, prove };
    const found = await this.solving.run(asked, subjectOf(this.match.sheet));
    if (!found || !this.solved) return;
    this.adopt(found);
    announce(`${t('best')}: ${this.worth(found)}. ${found.proven ? t('proven') : t('unproven')}.`);
  }

  /** What the analyst thinks of the position shown. */
  analyse = (): Promise<Report | null> => {
    this.help();
    return this.analysis.run({ ...this.here(), agent: this.thinker, time_ms: this.analystMs }, subjectOf(this.match.sheet, this.thinker));
  };

  /** Notes that a search is asked about a game under way. */
  help = (): void => {
    if (!this.match.sheet || this.match.sheet.over) return;
    this.helped = true;
    if (this.date) daily.helped(this.date);
    this.keeper.note();
  };

  /** Lets the agent to move think and play. */
  async takeTurn(): Promise<void> {
    const [sheet, agent, begin] = [this.match.sheet, this.mover, performance.now()];
    if (!sheet || !agent || agent === HUMAN) return;
    if (this.info.players === 1) this.help();
    const ply = this.match.cursor + 1;
    const most = this.info.levels.some((level) => level.agent === agent) ? LEVEL_MS : TURN_MS;
    const found = await this.turn.run({ ...this.here(), agent, time_ms: most, tree: TREE_NODES }, subjectOf(sheet, agent));
    const time_ms = performance.now() - begin;
    const left = this.delay - (performance.now() - begin);
    if (left > 0) await new Promise((wake) => setTimeout(wake, left));
    // A person sees a move to its end before the answer comes.
    if (this.delay > 0) await moving.done;
    const may = () => this.match.sheet === sheet && this.mover === agent && !this.paused;
    if (!found?.best || !may() || !(await this.play(moveText(found.best), may))) return;
    this.thoughts = new Map(this.thoughts).set(ply, { agent, report: found, time_ms });
  }

  /** Ends searches about a position that is shown no longer. */
  leave = (): void => {
    if (!this.hint.current) this.hint.clear();
    this.exact.leave();
    if (!this.solved) this.solving.cancel();
    if (!this.analysed) this.analysis.cancel();
  };

  /** Ends all searches and forgets what they found. */
  stop(): void {
    this.keeper.flush();
    for (const search of [this.hint, this.exact.search, this.solving, this.turn, this.analysis]) search.clear();
    this.review.cancel();
    this.plan.clear();
  }

  /** The page is left. */
  close(): void {
    this.stop();
    this.keeper.close();
  }

  /** What a line from here is worth, such as `11 moves`. */
  worth(report: Report): string {
    const few = this.match.sheet?.fewest_moves;
    if (few) return t('moveCount')((report.length ?? 0) + this.match.cursor);
    return t('points')((report.score ?? report.value ?? 0) + this.match.total);
  }

  /** How the game stands, for people. */
  status(): string {
    const sheet = this.match.sheet;
    if (!sheet) return '';
    if (!sheet.over) return sheet.players === 2 ? t('toMove')(this.nameOf(sheet.to_move ?? 1)) : '';
    if (sheet.winner === 0) return t('draw');
    if (sheet.winner !== null) return t('wins')(this.nameOf(sheet.winner));
    if (sheet.fewest_moves) return t('cleared')(this.match.cursor);
    return t('finalScore')(this.match.total);
  }

  /** A player for people. */
  nameOf(player: number): string {
    const [seat, name] = [this.seats[player - 1], this.names[player - 1]?.trim()];
    if (this.together && name) return name;
    return `${t('player')(player)} (${this.seatName(seat ?? HUMAN)})`;
  }

  /** Who sits on a seat: levels have titles. */
  seatName(seat: string): string {
    if (seat === HUMAN) return t('human');
    const title = this.info.levels.find(({ agent }) => agent === seat)?.title;
    return title === undefined ? seat : (t('levels')[title] ?? title);
  }

  /** The link to what is shown. */
  link(): string {
    return `${location.origin}/${href(this.match.game, linkOf(this.match, this.date))}`;
  }

  private here(): Place {
    return this.match.placeAt(this.match.cursor);
  }

  private note(): void {
    if (this.aside) return;
    keepLong(this.match);
    this.keeper.note();
    router.note(this.match.game || this.info.spec, linkOf(this.match, this.date));
  }

  /** Recommends the line that was found. */
  private adopt({ moves, line, best }: Report): void {
    const found = moves ?? (line?.length ? line : best ? [best] : []);
    if (found.length > 0) this.plan.set(found);
  }

  private ended(): void {
    if (this.aside) return;
    this.keeper.ended();
    this.ends += 1;
  }
}
