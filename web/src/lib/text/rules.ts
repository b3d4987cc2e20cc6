// The rules of the games for people who have never played them.

import { choose } from './choose.svelte';

interface Rules {
  goal: string;
  move: string;
  end: string;
  /** What to try on each example. */
  tries: string[];
}

const en = {
  goal: 'Goal',
  move: 'Move',
  end: 'End',
  tryIt: 'Try it',
  moved: 'That was a move.',
  over: 'That ended the game.',
  again: 'Once more',
  ready: 'Play',
  forTwo: 'For two',
  adversary: 'The second player puts the new tiles on the board and wants the first to score little; the first player slides as usual.',
  games: {
    former: {
      goal: 'Empty the board in as few moves as you can.',
      move: 'Point at a group: pieces of the same shape that touch side by side. It goes, and what lies above falls down. A single piece is a group too.',
      end: 'The board is empty. Everybody gets the same board each day; the number of moves is your result.',
      tries: ['Remove a group and watch what falls together.'],
    },
    samegame: {
      goal: 'Make as many points as you can, and empty the board for a bonus of 1,000.',
      move: 'Point at a group of at least two blocks of one colour. A group of n blocks pays (n − 2)² points, so large ones are worth far more. Blocks fall down, and empty columns close.',
      end: 'No two blocks of one colour touch any more.',
      tries: ['Remove a small group so that a larger one comes together.'],
    },
    morpion: {
      goal: 'Draw as many lines as you can.',
      move: 'Add a point that makes five in a row with four others, across, down or diagonally; the line is drawn with it. Two lines of one direction share no point.',
      end: 'No line can be drawn any more.',
      tries: ['Point at one of the dashed circles.'],
    },
    '2048': {
      goal: 'Build tiles as large as you can. Each one that you make pays its value.',
      move: 'Slide all tiles up, right, down or left. Two equal tiles that meet become one of twice the value. Then a new 2, or now and then a 4, appears.',
      end: 'Nothing can slide any more. Reaching 2048 does not end the game.',
      tries: ['Slide left: the twos meet, and so do the eights.'],
    },
    '2584': {
      goal: 'Build tiles as large as you can. Each one that you make pays its value.',
      move: 'Slide as in 2048. Tiles are 1, 2, 3, 5, 8, 13 and so on, each the sum of the two before; neighbours of this series join, and so do two 1s.',
      end: 'Nothing can slide any more.',
      tries: ['Slide left: 1 and 1 make 2, 1 and 2 make 3, 3 and 5 make 8.'],
    },
    threes: {
      goal: 'Build tiles as large as you can; large ones are worth far more than many small ones.',
      move: 'Slide: everything moves one cell at most. 1 and 2 make 3; from 3 on, equal tiles join. The next tile is told beforehand and comes in from the side you slid away from.',
      end: 'Nothing can slide any more.',
      tries: ['Slide and see that tiles go one step only.'],
    },
    sevn: {
      goal: 'Own more colours than your opponent, or take all tiles of one colour and win at once.',
      move: 'Take one or more tiles of a single colour. A tile can be taken when it is free above or below and also free to the left or right, like a corner.',
      end: 'One player has all tiles of a colour, or the board is empty: then whoever took more tiles of a colour owns it.',
      tries: ['Pick a corner, or both corners of the same letter, and take them.', 'On a full board other tiles become corners: pick and take.'],
    },
    'connect-four': {
      goal: 'Get four stones in a row: across, down or diagonally.',
      move: 'Choose a column. The stone falls on the lowest free cell.',
      end: 'Four in a row win at once. A full board without four is a draw.',
      tries: ['Three stand above each other: win.', 'The other side has three in a row: stop it.'],
    },
    othello: {
      goal: 'Have more discs than your opponent at the end.',
      move: 'Put a disc so that one or more straight lines of your opponent’s discs lie between it and another disc of yours. All of them turn over. Who can turn nothing passes.',
      end: 'Neither can move. More discs win.',
      tries: ['Black is to move: enclose a white disc.'],
    },
    togyzkumalak: {
      goal: 'Collect at least 82 of the 162 balls in your store.',
      move: 'Empty one of your pits. One ball stays, the others go one by one into the next pits, counter-clockwise. If the last one makes an even number in a pit of your opponent, you take them all. If it makes three, the pit can become your tuzdyk once: from then on its balls are yours.',
      end: 'Somebody has 82, or the player to move has no balls; the other then takes what is left on its own side.',
      tries: ['The lower row is yours: sow a pit and see where the last ball falls.'],
    },
  } as Record<string, Rules>,
};

