import { settings } from '../settings.svelte';
import type { GameInfo } from '../types';
import { en, type Texts } from './en';
import { nb } from './nb';

const ALL = { en, nb };

/** A text in the chosen language. */
export const t = <K extends keyof Texts>(key: K): Texts[K] => ALL[settings.language][key];

/** A whole number the way the language writes it. */
export const figure = (value: number, digits = 0): string =>
  value.toLocaleString(t('locale'), { maximumFractionDigits: digits });

type Named = Pick<GameInfo, 'spec' | 'name' | 'form' | 'title' | 'about'>;

/** A game's name. */
export const titleOf = ({ name, form, title }: Named): string => {
  const own = t('titles')[name];
  if (own === undefined) return title;
  return form === null ? own : t('forTwo')(own);
};

/** What a game is about. */
export const aboutOf = ({ name, form, about }: Named): string => t('abouts')[form ?? name] ?? about;

/** A move for people: directions have names. */
export const moveName = (action: string): string => t('moveNames')[action] ?? action;

export const factName = (name: string): string => t('facts')[name] ?? name;
export const factValue = (value: string | number): string | number => t('factValues')[value] ?? value;

/** Why something cannot be used, or what it is. */
export const tipOf = ({ about, unusable }: { about: string; unusable: string | null }): string => (unusable === null ? t('tip')(about) : errorText(unusable));

/** A message of the server. */
export const errorText = (message: string): string => t('error')(message);
