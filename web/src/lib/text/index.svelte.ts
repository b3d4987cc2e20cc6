import { settings } from '../settings.svelte';
import { en, type Texts } from './en';
import { nb } from './nb';

const ALL = { en, nb };

/** A text in the chosen language. */
export const t = <K extends keyof Texts>(key: K): Texts[K] => ALL[settings.language][key];

/** A whole number the way the language writes it. */
export const figure = (value: number, digits = 0): string =>
  value.toLocaleString(t('locale'), { maximumFractionDigits: digits });
