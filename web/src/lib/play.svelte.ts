import { announce } from './announce.svelte';
import { bestFor, keepBest, keepGame } from './kept';
import { Match } from './match.svelte';
import { moveText, Plan } from './plan.svelte';
import { href, router } from './router.svelte';
import { Search } from './search.svelte';
import { linkOf, placeOf } from './share';
import { t } from './text/index.svelte';
import type { GameInfo, Place, Report, Sheet } from './types';

export const HUMAN = 'human';
/** How long a hint may take. */
const HINT_MS = 150;
/** How long an opponent thinks at most. */
const TURN_MS = 10_000;

/** Everything about one game on the page: the game itself, who plays, what is recommended. */
export class Play {
  match = new Match();
  plan = new Plan(this.match);
  /** Looks for hints and solutions. */
  solving = new Search();
  /** Thinks for a player whose turn it is. */
  turn = new Search();
  /** The position it thinks or thought about. */
  turnSheet = $state.raw<Sheet | null>(null);
  /** Thinks about the position shown, for whoever looks on. */
  analysis = new Search();

  /** Who sits where. */
  seats = $state<string[]>([HUMAN, HUMAN]);
  paused = $state(false);
  /** Milliseconds between moves of agents. */
  delay = $state(400);
  /** Who is asked for hints and analyses where there is no solver. */
  analyst = $state('');
  /** How long it may think. */
  analystMs = $state(1000);
  /** Former: the day whose board it is. */
  date = $state<string | null>(null);

  constructor(readonly info: GameInfo) {
    const agents = this.agents;
    this.analyst = agents.at(-1) ?? '';
    if (info.players === 2) this.seats = [HUMAN, agents.at(-1) ?? HUMAN];
  }

  /** The agents of the game without the person. */
  get agents(): string[] {
    return this.info.agents.map(({ name }) => name).filter((name) => name !== HUMAN);
  }

  /** Who is to move, unless the game is over. */
  mover = $derived.by(() => {
    const player = this.match.sheet?.to_move;
    return player ? (this.seats[player - 1] ?? HUMAN) : null;
  });

  /** Whether a person is to move. */
  mine = $derived(this.mover === HUMAN || (this.mover !== null && this.paused));

  /** The best figure known for this board in this browser. */
  localBest = $derived.by(() => (this.match.cursor, this.solving.finished, bestFor(this.board)));

  private get board(): string {
    return `${this.match.game} ${this.match.start}`;
  }

  /** Begins what a link says, or the usual start. */
  async open(params: URLSearchParams, today: string): Promise<void> {
    this.date = params.get('date') ?? (this.info.daily && !params.get('p') ? today : null);
    const usual: Place = this.date ? { game: this.info.spec, date: this.date } : this.fresh();
    await this.begin(placeOf(this.info.spec, params) ?? usual);
  }

  /** Begins at a place. */
  async begin(place: Place): Promise<boolean> {
    this.stop();
    if (!place.date) this.date = null;
    const opened = await this.match.open(place);
    if (opened) this.note();
    return opened;
  }

  /** A random board, or the start. */
  fresh(): Place {
    return { game: this.info.spec, seed: seed(), ...(this.info.daily ? { random: seed() } : {}) };
  }

  newGame = () => this.begin(this.fresh());

  /** Plays a move and tells of it. */
  async play(action: string): Promise<boolean> {
    const recommended = this.plan.next;
    if (!(await this.match.play(action))) return false;
    const news = [t('played')(action)];
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
    let to = this.match.cursor - 1;
    const person = (ply: number) => this.seats[(this.match.steps[ply]?.player ?? 1) - 1] === HUMAN;
    if (this.seats.includes(HUMAN)) while (to > 0 && !person(to)) to -= 1;
    else this.paused = true;
    await this.jump(to);
  };

  redo = () => this.jump(this.match.cursor + 1);
  reset = () => this.jump(0);

  /** Shows an earlier or later position; agents wait while one looks back. */
  async jump(ply: number): Promise<void> {
    this.turn.cancel();
    const next = this.match.steps[ply];
    if (next && this.seats[next.player - 1] !== HUMAN) this.paused = true;
    if (await this.match.jump(ply)) {
      announce(this.status());
      this.note();
    }
  }

  /** Recommends the next move, by the line at hand if it is still followed. */
  hint = async (): Promise<void> => {
    if (!this.match.sheet || this.match.sheet.over) return;
    if (!this.plan.next) {
      const found = this.info.solvers.length
        ? await this.solving.run({ ...this.here(), time_ms: HINT_MS })
        : await this.analyse();
      this.adopt(found);
    }
    if (this.plan.next) announce(t('recommended')(this.plan.next));
  };

  /** Looks for the best line from here. */
  async solve(solver: string, time_ms: number, prove: boolean): Promise<void> {
    const found = await this.solving.run({ ...this.here(), solver: prove ? undefined : solver, time_ms, prove });
    this.adopt(found);
    if (found) announce(`${t('best')}: ${this.worth(found)}. ${found.proven ? t('proven') : t('unproven')}.`);
  }

  /** What the analyst thinks of the position shown. */
  analyse = (): Promise<Report | null> =>
    this.analysis.run({ ...this.here(), agent: this.analyst, time_ms: this.analystMs });

  /** Lets the agent to move think and play. */
  async takeTurn(): Promise<void> {
    const [sheet, agent, begin] = [this.match.sheet, this.mover, performance.now()];
    if (!sheet || !agent || agent === HUMAN) return;
    this.turnSheet = sheet;
    const found = await this.turn.run({ ...this.here(), agent, time_ms: TURN_MS });
    const left = this.delay - (performance.now() - begin);
    if (left > 0) await new Promise((wake) => setTimeout(wake, left));
    if (found?.best && this.match.sheet === sheet && !this.paused) await this.play(moveText(found.best));
  }

  /** Ends all searches and forgets what they found. */
  stop(): void {
    for (const search of [this.solving, this.turn, this.analysis]) search.clear();
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
    router.note(this.match.game || this.info.spec, linkOf(this.match, this.date));
  }

  private adopt(found: Report | null): void {
    const moves = found?.moves ?? (found?.line?.length ? found.line : found?.best ? [found.best] : []);
    if (!found || moves.length === 0) return;
    this.plan.set(moves);
    const few = this.match.sheet?.fewest_moves ?? false;
    if (this.match.cursor === 0 && found.moves) {
      keepBest(this.board, few ? (found.length ?? 0) : (found.score ?? 0), few);
    }
  }

  private ended(): void {
    const { match } = this;
    const few = match.sheet?.fewest_moves ?? false;
    if (this.info.players === 1) keepBest(this.board, few ? match.cursor : match.total, few);
    keepGame({
      game: match.game,
      when: Date.now(),
      moves: match.cursor,
      result: this.status(),
      link: href(match.game, linkOf(match, this.date)),
    });
  }
}

const seed = (): number => Math.floor(Math.random() * 2 ** 40);
