export type Theme = 'auto' | 'light' | 'dark';
export type Language = 'en' | 'nb';

interface Kept {
  theme: Theme;
  language: Language;
  noColour: boolean;
  reducedMotion: boolean;
  numbers: boolean;
}

const KEY = 'ludens-settings';

function usual(): Kept {
  const norwegian = navigator.languages.some((tag) => /^(nb|nn|no)\b/.test(tag));
  return { theme: 'auto', language: norwegian ? 'nb' : 'en', noColour: false, reducedMotion: false, numbers: false };
}

function load(): Kept {
  try {
    return { ...usual(), ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return usual();
  }
}

/** What a person has chosen, kept by the browser. */
export const settings = $state(load());

const darkness = matchMedia('(prefers-color-scheme: dark)');
const system = $state({ dark: darkness.matches });
darkness.addEventListener('change', (event) => (system.dark = event.matches));

/** Shows the settings on the page and keeps them; call inside an effect. */
export function applySettings(): void {
  const root = window.document.documentElement;
  const dark = settings.theme === 'dark' || (settings.theme === 'auto' && system.dark);
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.colour = settings.noColour ? 'none' : 'full';
  root.dataset.motion = settings.reducedMotion ? 'reduced' : 'full';
  root.lang = settings.language;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
}
