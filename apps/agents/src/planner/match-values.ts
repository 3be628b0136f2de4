/** Finds values of the data in a question: exact, misspelt, or by a prefix that only one value has. */
import { isIgnoredWord } from './cues.js';
import { type Candidate, type WordMatch, type Mention, misspeltPenalty, scorePerWord } from './mention.js';
import type { SearchHit, Vocabulary } from './vocabulary.js';
import { isSimilar, type Word, wordsOf } from './words.js';

/** Values of which every word stands in the question one behind the other, or of which it has the first or a misspelt word. */
export const matchFullValues = (
  words: readonly Word[],
  { fields }: Vocabulary,
  hits: readonly SearchHit[],
  taken: ReadonlySet<number>,
): readonly Candidate[] => {
  const known = new Map(fields.map((field) => [field.id, field]));
  const seen = new Set<string>();
  return hits.flatMap((hit) => {
    const field = known.get(hit.id);
    const key = JSON.stringify([hit.id, hit.name]);
    if (hit.kind !== 'Value' || !field || seen.has(key)) return [];
    seen.add(key);
    const parts = wordsOf(hit.name).map(({ folded }) => folded);
    return words.flatMap((_, start): readonly Candidate[] => {
      const found = valueAt(words, start, parts);
      if (!found || found.places.some((place) => taken.has(place))) return [];
      const mention: Mention = { kind: 'condition', options: [{ field, value: hit.name }], places: found.places };
      return [{ mention, score: found.places.length * scorePerWord - found.nearness }];
    });
  });
};

const prefixPenalty = 4;
const prefixMin = 5;

/** Values of several words of which the first are said, when they are the begin of one value alone. */
export const matchValuePrefixes = (
  words: readonly Word[],
  { fields }: Vocabulary,
  hits: readonly SearchHit[],
  taken: ReadonlySet<number>,
): readonly Candidate[] => {
  const known = new Map(fields.map((field) => [field.id, field]));
  const found = hits.flatMap((hit) => {
    const field = known.get(hit.id);
    const parts = wordsOf(hit.name).map(({ folded }) => folded);
    if (hit.kind !== 'Value' || !field || parts.length < 2) return [];
    return words.flatMap((word, start) => {
      const isOther =
        word.folded !== parts[0] || !/^\p{Lu}/u.test(word.text) || word.text.length < prefixMin || isIgnoredWord(word);
      const end = isOther ? start : endOfBegin(words, start, parts);
      const places = Array.from({ length: end - start }, (_, at) => start + at);
      return places.length === 0 || places.some((place) => taken.has(place))
        ? []
        : [{ field, value: hit.name, places }];
    });
  });
  return found.flatMap(({ field, value, places }) => {
    const rivals = found.filter((other) => other.field.id === field.id && other.places[0] === places[0]);
    const isBest = rivals.every((other) => other.value === value || other.places.length < places.length);
    const mention: Mention = { kind: 'condition', options: [{ field, value }], places };
    return isBest ? [{ mention, score: places.length * scorePerWord - prefixPenalty }] : [];
  });
};

const endOfBegin = (words: readonly Word[], start: number, parts: readonly string[]): number => {
  const other = words.slice(start, start + parts.length).findIndex(({ folded }, at) => folded !== parts[at]);
  return other < 0 ? Math.min(words.length, start + parts.length) : start + other;
};

const valueAt = (words: readonly Word[], start: number, parts: readonly string[]): WordMatch | undefined => {
  const at = words.slice(start, start + parts.length);
  if (at.length < parts.length || parts.length === 0) return undefined;
  const wrong = at.filter(({ folded }, place) => folded !== parts[place]);
  if (!wrong.every(({ folded }) => isSimilar(folded, parts[at.findIndex((word) => word.folded === folded)] ?? '')))
    return undefined;
  // Short words are values only as they are written: `ES` is Spain, `es` is a pronoun.
  const only = parts.length === 1 ? at[0] : undefined;
  if (only && only.folded.length <= 2 && only.text !== only.text.toUpperCase()) return undefined;
  return { places: at.map((_, place) => start + place), nearness: wrong.length * misspeltPenalty };
};
