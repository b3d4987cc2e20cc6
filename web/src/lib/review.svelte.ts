import type { Play } from './play.svelte';
import { moveText } from './plan.svelte';
import { Search } from './search.svelte';
import type { Report, Step } from './types';

/** Time per position of a review. */
const PER_POSITION_MS = 250;

/** What a move cost. */
export interface Loss {
  ply: number;
  action: string;
  lost: number;
}

/** Looks at every position of a game, one after another. */
export class Review {
  /** The evaluation of each position, `null` where there is none: player 1's
   * share in games with winners, the expected end result elsewhere. */
  values = $state.raw<(number | null)[]>([]);
  losses = $state.raw<Loss[]>([]);
  running = $state(false);
  /** The moves it is about, and who was asked. */
  private steps = $state.raw<Step[] | null>(null);
  private by = $state('');
  private search = new Search();

  constructor(private play: Play) {}

  /** Whether it is about the game shown. */
  current = $derived.by(() => this.steps === this.play.match.steps && this.by === this.play.analyst);

  get error(): string | null {
    return this.search.error;
  }

  cancel = (): void => {
    this.running = false;
    this.search.cancel();
  };

  /** Reviews the whole game. */
  start = async (): Promise<void> => {
    this.cancel();
    const steps = this.play.match.steps;
    [this.steps, this.by] = [steps, this.play.analyst];
    this.running = true;
    this.losses = [];
    this.values = [];
    const values: (number | null)[] = [];
    const replies: (Report | null)[] = [];
    for (let ply = 0; ply <= steps.length; ply++) {
      const reply = this.isEnd(ply) ? null : await this.ask(ply);
      if (!this.running || !this.current) return;
      values.push(this.value(ply, reply));
      replies.push(reply);
      this.values = [...values];
    }
    const losses = steps.map((step, i): Loss => ({ ply: i + 1, action: step.action, lost: lost(step, replies[i], values[i], values[i + 1]) }));
    this.losses = losses.filter(({ lost }) => lost > 0.005).sort((a, b) => b.lost - a.lost).slice(0, 5);
    this.running = false;
  };

  private ask(ply: number): Promise<Report | null> {
    const { match, info, analyst } = this.play;
    const asked = info.solver ? {} : { agent: analyst };
    return this.search.run({ ...match.placeAt(ply), ...asked, time_ms: PER_POSITION_MS }, '');
  }

  private isEnd(ply: number): boolean {
    const { match } = this.play;
    return ply === match.steps.length && (match.end?.over ?? false);
  }

  private value(ply: number, reply: Report | null): number | null {
    const { match, info } = this.play;
    const so_far = match.steps.slice(0, ply).reduce((sum, step) => sum + step.reward, 0);
    if (this.isEnd(ply)) return this.atEnd(so_far);
    if (!reply) return null;
    if (info.solver) return so_far + (reply.score ?? -(reply.length ?? 0));
    if (reply.value === undefined || reply.value === null) return null;
    if (info.players === 1) return so_far + reply.value;
    return match.steps[ply]?.player === 2 || (ply === match.steps.length && match.end?.to_move === 2) ? -reply.value : reply.value;
  }

  private atEnd(total: number): number | null {
    const { match, info } = this.play;
    if (info.players === 1) return total;
    const winner = match.end?.winner;
    return winner === 1 ? 1 : winner === 2 ? -1 : winner === 0 ? 0 : null;
  }
}

/** What a move cost: in games of luck by what the best move of the same position was worth,
 * because what comes after is nature's too; elsewhere by what the game was worth before and after. */
function lost(step: Step, reply: Report | null | undefined, before?: number | null, after?: number | null): number {
  if (step.chance !== null) {
    const worth = (reply?.considered ?? []).flatMap(({ action, value }) => (value === null ? [] : [{ action: moveText(action), value }]));
    const played = worth.find(({ action }) => action === step.action);
    return played ? Math.max(...worth.map(({ value }) => value)) - played.value : 0;
  }
  const fall = before == null || after == null ? 0 : before - after;
  return step.player === 2 ? -fall : fall;
}
