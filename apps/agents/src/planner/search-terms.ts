/** The terms of a question to look up in the data: words, pairs of neighbours, and country codes. */
import { isIgnoredWord } from './cues.js';
import { parseCount, foldText, type Word, wordsOf } from './words.js';

export const maxSearchTerms = 20;
const runMax = 4;

/** The longest first, since they say most. */
export const extractSearchTerms = (text: string): readonly string[] => {
  const runs = runsOf(text);
  const phrases = runs.flatMap((run) =>
    [runMax, 3, 2].flatMap((length) =>
      run.length < length
        ? []
        : Array.from({ length: run.length - length + 1 }, (_, at) => textOf(text, run.slice(at, at + length))),
    ),
  );
  const words = runs.flat().map(({ text: word }) => word);
  const codes = runs.flat().flatMap(({ folded }) => regionCodeOf(folded) ?? []);
  const single = [...codes, ...words].slice(0, maxSearchTerms);
  return [...new Set([...single, ...phrases.slice(0, maxSearchTerms - single.length)])].slice(0, maxSearchTerms);
};

const textOf = (text: string, words: readonly Word[]): string => text.slice(words[0]?.start, words.at(-1)?.end);

const runsOf = (text: string): readonly (readonly Word[])[] => {
  const runs: Word[][] = [[]];
  for (const word of wordsOf(text)) {
    const isSmallNumber = parseCount(word.folded) !== undefined && word.folded.length < 3;
    if ((isIgnoredWord(word) && !isCode(word)) || isSmallNumber || word.text.length < 2) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  return runs.filter((run) => run.length > 0);
};

const isCode = ({ text }: Word): boolean => /^\p{Lu}{2}$/u.test(text);

let knownRegionCodes: ReadonlyMap<string, string> | undefined;

/** Names of countries in both languages -> their codes of two letters. */
const regionCodes = (): ReadonlyMap<string, string> => {
  if (knownRegionCodes) return knownRegionCodes;
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  // Codes that stand for another one (FX, UK) would take its name.
  const codes = letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
  const names = ['en', 'de'].flatMap((language) => {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    return codes.flatMap((code) => {
      const name = display.of(code);
      return name === undefined ? [] : [[foldText(name), code] as const];
    });
  });
  return (knownRegionCodes = new Map(names));
};

/** What is of a country, by the begin of the word in both languages; names alone are not enough for "German suppliers". */
const regionAdjectives: readonly (readonly [RegExp, string])[] = [
  [/^(?:german|deutsch(?:e[rnms]?)?)$/, 'DE'],
  [/^(?:spanish|spanisch(?:e[rnms]?)?)$/, 'ES'],
  [/^(?:french|franzosisch(?:e[rnms]?)?)$/, 'FR'],
  [/^(?:italian|italienisch(?:e[rnms]?)?)$/, 'IT'],
  [/^(?:dutch|niederlandisch(?:e[rnms]?)?|hollandisch(?:e[rnms]?)?)$/, 'NL'],
  [/^(?:polish|polnisch(?:e[rnms]?)?)$/, 'PL'],
  [/^(?:austrian|osterreichisch(?:e[rnms]?)?)$/, 'AT'],
  [/^(?:swiss|schweizer(?:isch(?:e[rnms]?)?)?)$/, 'CH'],
  [/^(?:portuguese|portugiesisch(?:e[rnms]?)?)$/, 'PT'],
  [/^(?:danish|danisch(?:e[rnms]?)?)$/, 'DK'],
  [/^(?:czech|tschechisch(?:e[rnms]?)?)$/, 'CZ'],
  [/^(?:turkish|turkisch(?:e[rnms]?)?)$/, 'TR'],
  [/^(?:swedish|schwedisch(?:e[rnms]?)?)$/, 'SE'],
  [/^(?:norwegian|norwegisch(?:e[rnms]?)?)$/, 'NO'],
  [/^(?:british|britisch(?:e[rnms]?)?)$/, 'GB'],
  [/^(?:american|amerikanisch(?:e[rnms]?)?)$/, 'US'],
];

const regionCodeOf = (folded: string): string | undefined =>
  regionCodes().get(folded) ?? regionAdjectives.find(([form]) => form.test(folded))?.[1];

/** Names of countries in a question, replaced by their codes where the data has these codes. */
export const replaceCountryNamesByCodes = (text: string, has: (code: string) => boolean): string =>
  text.replace(/\p{L}+/gu, (word) => {
    const code = regionCodeOf(foldText(word));
    return code !== undefined && has(code) ? code : word;
  });
