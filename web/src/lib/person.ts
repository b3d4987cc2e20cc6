// The person's name in the ratings, as the browser keeps it.

import * as api from './api';
import { markRated } from './history';
import { HUMAN, type Play } from './play.svelte';
import { movesOf, movesText } from './share';
import { read, write } from './storage';

export interface Person {
  name: string;
  /** Whether finished games are entered without asking. */
  always: boolean;
}

const KEY = 'ludens-person';
/** As the server checks it. */
export const NAME = /^[\p{L}\p{N}_-]{1,24}$/u;

export const person = (): Person => read<Person>(KEY, { name: '', always: false });
export const keepPerson = (one: Person): void => void write(KEY, one);

/** Whether the game shown may count: a whole game of one's own against an agent, which knows winners. */
export function mayCount({ match, info, seats, began, helped, whole }: Play): boolean {
  const people = seats.slice(0, info.players).filter((seat) => seat === HUMAN).length;
  return match.sheet?.winner != null && people === 1 && info.players === 2 && whole && !helped && began.join() === seats.join();
}

/** Enters the game shown into the ratings. */
export async function enterGame({ match, seats }: Play, name: string): Promise<void> {
  const [one, two] = seats;
  const place = { game: match.game, seed: match.seed, moves: movesOf(movesText(match.steps)), one, two };
  await api.enter(name, (await api.record(place)).record);
  markRated(match.seed);
}
