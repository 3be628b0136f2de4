/**
 * `Accept-Language` and display names per culture -> the one name to show. What is not understood is passed over, down
 * to the storage's culture.
 */
import type { LocalisedText } from '@tessera/contracts';

/** Language tags -> LCID. The low ten bits of an LCID are the language, the others its region. */
// oxfmt-ignore
const cultureByTag: Readonly<Record<string, number>> = {
  ar: 1025, bg: 1026, ca: 1027, zh: 2052, 'zh-tw': 1028, 'zh-cn': 2052, 'zh-hk': 3076, cs: 1029, da: 1030,
  de: 1031, 'de-de': 1031, 'de-ch': 2055, 'de-at': 3079, el: 1032, en: 1033, 'en-us': 1033, 'en-gb': 2057,
  'en-au': 3081, 'en-ca': 4105, es: 3082, 'es-es': 3082, 'es-mx': 2058, fi: 1035, fr: 1036, 'fr-fr': 1036,
  'fr-be': 2060, 'fr-ca': 3084, 'fr-ch': 4108, he: 1037, hu: 1038, is: 1039, it: 1040, 'it-ch': 2064, ja: 1041,
  ko: 1042, nl: 1043, 'nl-be': 2067, nb: 1044, no: 1044, nn: 2068, pl: 1045, pt: 2070, 'pt-br': 1046, 'pt-pt': 2070,
  ro: 1048, ru: 1049, hr: 1050, sk: 1051, sv: 1053, th: 1054, tr: 1055, id: 1057, uk: 1058, sl: 1060, et: 1061,
  lv: 1062, lt: 1063, vi: 1066, hi: 1081,
};

const languageOf = (culture: number): number => culture & 0x3ff;

/** The name in the first culture asked for that has one, else in the storage's culture, else in any, else `fallback`. */
export const chooseDisplayName = (
  names: LocalisedText,
  acceptLanguage: string | undefined,
  defaultCulture: number,
  fallback: string,
): string => {
  for (const culture of parseAcceptLanguage(acceptLanguage)) {
    const exact = names[String(culture)];
    if (exact !== undefined) return exact;
    const related = Object.keys(names).find((key) => languageOf(Number(key)) === languageOf(culture));
    if (related !== undefined) return names[related] ?? fallback;
  }
  return names[String(defaultCulture)] ?? Object.values(names)[0] ?? fallback;
};

/** LCIDs in the order of preference. A tag may be an LCID itself; `*` and unknown tags ask for nothing. */
export const parseAcceptLanguage = (acceptLanguage: string | undefined): readonly number[] =>
  (acceptLanguage ?? '')
    .split(',')
    .map((item) => {
      const [tag = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { culture: cultureOfTag(tag), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
    .flatMap(({ culture }) => (culture === undefined ? [] : [culture]));

const cultureOfTag = (tag: string): number | undefined => {
  if (/^[1-9][0-9]{1,4}$/.test(tag)) return Number(tag);
  const [language = ''] = tag.split('-');
  return Object.hasOwn(cultureByTag, tag)
    ? cultureByTag[tag]
    : Object.hasOwn(cultureByTag, language)
      ? cultureByTag[language]
      : undefined;
};
