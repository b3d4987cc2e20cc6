import { announce } from './announce.svelte';
import { bestFor, keepBest, keepGame } from './kept';
import { Match, newSeed } from './match.svelte';
import { moveText, Plan } from './plan.svelte';
import { href, router } from './router.svelte';
import { Search, subjectOf } from './search.svelte';
import { keepLong, linkOf, placeOf } from './share';
import { t } from './text/index.svelte';
import type { Game, Place, Report } from './types';

export const HUMAN = 'human';
/** How long a hint may take: solvers find good lines soon, agents think better moves. */
const SOLVER_HINT_MS = 150;
const AGENT_HINT_MS = 1000;
/** How long an opponent thinks at most. */
const TURN_MS = 10_000;

/** Everything about one game on the page: the game itself, who plays, what is recommended. */
export class Play {
  match = new Match();
  plan = new Plan(this.match);
  /** Looks for hints. */
  hinting = new Search();
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
  /** Former: the day whose board it is. */
  date = $state<string | null>(null);
  /** The game that was left unfinished for this one. */
  left = $state.raw<{ place: Place; date: string | null; cursor: number } | null>(null);

  constructor(readonly info: Game) {
    this.analyst = info.adviser ?? '';
    this.seats = [HUMAN, info.opponent ?? HUMAN];
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
  hinted = $derived.by(() => this.hinting.subject === subjectOf(this.match.sheet, this.thinker));
  solved = $derived.by(() => this.solving.subject === subjectOf(this.match.sheet));
  thought = $derived.by(() => this.turn.subject === subjectOf(this.match.sheet, this.mover ?? ''));
  analysed = $derived.by(() => this.analysis.subject === subjectOf(this.match.sheet, this.thinker));

  /** The best figure known for this board in this browser. */
  localBest = $derived.by(() => (this.ends, bestFor(this.board)));
  /** How many games have come to their end here. */
  private ends = $state(0);

  private get board(): string {
    return `${this.match.game} ${this.match.start}`;
  }

  /** Begins what a link says, or the usual start. */
  async open(params: URLSearchParams, today: string): Promise<void> {
    const linked = placeOf(this.info.spec, params);
    if (linked) await this.begin(linked);
    else if (this.info.daily) await this.begin({ game: this.info.spec, date: today });
    else await this.newGame();
  }

  /** Begins at a place; `date` is that of its board. A game under way can be gone back to,
   * and an agent to move waits until a person has seen the position, unless the game is `fresh`. */
  async begin(place: Place, date = place.date ?? null, fresh = false): Promise<boolean> {
    const { match } = this;
    const left = { place: { ...match.place(true), seed: match.seed }, date: this.date, cursor: match.cursor };
    const unfinished = match.steps.length > 0 && !match.sheet?.over;
    const paused = this.paused;
    this.stop();
    this.paused = !fresh;
    const opened = await match.open(place);
    if (!opened) this.paused = paused;
    else if (!this.waiting) this.paused = false;
    if (!opened) return false;
    if (unfinished) this.left = left;
    this.date = date;
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
    if (await this.begin(left.place, left.date)) await this.jump(left.cursor);
    else this.left = left;
  };

  /** A person's move. It waits for what is under way, and is dropped where it fits no longer. */
  act = (action: string): Promise<boolean> => this.play(action, () => this.mine);

  /** Plays a move, if it `may` be played when its turn comes, and tells of it. */
  async play(action: string, may = (): boolean => true): Promise<boolean> {
    let recommended: string | null = null;
    const played = await this.match.play(action, () => {
      recommended = this.plan.next;
      return may();
    });
    if (!played) return false;
    // Whoever moves in a game for two has seen enough: the opponent answers.
    if (this.info.players === 2) this.paused = false;
    const news = [t('played')(action)];
    if (recommended !== action) this.plan.clear();
    if (recommended !== null && recommended !== action) news.push(t('withdrawn'));
    else if (this.plan.next) news.push(t('recommended')(this.plan.next));
    news.push(this.status());
    announce(news.join(' '));
    this.note();
    if (this.match.sheet?.over) this.ended();
    return true;
  }

  /** Back to where a person was to move. */
  undo = async (): Promise<void> => {
    const person = (ply: number) => this.seats[(this.match.steps[ply]?.player ?? 1) - 1] === HUMAN;
    if (!this.seats.includes(HUMAN)) this.paused = true;
    await this.jump(() => {
      let to = this.match.cursor - 1;
      if (this.seats.includes(HUMAN)) while (to > 0 && !person(to)) to -= 1;
      return to;
    });
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

  /** Recommends the next move, by the line at hand if it is still followed. */
  hint = async (): Promise<void> => {
    if (!this.match.sheet || this.match.sheet.over) return;
    if (!this.plan.next) {
      const asked = this.info.solver ? { time_ms: SOLVER_HINT_MS } : { agent: this.thinker, time_ms: AGENT_HINT_MS };
      const found = await this.hinting.run({ ...this.here(), ...asked }, subjectOf(this.match.sheet, this.thinker));
      if (this.hinted) this.adopt(found, false);
    }
    if (this.plan.next) announce(t('recommended')(this.plan.next));
  };

  /** Looks for the best line from here. */
  async solve(solver: string, time_ms: number, prove: boolean): Promise<void> {
    const asked = { ...this.here(), solver: prove ? undefined : solver, time_ms, prove };
    const found = await this.solving.run(asked, subjectOf(this.match.sheet));
    if (!found || !this.solved) return;
    this.adopt(found, true);
    announce(`${t('best')}: ${this.worth(found)}. ${found.proven ? t('proven') : t('unproven')}.`);
  }

  /** What the analyst thinks of the position shown. */
  analyse = (): Promise<Report | null> =>
    this.analysis.run({ ...this.here(), agent: this.thinker, time_ms: this.analystMs }, subjectOf(this.match.sheet, this.thinker));

  /** Lets the agent to move think and play. */
  async takeTurn(): Promise<void> {
    const [sheet, agent, begin] = [this.match.sheet, this.mover, performance.now()];
    if (!sheet || !agent || agent === HUMAN) return;
    const found = await this.turn.run({ ...this.here(), agent, time_ms: TURN_MS }, subjectOf(sheet, agent));
    const left = this.delay - (performance.now() - begin);
    if (left > 0) await new Promise((wake) => setTimeout(wake, left));
    const may = () => this.match.sheet === sheet && this.mover === agent && !this.paused;
    if (found?.best && may()) await this.play(moveText(found.best), may);
  }

  /** Ends searches about a position that is shown no longer. */
  leave = (): void => {
    for (const search of [this.hinting, this.solving, this.analysis]) search.cancel();
  };

  /** Ends all searches and forgets what they found. */
  stop(): void {
    for (const search of [this.hinting, this.solving, this.turn, this.analysis]) search.clear();
    this.plan.clear();
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
    const seat = this.seats[player - 1];
    return `${t('player')(player)} (${seat === HUMAN ? t('human') : seat})`;
  }

  /** The link to what is shown. */
  link(): string {
    return `${location.origin}/${href(this.match.game, linkOf(this.match, this.date))}`;
  }

  private here(): Place {
    return this.match.placeAt(this.match.cursor);
  }

  private note(): void {
    keepLong(this.match);
    router.note(this.match.game || this.info.spec, linkOf(this.match, this.date));
  }

  /** Recommends what was found; a hint shows one move at a time, a solution all (`open`). */
  private adopt(found: Report | null, open: boolean): void {
    const moves = found?.moves ?? (found?.line?.length ? found.line : found?.best ? [found.best] : []);
    if (moves.length > 0) this.plan.set(moves, open);
  }

  private ended(): void {
    const { match } = this;
    const few = match.sheet?.fewest_moves ?? false;
    if (this.info.players === 1) keepBest(this.board, few ? match.cursor : match.total, few);
    this.ends += 1;
    keepGame({
      game: match.game,
      when: Date.now(),
      moves: match.cursor,
      result: this.status(),
      link: href(match.game, linkOf(match, this.date)),
    });
  }
}
