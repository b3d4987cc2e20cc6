import type { Match } from './match.svelte';
import { moveName, t } from './text/index.svelte';

/** The move that led to the position shown, as it is told to who does not see it: where tiles slide,
 * what they made and what came. */
export function spokenMove(match: Match): string {
  const { sheet, change } = match;
  const step = match.steps[match.cursor - 1];
  if (!sheet || !step) return '';
  const news = [t('played')(moveName(step.action))];
  if (change?.from.view.control !== 'slide') return news.join(' ');
  const { cells, cols } = sheet.view;
  const text = (cell: unknown): string => (typeof cell === 'number' ? (cells[cell]?.text ?? '') : '');
  const merged = new Set(change.motion.filter(({ kind }) => kind === 'merge').map(({ to }) => to));
  if (merged.size > 0) news.push(t('made')([...merged].map(text).join(', ')));
  for (const { to, kind } of change.motion) {
    if (kind === 'appear' && typeof to === 'number') news.push(t('came')(text(to), Math.floor(to / cols) + 1, (to % cols) + 1));
  }
  return news.join(' ');
}
