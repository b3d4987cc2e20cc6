import type { Play } from './play.svelte';
import { Search } from './search.svelte';

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
  private search = new Search();

  constructor(private play: Play) {}

  get error(): string | null {
    return this.search.error;
  }

  cancel = (): void => {
    this.running = false;
    this.search.cancel();
  };

  /** Reviews the whole game. */
  start = async (): Promise<void> => {
    const { match } = this.play;
    const steps = match.steps;
    this.running = true;
    this.losses = [];
    const values: (number | null)[] = [];
    for (let ply = 0; ply <= steps.length && this.running; ply++) {
      values.push(await this.look(ply));
      this.values = [...values];
    }
    this.losses = this.lost(values);
    this.running = false;
  };

  private async look(ply: number): Promise<number | null> {
    const { match, info, analyst } = this.play;
    const so_far = match.steps.slice(0, ply).reduce((sum, step) => sum + step.reward, 0);
    const solving = info.solvers.length > 0;
    const ended = ply === match.steps.length && match.sheet?.over && match.cursor === ply;
    if (ended) return this.atEnd(so_far);
    const asked = solving ? {} : { agent: analyst };
    const found = await this.search.run({ ...match.placeAt(ply), ...asked, time_ms: PER_POSITION_MS });
    if (!found) return null;
    if (solving) return so_far + (found.score ?? -(found.length ?? 0));
    if (found.value === undefined || found.value === null) return null;
    if (info.players === 1) return so_far + found.value;
    return match.steps[ply]?.player === 2 || (ply === match.steps.length && match.sheet?.to_move === 2) ? -found.value : found.value;
  }

  private atEnd(total: number): number | null {
    const { match, info } = this.play;
    if (info.players === 1) return total;
    const winner = match.sheet?.winner;
    return winner === 1 ? 1 : winner === 2 ? -1 : winner === 0 ? 0 : null;
  }

  /** The moves that lost most, the worst first. */
  private lost(values: (number | null)[]): Loss[] {
    const losses = this.play.match.steps.map((step, i): Loss => {
      const [before, after] = [values[i], values[i + 1]];
      const fall = before == null || after == null ? 0 : before - after;
      return { ply: i + 1, action: step.action, lost: step.player === 2 ? -fall : fall };
    });
    return losses.filter(({ lost }) => lost > 0.005).sort((a, b) => b.lost - a.lost).slice(0, 5);
  }
}
