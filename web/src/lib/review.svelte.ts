import { accuracy, graded, settled, type Graded, type Move, type Scale, type Seen } from './grade';
import type { Play } from './play.svelte';
import { moveText } from './plan.svelte';
import { Search } from './search.svelte';
import type { Report, Step } from './types';

/** What a position of a review may cost: positions searched, so that the same game has the same review,
 * and time for those that are slow. */
const PER_POSITION = { nodes: 60_000, time_ms: 3000 };
/** A proof needs what it needs. */
const PER_PROOF = { prove: true, time_ms: 10_000 };
const NOTHING: Seen = { value: null, bound: null, proven: false, best: null, values: new Map(), choices: null };

/** Looks at every position of a game by the strongest engine, the end first: there things are certain, and
 * soon known. What is known of a position stays known while the page is open. */
export class Review {
  /** What is known of the positions of the game shown; one more than it has moves. */
  seen = $state.raw<Seen[]>([]);
  running = $state(false);
  /** Positions looked at. */
  done = $state(0);
  private steps = $state.raw<Step[] | null>(null);
  private search = new Search();
  private known = new Map<string, Seen>();

  constructor(private play: Play) {}

  /** Whether it is about the game shown. */
  current = $derived.by(() => this.steps !== null && this.steps === this.play.match.steps);
  /** Whether all of it has been looked at. */
  complete = $derived.by(() => this.current && !this.running && this.done === this.seen.length);

  scale = $derived.by((): Scale => {
    const { info, match } = this.play;
    if (info.players === 2) return 'win';
    return match.sheet?.fewest_moves ? 'moves' : 'points';
  });

  moves = $derived.by((): Graded[] => (this.current ? graded(this.seen, this.played, this.scale) : []));
  /** The values of the positions: player 1's share of a win in percent, moves over the optimum, or
   * the total that is expected. */
  values = $derived.by((): (number | null)[] => (this.current ? this.shown() : []));
  /** The moves that lost something that counts, in order. */
  mistakes = $derived(this.moves.filter(({ grade }) => grade === 'inaccuracy' || grade === 'mistake' || grade === 'blunder'));

  get error(): string | null {
    return this.search.error;
  }

  /** How well a player has played, 0 to 100. */
  accuracy = (player: number): number | null => accuracy(this.moves, player);

  /** What nature added in all, where it plays a part. */
  luck = $derived.by((): number | null => {
    const parts = this.moves.flatMap(({ luck }) => (luck === null ? [] : [luck]));
    return parts.length === 0 ? null : parts.reduce((sum, one) => sum + one, 0);
  });

  cancel = (): void => {
    this.running = false;
    this.search.cancel();
  };

  /** Reviews the whole game. */
  start = async (): Promise<void> => {
    this.cancel();
    this.play.help();
    const steps = this.play.match.steps;
    this.steps = steps;
    this.seen = Array.from({ length: steps.length + 1 }, () => NOTHING);
    this.done = 0;
    this.running = true;
    for (let ply = steps.length; ply >= 0; ply--) {
      const seen = await this.look(ply);
      if (!this.running || !this.current) return;
      if (seen) this.seen = this.seen.with(ply, seen);
      this.done += 1;
    }
    this.running = false;
  };

  /** Learns of a position that is shown, so that less is left to do at the end. */
  async prepare(ply: number): Promise<void> {
    if (!this.running) await this.look(ply);
  }

  private get played(): Move[] {
    return this.play.match.steps.map(({ player, action, reward, chance }) => ({ player, action, reward, chance: chance !== null }));
  }

  private async look(ply: number): Promise<Seen | null> {
    const { match, info } = this.play;
    if (ply === match.steps.length && match.end?.over) return this.atEnd();
    const place = match.placeAt(ply);
    const key = JSON.stringify(place);
    const known = this.known.get(key);
    if (known) return known;
    const asked = match.sheet?.fewest_moves ? PER_PROOF : info.solver ? { time_ms: 500 } : PER_POSITION;
    const reply = await this.search.run({ ...place, ...asked }, '');
    if (!reply) return null;
    const seen = this.read(reply, match.steps[ply]?.player ?? match.end?.to_move ?? 1);
    this.known.set(key, seen);
    return seen;
  }

  private read(reply: Report, mover: number): Seen {
    const value = reply.score ?? (reply.length != null ? -reply.length : (reply.value ?? null));
    const bound = reply.upper_bound ?? (reply.lower_bound != null ? -reply.lower_bound : null);
    const priced = (reply.considered ?? []).flatMap(({ action, value }) => (value === null ? [] : [[moveText(action), value] as const]));
    // The value of the best move alone compares nothing.
    const values = new Map(priced.length === reply.considered?.length ? priced : []);
    const best = reply.best ?? reply.moves?.[0];
    return {
      value: value !== null && this.scale === 'win' && mover === 2 ? -value : value,
      bound,
      proven: reply.proven ?? false,
      best: best === undefined ? null : moveText(best),
      values,
      choices: reply.considered?.length ?? null,
    };
  }

  private atEnd(): Seen {
    const winner = this.play.match.end?.winner;
    const value = this.scale !== 'win' ? 0 : winner === 1 ? 1 : winner === 2 ? -1 : 0;
    return { ...NOTHING, value, bound: value, proven: true };
  }

  private shown(): (number | null)[] {
    const values = settled(this.seen, this.played, this.scale);
    const first = values[0] ?? null;
    let total = 0;
    return values.map((value, ply) => {
      if (ply > 0) total += this.play.match.steps[ply - 1]?.reward ?? 0;
      if (value === null) return null;
      if (this.scale === 'win') return 50 * (1 + value);
      if (this.scale === 'points') return total + value;
      return first === null ? null : first - total - value;
    });
  }
}
