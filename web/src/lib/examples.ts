// Small positions on which the rules can be tried, by game.

import type { Place } from './types';

export const examples: Record<string, Place[]> = {
  former: [{ game: 'former:rows=4,cols=5,shapes=3', position: '01222002212111200102' }],
  samegame: [{ game: 'samegame:rows=5,cols=6,colours=3', position: '010220002222200011101021200201' }],
  morpion: [{ game: 'morpion' }],
  '2048': [{ game: '2048', position: '0,0,0,0/2,2,0,4/0,0,0,0/8,0,8,0' }],
  '2584': [{ game: '2584', position: '1,1,0,0/1,2,0,0/3,0,5,0/0,0,0,0' }],
  threes: [{ game: 'threes', position: '3,3,3,0/2,1,2,3/1,0,0,0/0,0,1,0 2 1.1.0' }],
  sevn: [
    { game: 'sevn:base=3', position: '1/aaa/bab.abc.cca' },
    { game: 'sevn', random: 5, plies: 6 },
  ],
  'connect-four': [
    { game: 'connect-four', position: '......./......./......./...X.../O..X.../O..X..O' },
    { game: 'connect-four', position: '......./......./......./......./.XX..../XOOO...' },
  ],
  othello: [{ game: 'othello', moves: ['f5', 'd6'] }],
  togyzkumalak: [{ game: 'togyzkumalak' }],
};
