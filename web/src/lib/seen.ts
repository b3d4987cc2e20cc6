// Which games a person has seen the rules of.

import { read, update } from './storage';

const KEY = 'ludens-seen';

/** Whether a game is visited for the first time; it is not any more after that. */
export function isFirst(game: string): boolean {
  const first = !read<string[]>(KEY, []).includes(game);
  if (first) update<string[]>(KEY, [], (seen) => [...seen, game]);
  return first;
}
