export type Theme = 'auto' | 'light' | 'dark';
export type Language = 'en' | 'nb';
export type Palette = 'usual' | 'okabe-ito';

interface Kept {
  theme: Theme;
  language: Language;
  noColour: boolean;
  palette: Palette;
  reducedMotion: boolean;
  numbers: boolean;
  /** Whether every position shown is analysed. */
  live: boolean;
  /** Whether the exact values of moves are shown. */
  exact: boolean;
}

const KEY = 'ludens-settings';

function usual(): Kept {
  const norwegian = navigator.languages.some((tag) => /^(nb|nn|no)\b/.test(tag));
  return {
    theme: 'auto', language: norwegian ? 'nb' : 'en', noColour: false, palette: 'usual', reducedMotion: false, numbers: false, live: false,
    exact: false,
  };
}

function stored(): Partial<Kept> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {};
  } catch {
    return {};
  }
}

const load = (): Kept => ({ ...usual(), ...stored() });

/** What a person has chosen, kept by the browser. */
export const settings = $state(load());

/** The settings as they are kept: what differs was chosen here since. */
let kept: Kept = { ...settings };

// What is chosen in another tab counts here too.
addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return;
  kept = load();
  Object.assign(settings, kept);
});

const darkness = matchMedia('(prefers-color-scheme: dark)');
const system = $state({ dark: darkness.matches });
darkness.addEventListener('change', (event) => (system.dark = event.matches));

/** Shows the settings on the page and keeps them; call inside an effect. */
export function applySettings(): void {
  const root = window.document.documentElement;
  const dark = settings.theme === 'dark' || (settings.theme === 'auto' && system.dark);
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.colour = settings.noColour ? 'none' : 'full';
  root.dataset.palette = settings.palette;
  root.dataset.motion = settings.reducedMotion ? 'reduced' : 'full';
  root.lang = settings.language;
  const chosen = Object.entries(settings).filter(([name, value]) => kept[name as keyof Kept] !== value);
  if (chosen.length === 0) return;
  kept = { ...settings };
  try {
    // Only these: another tab may have chosen others.
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...Object.fromEntries(chosen) }));
  } catch {
    // A browser that keeps nothing still plays.
  }
}
