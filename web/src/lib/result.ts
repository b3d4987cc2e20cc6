// How a finished game went, for the end card and for sharing.
import type { Scale } from './grade';
import { HUMAN, type Play } from './play.svelte';
import { t } from './text/index.svelte';

export interface Result {
  scale: Scale;
  /** Moves needed or points won. */
  own: number;
  /** The proven optimum. */
  optimum: number | null;
  /** The best that anybody or the reviewer found. */
  best: number | null;
  /** 1 won, 0.5 drawn, 0 lost by the person; `null` where no single person played. */
  won: number | null;
}

/** Shares of the best from which points earn three and two stars. */
const GOOD_POINTS = [1, 0.85] as const;

export function resultOf(play: Play, bestKnown: number | null): Result {
  const { match, review, seats } = play;
  const scale = review.scale;
  const own = scale === 'moves' ? match.cursor : match.total;
  const first = review.current ? review.seen[0] : undefined;
  const found = first?.value == null ? null : Math.abs(first.value);
  const optimum = scale === 'moves' && first?.proven ? found : null;
  const known = [bestKnown, play.localBest, found].filter((one) => one !== null);
  const best = known.length === 0 || scale === 'win' ? null : scale === 'moves' ? Math.min(...known) : Math.max(...known);
  const person = seats.slice(0, play.info.players).filter((seat) => seat === HUMAN).length === 1 ? seats.indexOf(HUMAN) + 1 : 0;
  const winner = match.sheet?.winner ?? null;
  const won = scale !== 'win' || person === 0 || winner === null ? null : winner === 0 ? 0.5 : winner === person ? 1 : 0;
  return { scale, own, optimum, best, won };
}

/** 0 to 3 stars; `null` where nothing is to be compared with. */
export function starsOf({ scale, own, optimum, best, won }: Result): number | null {
  if (scale === 'win') return won === null ? null : won === 1 ? 3 : won === 0.5 ? 2 : 0;
  const goal = optimum ?? best;
  if (goal === null) return null;
  if (scale === 'moves') return own <= goal ? 3 : own === goal + 1 ? 2 : 1;
  const [three, two] = GOOD_POINTS;
  return own >= three * goal ? 3 : own >= two * goal ? 2 : 1;
}

/** The result without anything that spoils the puzzle: no move, no cell. */
export function shareText(play: Play, result: Result): string {
  const stars = starsOf(result);
  const head = [`Ludens ${play.title}`, play.date].filter(Boolean).join(' ');
  const lines = [head, play.status()];
  if (stars !== null) lines.push('★'.repeat(stars) + '☆'.repeat(3 - stars));
  if (result.optimum !== null) lines.push(t('nobodyBetter')(result.optimum));
  if (play.helped) lines.push(t('withHelp'));
  return lines.join('\n');
}
