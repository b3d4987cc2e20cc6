// Texts of saved games, of boards and puzzles of the day, and of two people at one screen.

import { choose } from './choose.svelte';

const en = {
  howToPlay: 'How to play',
  daily: 'Daily',
  myGames: 'My games',
  continueGame: 'Continue',
  underWay: (moves: number) => (moves === 1 ? '1 move played' : `${moves} moves played`),
  marks: { done: 'solved', optimal: 'solved with the fewest moves known', helped: 'with help' } as Record<string, string>,
  locked: 'not yet',
  together: 'Two people on one screen',
  nameOf: (player: number) => `Name of player ${player}`,
  turn: 'Turn the board to player 2',
  asksBack: (who: string, move: string, other: string) => `${who} asks to take back ${move}. ${other}, do you agree?`,
  agree: 'Yes, take it back',
  disagree: 'No',
  rate: 'Your rating',
  rateAbout: 'This game can count: it is entered into the ratings on the Results page under your name.',
  yourName: 'Your name',
  nameRule: 'up to 24 letters and digits, without blanks',
  enter: 'Enter the game',
  enterAlways: 'Always enter my games',
  entered: 'The game is among the ratings.',
  person: 'person',
};

const nb: typeof en = {
  howToPlay: 'Slik spiller du',
  daily: 'Daglig',
  myGames: 'Mine partier',
  continueGame: 'Fortsett',
  underWay: (moves) => `${moves} trekk spilt`,
  marks: { done: 'løst', optimal: 'løst med færrest kjente trekk', helped: 'med hjelp' },
  locked: 'ikke ennå',
  together: 'To personer ved én skjerm',
  nameOf: (player) => `Navnet til spiller ${player}`,
  turn: 'Snu brettet mot spiller 2',
  asksBack: (who, move, other) => `${who} ber om å ta tilbake ${move}. ${other}, er du enig?`,
  agree: 'Ja, ta det tilbake',
  disagree: 'Nei',
  rate: 'Din rating',
  rateAbout: 'Dette partiet kan telle: det føres inn i ratingen på siden Resultater under navnet ditt.',
  yourName: 'Navnet ditt',
  nameRule: 'opptil 24 bokstaver og sifre, uten mellomrom',
  enter: 'Før inn partiet',
  enterAlways: 'Før alltid inn partiene mine',
  entered: 'Partiet er med i ratingen.',
  person: 'person',
};

export const loop = choose({ en, nb });
