// Puzzles of the day, as one has answered them.

import { streak, today } from './dates';
import { read, update } from './storage';

/** The first answer counts; boards with a par are tried as often as one likes. */
export interface Answer {
  /** Whether it was right, or par was reached. */
  right: boolean;
  action?: string;
  points?: number;
  /** Whether it was on the day itself. */
  timely: boolean;
}

const KEY = 'ludens-puzzles:';
/** Days of each game that are kept. */
const MOST = 400;

export const answers = (game: string): Record<string, Answer> => read<Record<string, Answer>>(KEY + game, {});

/** Keeps an answer, if it is the first or a better one of the same day. */
export function answer(game: string, date: string, given: Omit<Answer, 'timely'>): void {
  update<Record<string, Answer>>(KEY + game, {}, (all) => {
    const old = all[date];
    const better = old && given.points !== undefined && given.points > (old.points ?? 0);
    if (old && !better) return all;
    const next = { ...all, [date]: { ...given, timely: old?.right ? old.timely : date === today() } };
    const dates = Object.keys(next).sort().slice(-MOST);
    return Object.fromEntries(dates.map((day) => [day, next[day] as Answer]));
  });
}

/** Days in a row with a right answer on the day itself. */
export function streakOf(game: string): number {
  const right = Object.entries(answers(game)).filter(([, { right, timely }]) => right && timely);
  return streak(new Set(right.map(([date]) => date)));
}
