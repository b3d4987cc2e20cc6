// The server's messages have one form: where, what was found, what would be right.

const FORM = /^(.*): found (.*), expected (.*)$/s;

/** Words of messages, the longest phrases first. What is in quotes is what a person wrote. */
const WORDS: [RegExp, string][] = [
  [/nothing: the game is over/g, 'ingenting: spillet er slutt'],
  [/no move: the game is over/g, 'ikke noe trekk: spillet er slutt'],
  [/no move: the board is empty/g, 'ikke noe trekk: brettet er tomt'],
  [/the end of the game/g, 'slutten av spillet'],
  [/one with a move to make/g, 'en med et trekk igjen'],
  [/one that is possible here/g, 'en som er mulig her'],
  [/a column that is not full/g, 'en kolonne som ikke er full'],
  [/an empty cell from which discs are turned over/g, 'et tomt felt som snur brikker'],
  [/all discs to touch/g, 'at alle brikker henger sammen'],
  [/a disc: the centre is filled from the start/g, 'en brikke: midten er fylt fra starten'],
  [/every stone on another/g, 'hver brikke på en annen'],
  [/every shape at the bottom or on another/g, 'hver form nederst eller på en annen'],
  [/as many X as O, or one more/g, 'like mange X som O, eller én mer'],
  [/the game to stop at the first four/g, 'at spillet stopper ved den første fireren'],
  [/162 balls in pits and stores/g, '162 kuler i groper og lagre'],
  [/a slide that moves a tile/g, 'et skyv som flytter en brikke'],
  [/a group of at least two blocks/g, 'en gruppe på minst to brikker'],
  [/a cell that is not empty|a cell with a block/g, 'et felt som ikke er tomt'],
  [/a pit with balls in it/g, 'en grop med kuler i'],
  [/a takeable tile/g, 'en brikke som kan tas'],
  [/the tiles left in the bag, such as/g, 'brikkene igjen i posen, som'],
  [/with this board and hint/g, 'med dette brettet og denne neste brikken'],
  [/empty columns at the right only/g, 'tomme kolonner bare til høyre'],
  [/a block below it/g, 'en brikke under den'],
  [/a floating (shape|block|stone)/g, 'en svevende brikke'],
  [/a digit/g, 'et siffer'],
  [/a number from (\S+) to (\S+)/g, 'et tall fra $1 til $2'],
  [/a power of two from (\S+) to (\S+)/g, 'en toerpotens fra $1 til $2'],
  [/a Fibonacci number from/g, 'et fibonaccitall fra'],
  [/up, right, down or left/g, 'up, right, down eller left'],
  [/\ba (column|row|pit|tile|position)\b/g, 'en $1'],
  [/\ba (cell|move|board|game)\b/g, 'et $1'],
  [/\bplayer to move\b/g, 'hvem som skal trekke'],
  [/\bside to move\b/g, 'hvem som skal trekke'],
  [/\bfrom the top\b/g, 'fra toppen'],
  [/\bseparated by\b/g, 'skilt med'],
  [/\bjoined by\b/g, 'skilt med'],
  [/\bcharacters?\b/g, 'tegn'],
  [/\bcolumns?\b/g, 'kolonne'],
  [/\brows?\b/g, 'rad'],
  [/\bcells?\b/g, 'felt'],
  [/\btiles\b/g, 'brikker'],
  [/\btile\b/g, 'brikke'],
  [/\bballs\b/g, 'kuler'],
  [/\bpits?\b/g, 'grop'],
  [/\bstores?\b/g, 'lager'],
  [/\bposition\b/g, 'stilling'],
  [/\bboard\b/g, 'brett'],
  [/\bmove\b/g, 'trekk'],
  [/\boutcome\b/g, 'utfall'],
  [/\bgame\b/g, 'spill'],
  [/\bbag\b/g, 'pose'],
  [/\bhint\b/g, 'neste brikke'],
  [/\bscore of\b/g, 'ledelse for'],
  [/\bparameter\b/g, 'parameter'],
  [/\brequest\b/g, 'forespørsel'],
  [/\bnothing\b/g, 'ingenting'],
  [/\bnone\b/g, 'ingen'],
  [/\bat most\b/g, 'høyst'],
  [/\bat least\b/g, 'minst'],
  [/\bsuch as\b/g, 'som'],
  [/\bparts?\b/g, 'deler'],
  [/\bof\b/g, 'à'],
  [/\bor\b/g, 'eller'],
  [/\band\b/g, 'og'],
];

/** Replaces words outside quotes. */
const words = (text: string): string =>
  text
    .split(/('[^']*')/)
    .map((part, i) => (i % 2 ? part : WORDS.reduce((done, [word, norwegian]) => done.replace(word, norwegian), part)))
    .join('');

/** A message of the server in Norwegian. */
export function inNorwegian(message: string): string {
  const parts = FORM.exec(message);
  if (!parts) return message === 'The search broke off.' ? 'Søket ble avbrutt.' : message;
  const [where = '', found = '', expected = ''] = parts.slice(1).map(words);
  return `${where}: fant ${found}, ventet ${expected}`;
}
