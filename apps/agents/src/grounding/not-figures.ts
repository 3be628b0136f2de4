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
const begin = '(?<![\\p{L}\\p{N}€$£]|[.,]|[-/](?=\\d{1,2}\\.)|(?:EUR|USD|GBP|CHF|[€$£])[ \\u00a0])';

const patterns: readonly RegExp[] = [
  /(?:https?:\/\/|www\.)[^\s)\]>"|]+/gi,
  // What a link leads to.
  /(?<=\[(?:[^[\]\n]|!\[[^[\]\n]{0,100}\]){0,300})\]\([^)\s]{0,500}\)/g,
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
  new RegExp(`(?<!(?:ratio|Verhältnis)[^\\n.]{0,20})${begin}(?:[01]\\d|2[0-4]):[0-5]\\d(?::[0-5]\\d)?${end}`, 'giu'),
  new RegExp(`(?<=(?<!\\p{L})(?:at|from|until|till|to|by|um|ab|bis|gegen|von) )\\d:[0-5]\\d${end}`, 'giu'),
  new RegExp(`${begin}\\d:[0-5]\\d(?=[ \\u00a0]?(?:[ap]\\.?m\\b|Uhr\\b))`, 'giu'),
  // What 2024/25 has behind the stroke is the next year.
  new RegExp(`${begin}${year}[ \\u00a0]?[-–][ \\u00a0]?${year}${end}`, 'gu'),
  new RegExp(`${begin}(?:\\d?1[1-3]th|\\d{0,2}(?<!1)(?:1st|2nd|3rd)|\\d{0,2}[04-9]th)(?![\\p{L}\\d]|\\.\\d)`, 'gu'),
  new RegExp(`(?<=\\b(?:les?|la|du|aux?|el|los|las) )\\d{1,3}(?:ers?|e|ème|º|ª)(?=[ \\u00a0]\\p{L})`, 'giu'),
  // What begins with a small word of its own is the next sentence.
  new RegExp(
    `(?<=\\b(?:der|die|das|den|dem|des) )\\d{1,2}\\.(?= (?!(?:Das|Der|Die|Den|Dem|Dies\\p{L}*|Es|Sie|Er|Wir|Ich|In|Im|Am|Bei|Damit|Davon|Hier|Alle)(?!\\p{L}))\\p{Lu})`,
    'gu',
  ),
  new RegExp(
    `(?<=\\b(?:am|im|zum|vom) )\\d{1,2}\\.(?= (?:${month}|Quartal|Platz|Rang|Stelle|Tag|Woche|Mal)(?!\\p{L}))`,
    'gu',
  ),
  new RegExp(
    `(?<!\\p{L})(?:step|steps|section|chapter|page|Schritt|Abschnitt|Kapitel|Seite)[ \\u00a0]\\d{1,3}${end}`,
    'giu',
  ),
  // How many are looked at, with what they are behind it.
  new RegExp(
    `(?<!\\p{L})(?:first|last|next|erste[nr]?|letzte[nr]?|nächste[nr]?)[ \\u00a0]\\d{1,3}(?=[ \\u00a0*]+(?:seconds|minutes|hours|days|weeks|months|quarters|years|rows|entries|results|pages|lines|Sekunden|Minuten|Stunden|Tagen?|Wochen|Monaten?|Quartalen?|Jahren?|Zeilen|Einträgen?|Seiten)(?!\\p{L}))`,
    'giu',
  ),
  new RegExp(`(?<!\\p{L})top[ \\u00a0](?:[1-9]|1[0-9]|20|25|50|100)${end}(?=[ \\u00a0*]+\\p{L})`, 'giu'),
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

/** "In 2000 late orders": what is counted stands behind it. */
const countedNoun =
  /^[ \u00a0*_]+(?:late|blocked|open|new|different|overdue|missing|delayed|unpaid|rejected|verspätete|gesperrte|offene|neue|fehlende|überfällige)n?[ \u00a0*_]+\p{L}{3,}(?:s|en|e|r)(?!\p{L})/u;
const endsIn = /(?<!\p{L})(?:result(?:s|ed|ing)?|end(?:s|ed|ing)?(?: up)?|mündete[nt]?)[ \u00a0]in[ \u00a0*_(]+$/iu;

/** Whether four digits are a year by what stands around them: for sure, or when the year is one that the turn knows. */
export const yearPlace = (before: string, after: string): 'year' | 'perhaps' | 'no' => {
  const near = before.slice(-40);
  if (strongYear.test(near)) return countedNoun.test(after) || endsIn.test(near) ? 'perhaps' : 'year';
  return weakYear.test(near) || labelYear.test(near) ? 'perhaps' : 'no';
};
