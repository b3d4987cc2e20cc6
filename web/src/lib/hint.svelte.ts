import { announce } from './announce.svelte';
import type { Play } from './play.svelte';
import { moveText } from './plan.svelte';
import { Search, subjectOf } from './search.svelte';
import { figure, moveName, t } from './text/index.svelte';
import type { Report, Sheet } from './types';

/** How long a hint may take. */
const HINT_MS = 200;
/** Moves of the expected line that a reason names. */
const NAMED = 4;

/** A hint in stages: an idea, the move, the reason. Each position has a search of its own. */
export class Hint {
  /** Looks for it. */
  search = new Search();
  /** 0: none, 1: the idea, 2: the move too, 3: the reason too. */
  private told = $state(0);

  constructor(private play: Play) {}

  private get subject(): string {
    return subjectOf(this.play.match.sheet, this.play.thinker);
  }

  /** Whether what was found is about the position shown. */
  current = $derived.by(() => this.search.subject !== '' && this.search.subject === this.subject);
  stage = $derived(this.current && this.search.finished ? this.told : 0);

  private report = $derived(this.stage > 0 ? this.search.report : null);
  /** What to look for. */
  idea = $derived.by(() => (this.report ? ideaOf(this.report, this.play) : ''));
  /** The move, once it may be seen. */
  move = $derived.by(() => (this.report && this.stage >= 2 ? bestOf(this.report) : null));
  reason = $derived.by(() => (this.report && this.stage >= 3 ? reasonOf(this.report, this.play) : ''));
  /** The cells of the move. */
  cells = $derived.by(() => this.play.match.sheet?.actions.find(({ text }) => text === this.move)?.cells ?? []);

  /** Forgets it: who comes back to the position asks again. */
  clear(): void {
    this.told = 0;
    this.search.clear();
  }

  /** Tells more. */
  more = async (): Promise<void> => {
    const { match, info, thinker } = this.play;
    if (!match.sheet || match.sheet.over) return;
    if (this.stage === 0) {
      this.told = 0;
      const by = info.solver ? {} : { agent: thinker };
      const found = await this.search.run({ ...match.placeAt(match.cursor), ...by, time_ms: HINT_MS }, this.subject);
      if (!found || !this.current || !bestOf(found)) return;
      this.play.help();
    }
    this.told = Math.min(3, this.told + 1);
    announce([this.idea, this.move ? t('recommended')(moveName(this.move)) : '', this.reason].filter(Boolean).join(' '));
  };
}

const bestOf = (report: Report): string | null => {
  const best = report.best ?? report.moves?.[0] ?? report.line?.[0];
  return best === undefined || best === null ? null : moveText(best);
};

/** Which part of the board the move is in. */
function where(sheet: Sheet, cells: readonly number[]): string {
  const { rows, cols, control } = sheet.view;
  if (cells.length === 0 || control === 'slide') return '';
  const third = (sum: number, size: number) => Math.min(2, Math.floor((3 * (sum / cells.length + 0.5)) / size));
  const row = third(cells.reduce((sum, cell) => sum + Math.floor(cell / cols), 0), rows);
  const col = third(cells.reduce((sum, cell) => sum + (cell % cols), 0), cols);
  return t('hintWhere')(rows < 4 ? 1 : row, cols < 4 ? 1 : col);
}

function ideaOf(report: Report, { match }: Play): string {
  const sheet = match.sheet as Sheet;
  const best = bestOf(report);
  const legal = sheet.actions.find(({ text }) => text === best);
  const stands = sheet.players === 2 ? standing(report) : promise(report, sheet);
  const along = sheet.view.control === 'slide' && best ? t('hintAlong')(best === 'left' || best === 'right') : '';
  return [stands, along || where(sheet, legal?.cells ?? [])].filter(Boolean).join(' ');
}

/** How the mover of a game for two stands. */
function standing(report: Report): string {
  const value = report.value ?? null;
  if (value === null) return '';
  if (report.proven) return value > 0 ? t('hintWins') : value < 0 ? t('hintLoses') : t('hintDraws');
  return t('hintStands')(Math.round(50 * (1 + Math.max(-1, Math.min(1, value)))));
}

/** What can still be had in a game for one. */
function promise(report: Report, sheet: Sheet): string {
  if (sheet.fewest_moves && report.length != null) return t('hintMoves')(report.length, report.proven ?? false);
  const value = report.score ?? report.value ?? null;
  return value === null ? '' : t('hintPoints')(figure(value));
}

/** What follows the move, and how much the next best is behind. */
function reasonOf(report: Report, { match }: Play): string {
  const line = (report.moves ?? report.line ?? []).map(moveText).slice(1, 1 + NAMED);
  const parts = line.length > 0 ? [t('hintThen')(line.join(' '))] : [];
  const [best, second] = (report.considered ?? [])
    .flatMap(({ action, value }) => (value === null ? [] : [{ action: moveText(action), value }]))
    .sort((a, b) => b.value - a.value);
  if (best && second) {
    const behind = best.value - second.value;
    const shown = match.sheet?.players === 2 ? `${figure(50 * behind, 1)} %` : t('points')(Math.round(behind));
    parts.push(behind > 0 ? t('hintSecond')(moveName(second.action), shown) : t('hintEqual')(moveName(second.action)));
  }
  return parts.join(' ') || t('hintOnly');
}
