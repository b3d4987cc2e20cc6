import { settings, type Language } from '../settings.svelte';

/** Texts of a part of the page in the chosen language. */
export const choose = <T extends object>(all: Record<Language, T>) => <K extends keyof T>(key: K): T[K] => all[settings.language][key];
