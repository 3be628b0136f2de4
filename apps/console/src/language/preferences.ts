/** What a person chose for this browser: language and theme. Kept by the browser; nothing else of the console is. */
import { chooseLanguage, languages, type Language } from './languages.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export type Preferences = { readonly language: Language; readonly theme: Theme };

type Keep = Pick<Storage, 'getItem' | 'setItem'>;
const keyOf = (name: keyof Preferences): string => `tessera.${name}`;

/** A browser may refuse to keep anything. */
const read = (keep: Keep | undefined, name: keyof Preferences): string | undefined => {
  try {
    return keep?.getItem(keyOf(name)) ?? undefined;
  } catch {
    return undefined;
  }
};

/** `preferred` are the languages of the browser, for who chose none. */
export const readPreferences = (keep: Keep | undefined, preferred: readonly string[]): Preferences => {
  const [language, theme] = [read(keep, 'language'), read(keep, 'theme')];
  return {
    language: languages.find((known) => known === language) ?? chooseLanguage(preferred),
    theme: themes.find((known) => known === theme) ?? 'system',
  };
};

/** Only what was chosen. */
export const keepPreferences = (keep: Keep | undefined, chosen: Partial<Preferences>): void => {
  try {
    if (chosen.language !== undefined) keep?.setItem(keyOf('language'), chosen.language);
    if (chosen.theme !== undefined) keep?.setItem(keyOf('theme'), chosen.theme);
  } catch {
    // It holds until the page is closed.
  }
};
