/** Languages of content: culture identifiers (LCID) as the storages have them, and what they are called. */
import type { Language } from '../../language/languages.js';

/** The usual ones; others are called by their number. */
const tags: Readonly<Record<string, string>> = {
  '1025': 'ar-SA',
  '1028': 'zh-TW',
  '1029': 'cs-CZ',
  '1030': 'da-DK',
  '1031': 'de-DE',
  '1032': 'el-GR',
  '1033': 'en-US',
  '1034': 'es-ES',
  '1035': 'fi-FI',
  '1036': 'fr-FR',
  '1037': 'he-IL',
  '1038': 'hu-HU',
  '1040': 'it-IT',
  '1041': 'ja-JP',
  '1042': 'ko-KR',
  '1043': 'nl-NL',
  '1044': 'nb-NO',
  '1045': 'pl-PL',
  '1046': 'pt-BR',
  '1048': 'ro-RO',
  '1049': 'ru-RU',
  '1053': 'sv-SE',
  '1055': 'tr-TR',
  '2052': 'zh-CN',
  '2055': 'de-CH',
  '2057': 'en-GB',
  '2058': 'es-MX',
  '2070': 'pt-PT',
  '3079': 'de-AT',
  '3082': 'es-ES',
};

/** For `lang`: `1031` -> `de-DE`; undefined for one that is not known here. */
export const cultureTag = (culture: string): string | undefined => tags[culture];

const primaryOf = (culture: string): string => tags[culture]?.split('-')[0] ?? culture;

/** `German` for `1031`; with the country where the storage has another German too. */
export const cultureName = (culture: string, cultures: readonly string[], language: Language): string => {
  const tag = tags[culture];
  if (tag === undefined) return culture;
  const isAlone = cultures.filter((other) => primaryOf(other) === primaryOf(culture)).length < 2;
  return new Intl.DisplayNames(language, { type: 'language' }).of(isAlone ? primaryOf(culture) : tag) ?? culture;
};

type CulturesOfStorage = { readonly cultures: readonly number[]; readonly defaultCulture: number };

/** The one that the address asks for, else that of the language of the page, else the one of the storage. */
export const chooseCulture = (
  { cultures, defaultCulture }: CulturesOfStorage,
  language: Language,
  asked?: string,
): string => {
  const known = cultures.map(String);
  return (
    known.find((culture) => culture === asked) ??
    known.find((culture) => primaryOf(culture) === language) ??
    String(defaultCulture)
  );
};
