/** The languages of the console. */
export const languages = ['en', 'de', 'es'] as const;
export type Language = (typeof languages)[number];

const isLanguage = (text: string): text is Language => languages.some((language) => language === text);

/** The first that the console has among what a person prefers (`['fr-CA', 'de-AT']` -> `de`); English when there is none. */
export const chooseLanguage = (preferred: readonly string[]): Language => {
  for (const tag of preferred) {
    const [primary = ''] = tag.toLowerCase().split('-');
    if (isLanguage(primary)) return primary;
  }
  return 'en';
};

/** What each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', es: 'Español' };
