import type { Component } from 'svelte';
import type { Play } from '../lib/play.svelte';
import type { Sheet } from '../lib/types';
import type { BoardProps } from './Board.svelte';
import { nameOf } from './skin';

/** What a game's own board is given. */
export interface OwnBoardProps {
  play: Play;
  sheet: Sheet;
  /** What the plain grid would show: an own board adds to it. */
  grid: BoardProps;
  /** Slides tiles: `up`, `right`, `down` or `left`. */
  slide: (direction: string) => void;
}

interface Own {
  load: () => Promise<{ default: Component<OwnBoardProps> }>;
  /** The facts that it shows itself. */
  facts?: readonly string[];
}

const TILES: Own = { load: () => import('./own/Tiles.svelte'), facts: ['hint'] };

/** The boards that games have of their own, loaded when one is shown. Others are drawn as a grid. */
const OWN: Record<string, Own> = {
  '2048': TILES,
  '2584': TILES,
  threes: TILES,
  sevn: { load: () => import('./own/Sevn.svelte'), facts: ['scores'] },
  'connect-four': { load: () => import('./own/ConnectFour.svelte') },
  othello: { load: () => import('./own/Othello.svelte'), facts: ['discs_x', 'discs_o'] },
  togyzkumalak: { load: () => import('./own/Togyzkumalak.svelte'), facts: ['store_1', 'store_2', 'tuzdyk_1', 'tuzdyk_2'] },
  morpion: { load: () => import('./own/Morpion.svelte') },
};

/** Whether a game has a board of its own. */
export const hasOwn = (spec: string): boolean => nameOf(spec) in OWN;

/** Whether a game's own board shows a fact. */
export const showsFact = (spec: string, name: string): boolean => OWN[nameOf(spec)]?.facts?.includes(name) ?? false;

/** Boards that are here: they are shown at once. */
const LOADED = new Map<string, Component<OwnBoardProps>>();

/** A game's own board if it is here; `undefined` if it is not known yet. */
export const loadedBoard = (spec: string): Component<OwnBoardProps> | undefined => LOADED.get(nameOf(spec));

/** A game's own board; `null` where there is none, or it cannot be had now. */
export async function ownBoard(spec: string): Promise<Component<OwnBoardProps> | null> {
  try {
    const found = (await OWN[nameOf(spec)]?.load())?.default ?? null;
    if (found) LOADED.set(nameOf(spec), found);
    return found;
  } catch {
    return null;
  }
}
