/** Texts as people mean them: without case, accents and the ways to write an umlaut, as words. */

const wordsMax = 24;
const textLengthMax = 400;
const wordLengthMax = 60;

const formsMax = 8;

/**
 * The ways to write a text: each letter with a mark as one code point or as two. PostgreSQL compares code points, and texts come in
 * both forms. Of a text with many marks all together or all apart.
 */
export const unicodeFormsOf = (text: string): readonly string[] => {
  let forms: readonly string[] = [''];
  for (const together of text.normalize('NFC')) {
    const ways = [...new Set([together, together.normalize('NFD')])];
    forms = forms.flatMap((form) => ways.map((way) => form + way));
    if (forms.length > formsMax) return [...new Set([text.normalize('NFC'), text.normalize('NFD'), text])];
  }
  return [...new Set([...forms, text])];
};

/** Letters that are not made of another letter and a mark. */
const foldedLetters: ReadonlyMap<string, string> = new Map([
  ...[['ß', 'ss'] as const, ['æ', 'a'] as const, ['œ', 'o'] as const, ['ø', 'o'] as const],
  ...[['ł', 'l'] as const, ['đ', 'd'] as const, ['ð', 'd'] as const, ['þ', 'th'] as const, ['ı', 'i'] as const],
]);

/** `ä`, `ae` and `a` are one; so they are in words of other languages, on both sides of a comparison. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/gu, (letter) => foldedLetters.get(letter) ?? letter)
    .replace(/([aou])e/gu, '$1');

/** Words of little meaning; only a text of nothing else keeps them. */
const stopWords: ReadonlySet<string> = new Set(
  `a an and as at by for from in is of on or per the to what which with all show me how many
  das dem den der des die ein eine einer fur im in mit nach ohne pro und uber von vom was welche wie zu zum zur alle`.split(
    /\s+/,
  ),
);

/** Folded words, at most 24 of the first 400 characters; also of `camelCase` and `ID_WITH_PARTS`. */
export const wordsOf = (text: string): readonly string[] => {
  const parted = text
    .slice(0, textLengthMax)
    .toWellFormed()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const words = (fold(parted).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, wordsMax);
  const telling = words.filter((word) => !stopWords.has(word));
  return (telling.length > 0 ? telling : words).map((word) => word.slice(0, wordLengthMax));
};
