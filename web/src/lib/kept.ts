// What the browser remembers: best lengths found, and finished games.

export interface KeptGame {
  game: string;
  when: number;
  moves: number;
  result: string;
  link: string;
}

const GAMES = 'ludens-games';
const BEST = 'ludens-best';
const MOST = 200;

function read<T>(key: string, none: T): T {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? none;
  } catch {
    return none;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export const keptGames = (): KeptGame[] => read<KeptGame[]>(GAMES, []);

/** Keeps a finished game, the newest first, each link once. */
export function keepGame(game: KeptGame): void {
  const others = keptGames().filter(({ link }) => link !== game.link);
  write(GAMES, [game, ...others].slice(0, MOST));
}

/** The best figure found for a board, if there is one. */
export const bestFor = (board: string): number | null => read<Record<string, number>>(BEST, {})[board] ?? null;

/** Keeps a figure if it is better than the one known. */
export function keepBest(board: string, figure: number, fewer: boolean): void {
  const all = read<Record<string, number>>(BEST, {});
  const known = all[board];
  if (known !== undefined && (fewer ? known <= figure : known >= figure)) return;
  write(BEST, { ...all, [board]: figure });
}
