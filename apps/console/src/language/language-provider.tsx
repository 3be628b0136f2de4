/** The language and theme of the page, and what says and formats in it. */
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Catalogue, Messages, Say } from './catalogue.js';
import { fillMessage } from './fill-message.js';
import { formatsOf, type Formats } from './formats.js';
import { keepPreferences, readPreferences, type Preferences } from './preferences.js';

type PreferencesState = Preferences & { readonly choose: (chosen: Partial<Preferences>) => void };

const PreferencesContext = createContext<PreferencesState>({
  language: 'en',
  theme: 'system',
  choose: () => undefined,
});

const browserStorage = (): Storage | undefined => {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
};

export const LanguageProvider = ({ children }: { readonly children: ReactNode }) => {
  const [preferences, setPreferences] = useState(() => readPreferences(browserStorage(), navigator.languages));
  const { language, theme } = preferences;
  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = language;
    documentElement.dataset['theme'] = theme;
  }, [language, theme]);
  const state = useMemo(
    () => ({
      ...{ language, theme },
      choose: (chosen: Partial<Preferences>) => {
        keepPreferences(browserStorage(), chosen);
        setPreferences((before) => ({ ...before, ...chosen }));
      },
    }),
    [language, theme],
  );
  return <PreferencesContext value={state}>{children}</PreferencesContext>;
};

/** The language and theme, and how they are changed. */
export const usePreferences = (): PreferencesState => use(PreferencesContext);

/** `const say = useMessages(homeMessages); say('title')` */
export const useMessages = <English extends Messages>(texts: Catalogue<English>): Say<English> => {
  const { language } = usePreferences();
  return useMemo<Say<English>>(() => {
    const own: Messages = texts[language];
    return (name, ...[values]) => fillMessage(language, own[name] ?? name, values);
  }, [texts, language]);
};

/** Numbers, dates and times in the language of the page. */
export const useFormats = (): Formats => {
  const { language } = usePreferences();
  return useMemo(() => formatsOf(language), [language]);
};
