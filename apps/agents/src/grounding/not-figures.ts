/**
 * The parts of an answer whose numbers are no figures: dates, times, years, the numbering of lists, ordinals, references and
 * addresses. Never takes a number for one of them that has a unit.
 */
export type Span = { readonly start: number; readonly end: number };

const month =
  '(?:Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch)?|März|Mrz|Apr(?:il)?|May|Mai|Jun[ei]?|Jul[yi]?|Aug(?:ust)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?)';
const day = '(?:0?[1-9]|[12]\\d|3[01])';
const year = '(?:19|20)\\d\\d';
/** No digit, separator with a digit, unit or scale makes it a figure after all. */
const end =
  '(?![\\p{L}\\d%€$£]|[.,]\\d|[ \\u00a0]?(?:%|€|\\$|£|EUR|USD|CHF|GBP|[Mm]illi|Mio|Mrd|[Tt]housand|Tsd|percent|per cent|Prozent))';
const begin = '(?<![\\p{L}\\p{N}€$£]|[.,]|[-/](?=\\d{1,2}\\.))';

const patterns: readonly RegExp[] = [
  /(?:https?:\/\/|www\.)[^\s)\]>"|]+/gi,
  // What a link leads to.
  /\]\([^)\s]{0,500}\)/g,
  new RegExp(
    `${begin}${year}-(?:0[1-9]|1[0-2])(?:-${day}(?:[T ]\\d\\d:\\d\\d(?::\\d\\d)?(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?)?${end}`,
    'gu',
  ),
  new RegExp(`${begin}${day}\\.[ \\u00a0]?(?:0?[1-9]|1[0-2])\\.[ \\u00a0]?(?:${year}|\\d\\d)${end}`, 'gu'),
  new RegExp(`${begin}\\d{1,2}/\\d{1,2}/(?:${year}|\\d\\d)${end}`, 'gu'),
  new RegExp(
    `${begin}${day}(?:st|nd|rd|th|\\.)?[ \\u00a0]+(?:of )?${month}(?!\\p{L})\\.?(?:,?[ \\u00a0]+${year}${end})?`,
    'gu',
  ),
  new RegExp(`(?<!\\p{L})${month}\\.?[ \\u00a0]+(?:${day}(?:st|nd|rd|th)?,[ \\u00a0]+)?${year}${end}`, 'gu'),
  new RegExp(`(?<!\\p{L})${month}\\.?[ \\u00a0]+${day}(?:st|nd|rd|th)`, 'gu'),
  new RegExp(`(?<=\\b(?:on|by|until|since|before|after) )${month}\\.?[ \\u00a0]+${day}${end}`, 'gu'),
  new RegExp(
    `(?<!\\p{L})(?:Q[1-4]|H[12]|[CK]W[ \\u00a0]?\\d{1,2}|FY[ \\u00a0]?(?:${year}|\\d\\d)(?:/\\d\\d)?)(?:[ \\u00a0/-]*${year})?${end}`,
    'gu',
  ),
  new RegExp(`${begin}${year}[ \\u00a0/-]*(?:Q[1-4]|H[12]|[CK]W[ \\u00a0]?\\d{1,2})${end}`, 'gu'),
  new RegExp(`(?<!\\p{L})(?:calendar week|week|Kalenderwoche|Woche|quarter|Quartal)[ \\u00a0]\\d{1,2}${end}`, 'giu'),
  new RegExp(`${begin}[1-4]\\. Quartal(?:[ \\u00a0]${year}${end})?`, 'gu'),
  new RegExp(`${begin}(?:[01]?\\d|2[0-4]):[0-5]\\d(?::[0-5]\\d)?${end}`, 'gu'),
  // What 2024/25 has behind the stroke is the next year.
  new RegExp(`${begin}${year}[ \\u00a0]?[-–][ \\u00a0]?${year}${end}`, 'gu'),
  new RegExp(`${begin}\\d{1,3}(?:st|nd|rd|th|ers?|e|ème|º|ª)(?![\\p{L}\\d]|\\.\\d)`, 'gu'),
  new RegExp(`(?<=\\b(?:der|die|das|den|dem|des|am|im|zum|vom|auf) )\\d{1,2}\\.(?= \\p{Lu})`, 'gu'),
  new RegExp(
    `(?<!\\p{L})(?:step|steps|section|chapter|page|Schritt|Abschnitt|Kapitel|Seite)[ \\u00a0]\\d{1,3}${end}`,
    'giu',
  ),
  // How many are looked at, with what they are behind it.
  new RegExp(
    `(?<!\\p{L})(?:top|first|last|next|erste[nr]?|letzte[nr]?)[ \\u00a0]\\d{1,3}${end}(?=[ \\u00a0*]+\\p{L})`,
    'giu',
  ),
];

/** In the order of the text, perhaps one in another. */
export const findNonFigures = (text: string): readonly Span[] => {
  const spans = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((found) => ({ start: found.index, end: found.index + found[0].length })),
  );
  return [...spans, ...fiscalYears(text), ...listNumbers(text)].toSorted((left, right) => left.start - right.start);
};

const fiscalYears = (text: string): readonly Span[] =>
  [...text.matchAll(new RegExp(`${begin}(${year})/(\\d\\d)${end}`, 'gu'))].flatMap((found) =>
    (Number(found[1]) + 1) % 100 === Number(found[2])
      ? [{ start: found.index, end: found.index + found[0].length }]
      : [],
  );

const listNumber = /^[ \t>]*(?:#{1,6} +)?(?:[*_]{1,2})?\(?(\d{1,3})[.)](?=\s|[*_])/gmu;

/** A number begins a line of a list when it is 1, or follows the one of the line of the list before it. */
const listNumbers = (text: string): readonly Span[] => {
  const spans: Span[] = [];
  const known = new Set<number>();
  for (const found of text.matchAll(listNumber)) {
    const number = Number(found[1]);
    if (number !== 1 && !known.has(number - 1)) continue;
    known.add(number);
    const start = found.index + found[0].indexOf(String(found[1]));
    spans.push({ start, end: start + String(found[1]).length });
  }
  return spans;
};

const strongYear =
  /(?:^|[^\p{L}])(?:in|since|during|until|till|years?|im|seit|bis|jahre?s?n?|calendar|fiscal|desde|depuis|en|année|año)[ \u00a0*_(]+$/iu;
const weakYear =
  /(?:^|[^\p{L}])(?:for|of|from|to|and|vs\.?|versus|before|after|than|by|ab|von|für|nach|vor|und|gegenüber|als)[ \u00a0*_(]+$/iu;
/** The first cell of a row, the head of a table or the head of an entry. */
const labelYear = /(?:^|\n)[ \t]*(?:\||[-*+])[ \t*_]*$/u;

/** Whether four digits are a year by what stands before them: for sure, or when the year is one that the turn knows. */
export const yearPlace = (before: string): 'year' | 'perhaps' | 'no' => {
  const near = before.slice(-40);
  if (strongYear.test(near)) return 'year';
  return weakYear.test(near) || labelYear.test(near) ? 'perhaps' : 'no';
};
