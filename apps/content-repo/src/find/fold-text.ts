/**
 * Texts as the search compares them: without case and accents, German umlauts as two letters, as `content_repo.folded`
 * of the database does.
 */

const foldedLetters = new Map<string, string>([
  ...[...'àáâãåāçčďèéêëēěìíîïīłñńňòóôõøřśšťùúûůūýÿžźż'].map(
    (letter, index) => [letter, [...'aaaaaaccdeeeeeeiiiiilnnnooooorsstuuuuuyyzzz'][index] ?? letter] as const,
  ),
  ...Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }),
]);

export const foldText = (text: string): string =>
  [...text.normalize('NFC').toLowerCase()].map((letter) => foldedLetters.get(letter) ?? letter).join('');

/** What is asked for: the whole text, and its words, the longest first. */
export type FoldedQuery = { readonly text: string; readonly words: readonly string[] };

const wordsMax = 16;

export const foldQuery = (query: string): FoldedQuery => {
  const text = foldText(query.trim());
  const words = [...new Set(wordsOf(text))].sort(
    (left, right) => right.length - left.length || (left < right ? -1 : 1),
  );
  return { text, words: words.slice(0, wordsMax) };
};

export const wordsOf = (folded: string): readonly string[] =>
  folded.split(/[^\p{Letter}\p{Mark}\p{Number}]+/u).filter(Boolean);
