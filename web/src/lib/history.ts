// Finished games, as the browser keeps them.

import { read, update } from './storage';

export type Outcome = 'won' | 'drawn' | 'lost';

export interface KeptGame {
  game: string;
  when: number;
  moves: number;
  /** In the words of the day. */
  result: string;
  link: string;
  /** The rest is missing in games that older pages kept. */
  seed?: number;
  start?: string;
  line?: string;
  date?: string | null;
  seats?: string[];
  names?: string[];
  helped?: boolean;
  whole?: boolean;
  points?: number;
  /** How it ended for the person, where one played against an agent. */
  outcome?: Outcome;
  /** Whether it is among the ratings. */
  rated?: boolean;
}

const GAMES = 'ludens-games';
const MOST = 200;
/** Letters of all moves at most: the oldest games lose theirs. */
const LETTERS = 1_500_000;

export const keptGames = (): KeptGame[] => read<KeptGame[]>(GAMES, []);

export const keptGame = (seed: number): KeptGame | undefined => keptGames().find((game) => game.seed === seed);

/** Keeps a finished game, the newest first, each once. */
export function keepGame(game: KeptGame): void {
  update<KeptGame[]>(GAMES, [], (kept) => {
    const others = kept.filter(({ link, seed }) => link !== game.link && (seed === undefined || seed !== game.seed));
    let letters = 0;
    return [game, ...others].slice(0, MOST).map((one) => {
      letters += one.line?.length ?? 0;
      return letters > LETTERS ? { ...one, line: undefined } : one;
    });
  });
}

export function markRated(seed: number): void {
  update<KeptGame[]>(GAMES, [], (kept) => kept.map((game) => (game.seed === seed ? { ...game, rated: true } : game)));
}

export function forgetGame(link: string): void {
  update<KeptGame[]>(GAMES, [], (kept) => kept.filter((game) => game.link !== link));
}
