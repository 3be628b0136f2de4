/**
 * A word that may be made of two, one of which is known -> the pairs that it may be made of: `lieferantenland` is a
 * `lieferant` and a `land`.
 */

/** What German puts between two words; folded, as words are. */
const links = ['', 'en', 'es', 'er', 'n', 's', 'e'];
const partMin = 3;
const compoundMin = 7;
const pairsMax = 8;

export const splitCompound = (
  word: string,
  isKnown: (part: string) => boolean,
): readonly (readonly [string, string])[] => {
  if (word.length < compoundMin) return [];
  const pairs: (readonly [string, string])[] = [];
  // The longest known part first: it explains most of the word.
  for (let length = word.length - partMin; length >= partMin && pairs.length < pairsMax; length--) {
    const [front, back] = [word.slice(0, length), word.slice(-length)];
    if (isKnown(front)) pairs.push(...restsBehind(word.slice(length)).map((rest) => [front, rest] as const));
    if (isKnown(back)) pairs.push(...restsBefore(word.slice(0, -length)).map((rest) => [rest, back] as const));
  }
  return pairs.slice(0, pairsMax);
};

const restsBehind = (text: string): readonly string[] =>
  links
    .filter((link) => text.startsWith(link) && text.length - link.length >= partMin)
    .map((link) => text.slice(link.length));

const restsBefore = (text: string): readonly string[] =>
  links
    .filter((link) => text.endsWith(link) && text.length - link.length >= partMin)
    .map((link) => text.slice(0, text.length - link.length));
