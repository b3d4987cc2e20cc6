/** How the pieces of a game are drawn. A game without a skin shows its texts. */
export type Skin = 'shapes' | 'numbers' | 'tiles' | 'drop' | 'discs' | 'pits' | 'bare' | 'lines' | 'plain';

const SKINS: Record<string, Skin> = {
  former: 'shapes',
  samegame: 'shapes',
  morpion: 'lines',
  '2048': 'numbers',
  '2584': 'numbers',
  threes: 'numbers',
  sevn: 'tiles',
  'connect-four': 'drop',
  othello: 'discs',
  togyzkumalak: 'pits',
};

/** The game's name without its variant. */
export const nameOf = (spec: string): string => spec.split(':')[0] ?? spec;

export const skinOf = (spec: string): Skin => SKINS[nameOf(spec)] ?? 'plain';

/** Width and height of a cell in the units of the drawing. */
export const cellSize = (skin: Skin): [number, number] => (skin === 'pits' || skin === 'bare' ? [100, 190] : [100, 100]);

/** The letter that stands for a colour where colours are not to be told apart. */
export const LETTERS: Record<string, string> = {
  red: 'R',
  orange: 'O',
  yellow: 'Y',
  green: 'G',
  cyan: 'C',
  blue: 'B',
  purple: 'U',
  pink: 'P',
  brown: 'N',
  grey: 'E',
  strong: 'S',
};

/** 0 to 11: how far a number has grown, for its shade. */
export function level(text: string): number {
  const value = Number(text);
  return Number.isFinite(value) && value > 0 ? Math.min(11, Math.floor(Math.log2(value))) : 0;
}
