import { moveText } from './plan.svelte';
import type { Play } from './play.svelte';
import { Search, subjectOf } from './search.svelte';
import { settings } from './settings.svelte';
import { figure, t } from './text/index.svelte';
import type { Report, Sheet } from './types';

/** How long a proof may take: what is proven is shown as it comes. */
const LIMIT_MS = 30_000;

/** What is proven of a move: its exact worth to the mover, or bounds that are still apart. */
export interface Worth {
  action: string;
  low: number;
  high: number;
}

/** A worth as it is shown: beside the move, and in a sentence. */
export interface Label {
  action: string;
  short: string;
  told: string;
  tone: 'good' | 'even' | 'bad' | 'open';
  /** Whether it is the exact worth, not only who wins. */
  exact: boolean;
  /** Whether no move is worth more. */
  best: boolean;
}

/** Exact values of the moves of the position shown, by the game's prover: estimates are none of them. */
export class Exact {
  search = new Search();

  constructor(private play: Play) {}

  private get solver(): string | undefined {
    const { adviser, solvers } = this.play.info;
    // Where perfect play advises there is a prover; Former has its costs of moves.
    return adviser === 'perfect' ? 'prover' : solvers.find(({ name, unusable }) => name === 'costs' && unusable === null)?.name;
  }

  /** Whether the game has them. */
  offered = $derived.by(() => this.solver !== undefined);
  private subject = $derived.by(() => subjectOf(this.play.match.sheet, 'exact'));
  /** Whether they are wanted, and about the position shown. */
  current = $derived.by(() => settings.exact && this.search.subject !== '' && this.search.subject === this.subject);
  private report = $derived(this.current ? this.search.report : null);
  labels = $derived.by((): Label[] => {
    const [sheet, report] = [this.play.match.sheet, this.report];
    if (!sheet || !report) return [];
    const all = worths(report);
    const most = Math.max(...all.map(({ high }) => high));
    return all.map((worth) => ({ ...labelled(worth, report.unit, sheet), exact: worth.low === worth.high, best: worth.low === most }));
  });
  /** Whether all that is shown is exact. */
  proven = $derived(this.labels.length > 0 && this.labels.every(({ exact }) => exact));
  /** How the mover of a game for two stands under best play: 1, 0 or -1; `null` where that is not proven. */
  result = $derived.by((): number | null => {
    const all = this.report && this.play.info.players === 2 ? worths(this.report) : [];
    const [low, high] = [Math.max(...all.map((one) => one.low)), Math.max(...all.map((one) => one.high))];
    return all.length > 0 && Math.sign(low) === Math.sign(high) ? Math.sign(low) : null;
  });

  /** Proves what the moves of the position shown are worth. */
  ask = async (): Promise<void> => {
    const { match } = this.play;
    if (!match.sheet || match.sheet.over || this.current) return;
    this.play.help();
    const how = this.solver === 'costs' ? { costs: true } : { prove: true };
    await this.search.run({ ...match.placeAt(match.cursor), ...how, time_ms: LIMIT_MS }, this.subject);
  };

  /** Ends a search about a position that is shown no longer. */
  leave(): void {
    if (!this.current) this.search.clear();
  }
}

/** The moves of a reply with their bounds, the best first. */
export function worths({ values, costs }: Report): Worth[] {
  const bounds = (worth: number | [number, number]): [number, number] => (Array.isArray(worth) ? worth : [worth, worth]);
  const all = costs
    ? costs.map(({ action, cost }) => ({ action: moveText(action), bounds: bounds(cost).map((one) => -one).reverse() }))
    : Object.entries(values ?? {}).map(([action, value]) => ({ action, bounds: bounds(value) }));
  return all
    .map(({ action, bounds: [low = 0, high = 0] }) => ({ action, low, high }))
    .sort((a, b) => b.low - a.low || b.high - a.high);
}

function labelled(worth: Worth, unit: string | undefined, sheet: Sheet): Omit<Label, 'best' | 'exact'> {
  const { action, low, high } = worth;
  if (sheet.fewest_moves) return moves(action, -high, -low);
  const decided = low === high || (unit !== undefined && low * high > 0);
  if (!decided) return { action, short: '?', told: t('exactOpen'), tone: 'open' };
  const tone: Label['tone'] = unit === undefined || low === 0 ? 'even' : low > 0 ? 'good' : 'bad';
  const by = (short: string, told: string) => ({ action, short, told: `${told}: ${t('provenValue')}`, tone });
  // Who wins is known before it is known by how much or how soon.
  if (low !== high) return by(t('exactResult')(low > 0), t('exactResults')(low > 0));
  if (unit === undefined) return by(figure(low, 1), t('exactPoints')(figure(low, 1)));
  if (low === 0) return by(t('exactDraw'), t('exactDraws'));
  if (unit === 'discs') return by(`${low > 0 ? '+' : '−'}${Math.abs(low)}`, t('exactDiscs')(low));
  if (unit === 'score') {
    const left = movesLeft(low, sheet);
    return by(t('exactIn')(low > 0, left), t('exactWinsIn')(low > 0, left));
  }
  return by(t('exactResult')(low > 0), t('exactResults')(low > 0));
}

/** What a move of a puzzle loses. */
function moves(action: string, least: number, most: number): Omit<Label, 'best' | 'exact'> {
  // Of a move that may cost nothing there is nothing to say yet.
  if (least !== most) return { action, short: least > 0 ? `≥${least}` : '', told: t('exactCostOpen')(least, most), tone: 'open' };
  const told = `${least === 0 ? t('exactFree') : t('exactCost')(least)}: ${t('provenValue')}`;
  return { action, short: least === 0 ? '✓' : `+${least}`, told, tone: least === 0 ? 'good' : 'bad' };
}

/** A score of Connect Four counts the stones that the winner keeps: the winner's own moves up to the four. */
export function movesLeft(score: number, { view }: Pick<Sheet, 'view'>): number {
  const stones = view.cells.filter(({ text }) => text.trim() !== '').length;
  const last = view.cells.length + 2 - 2 * Math.abs(score);
  // The winner moves now if the mover wins, else after that; of two stones one is the winner's.
  const first = score > 0 ? stones + 1 : stones + 2;
  return Math.floor((last - first) / 2) + 1;
}