const nb: typeof en = {
  goal: 'Mål',
  move: 'Trekk',
  end: 'Slutt',
  tryIt: 'Prøv selv',
  moved: 'Det var et trekk.',
  over: 'Det avgjorde spillet.',
  again: 'En gang til',
  ready: 'Spill',
  forTwo: 'For to',
  adversary: 'Den andre spilleren legger de nye brikkene på brettet og vil at den første skal få lite; den første skyver som vanlig.',
  games: {
    former: {
      goal: 'Tøm brettet med så få trekk du kan.',
      move: 'Pek på en gruppe: brikker med samme form som ligger side mot side. Den forsvinner, og det som ligger over, faller ned. Én brikke alene er også en gruppe.',
      end: 'Brettet er tomt. Alle får det samme brettet hver dag; antall trekk er resultatet ditt.',
      tries: ['Fjern en gruppe og se hva som faller sammen.'],
    },
    samegame: {
      goal: 'Få så mange poeng du kan, og tøm brettet for 1000 ekstra.',
      move: 'Pek på en gruppe på minst to brikker med samme farge. En gruppe på n brikker gir (n − 2)² poeng, så store grupper er verdt langt mer. Brikker faller ned, og tomme kolonner lukkes.',
      end: 'Ingen brikker med samme farge ligger inntil hverandre lenger.',
      tries: ['Fjern en liten gruppe slik at en større kommer sammen.'],
    },
    morpion: {
      goal: 'Tegn så mange linjer du kan.',
      move: 'Legg til et punkt som gir fem på rad sammen med fire andre, bortover, nedover eller på skrå; linjen tegnes samtidig. To linjer i samme retning deler ikke noe punkt.',
      end: 'Ingen linje kan tegnes lenger.',
      tries: ['Pek på en av de stiplede sirklene.'],
    },
    '2048': {
      goal: 'Bygg så store brikker du kan. Hver du lager, gir sin verdi i poeng.',
      move: 'Skyv alle brikkene opp, til høyre, ned eller til venstre. To like brikker som møtes, blir én med dobbel verdi. Så kommer en ny 2-er, av og til en 4-er.',
      end: 'Ingenting kan skyves lenger. Spillet slutter ikke ved 2048.',
      tries: ['Skyv til venstre: toerne møtes, og åtterne også.'],
    },
    '2584': {
      goal: 'Bygg så store brikker du kan. Hver du lager, gir sin verdi i poeng.',
      move: 'Skyv som i 2048. Brikkene er 1, 2, 3, 5, 8, 13 og så videre, hver summen av de to før; naboer i denne rekken slås sammen, og det gjør to 1-ere også.',
      end: 'Ingenting kan skyves lenger.',
      tries: ['Skyv til venstre: 1 og 1 blir 2, 1 og 2 blir 3, 3 og 5 blir 8.'],
    },
    threes: {
      goal: 'Bygg så store brikker du kan; store er verdt langt mer enn mange små.',
      move: 'Skyv: alt flytter høyst ett felt. 1 og 2 blir 3; fra 3 og oppover slås like brikker sammen. Neste brikke fortelles på forhånd og kommer inn fra siden du skjøv bort fra.',
      end: 'Ingenting kan skyves lenger.',
      tries: ['Skyv og se at brikkene bare går ett skritt.'],
    },
    sevn: {
      goal: 'Eie flere farger enn motstanderen, eller ta alle brikkene i én farge og vinne med en gang.',
      move: 'Ta én eller flere brikker i én farge. En brikke kan tas når det er fritt over eller under den og også fritt til venstre eller høyre, som i et hjørne.',
      end: 'Én spiller har alle brikkene i en farge, eller brettet er tomt: da eier den som tok flest av en farge, fargen.',
      tries: ['Velg et hjørne, eller begge hjørnene med samme bokstav, og ta dem.', 'På et stort brett blir andre brikker til hjørner: velg og ta.'],
    },
    'connect-four': {
      goal: 'Få fire på rad: bortover, nedover eller på skrå.',
      move: 'Velg en kolonne. Brikken faller ned på det laveste ledige feltet.',
      end: 'Fire på rad vinner med en gang. Et fullt brett uten fire er uavgjort.',
      tries: ['Tre står over hverandre: vinn.', 'Den andre har tre på rad: stopp det.'],
    },
    othello: {
      goal: 'Ha flere brikker enn motstanderen til slutt.',
      move: 'Legg en brikke slik at én eller flere rette linjer av motstanderens brikker ligger mellom den og en annen av dine. Alle disse snus. Den som ikke kan snu noe, står over.',
      end: 'Ingen av dere kan trekke. Flest brikker vinner.',
      tries: ['Svart skal trekke: steng inne en hvit brikke.'],
    },
    togyzkumalak: {
      goal: 'Samle minst 82 av de 162 kulene i lageret ditt.',
      move: 'Tøm én av gropene dine. Én kule blir igjen, de andre går én og én i de neste gropene, mot klokken. Gjør den siste antallet i en av motstanderens groper til et partall, tar du alle der. Blir det tre, kan gropen bli din tuzdyk én gang: siden er kulene i den dine.',
      end: 'Noen har 82, eller den som skal trekke har ingen kuler; den andre tar da det som ligger igjen på sin egen side.',
      tries: ['Nederste rad er din: så fra en grop og se hvor den siste kulen faller.'],
    },
  },
};

export const rules = choose({ en, nb });
