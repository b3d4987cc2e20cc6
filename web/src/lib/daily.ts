// Former's boards of the day, as one has solved them.

import { longestStreak, streak, today } from './dates';
import { read, update } from './storage';

export interface Day {
  /** The fewest moves of one's own, without help. */
  own?: number;
  /** Whether that was on the day itself. */
  timely?: boolean;
  /** Whether help was used before there was an own solution. */
  helped?: boolean;
  /** The fewest moves that a search found since, and whether fewer are impossible. */
  known?: number;
  proven?: boolean;
}

export type Days = Record<string, Day>;
export type Mark = 'done' | 'optimal' | 'helped';

const KEY = 'ludens-daily';
/** The last bin of the histogram has all that are further away. */
export const BINS = ['0', '+1', '+2', '+3', '+4', '5+'];

export const days = (): Days => read<Days>(KEY, {});

const change = (date: string, next: (day: Day) => Day): void => update<Days>(KEY, {}, (all) => ({ ...all, [date]: next(all[date] ?? {}) }));

/** Keeps a solution of one's own. */
export function solved(date: string, moves: number): void {
  change(date, (day) => {
    if (day.helped) return day;
    return { ...day, own: Math.min(day.own ?? moves, moves), timely: day.timely || date === today() };
  });
}

/** From now on nothing counts as one's own; what was there before stays. */
export function helped(date: string): void {
  change(date, (day) => ({ ...day, helped: true }));
}

/** Keeps what a search found about a board. */
export function known(date: string, moves: number, proven: boolean): void {
  change(date, (day) => (day.proven || (day.known ?? Infinity) < moves ? day : { ...day, known: moves, proven }));
}

/** The fewest moves known for a board: published, or found here. */
export function reference(date: string, day: Day | undefined, best: Record<string, number>): number | null {
  const all = [best[date], day?.known].filter((moves) => moves !== undefined);
  return all.length > 0 ? Math.min(...all) : null;
}

/** What a calendar shows of a day. */
export function mark(date: string, day: Day | undefined, best: Record<string, number>): Mark | null {
  if (day?.own === undefined) return day?.helped ? 'helped' : null;
  const fewest = reference(date, day, best);
  return fewest !== null && day.own <= fewest ? 'optimal' : 'done';
}

export interface Summary {
  solved: number;
  optimal: number;
  helped: number;
  streak: number;
  longest: number;
  /** How many solutions are how much longer than the best known. */
  histogram: number[];
}

export function summary(all: Days, best: Record<string, number>): Summary {
  const marks = Object.entries(all).map(([date, day]) => mark(date, day, best));
  const timely = new Set(Object.entries(all).flatMap(([date, day]) => (day.own !== undefined && day.timely ? [date] : [])));
  const histogram = BINS.map(() => 0);
  for (const [date, day] of Object.entries(all)) {
    const fewest = reference(date, day, best);
    if (day.own === undefined || fewest === null) continue;
    const bin = Math.min(BINS.length - 1, Math.max(0, day.own - fewest));
    histogram[bin] = (histogram[bin] ?? 0) + 1;
  }
  const count = (wanted: Mark) => marks.filter((one) => one === wanted).length;
  return {
    solved: count('done') + count('optimal'),
    optimal: count('optimal'),
    helped: count('helped'),
    streak: streak(timely),
    longest: longestStreak(timely),
    histogram,
  };
}

/** How a day went, without a word about how: ■ for each move of the best, □ for each more. */
export function row(own: number, fewest: number | null): string {
  const base = Math.min(own, fewest ?? own);
  return '■'.repeat(base) + '□'.repeat(own - base);
}
