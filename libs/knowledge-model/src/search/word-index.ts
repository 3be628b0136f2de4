/** The words of many texts, each once, so that those like an asked one are found without a look at all others. */
import { trigramsOf, wordSimilarity } from './word-similarity.js';

export type SimilarWord = { readonly word: number; readonly similarity: number };

const similarityMin = 0.5;
/** Of a word and of what it is compared with the one that has fewer trigrams has to share this part. */
const sharedMin = 0.3;
const candidatesMax = 300;
const shortMax = 6;
const rememberedMax = 100;

export class WordIndex {
  readonly #words: string[] = [];
  readonly #sizes: number[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #byTrigram = new Map<string, number[]>();
  /** Short words share few trigrams with what was meant. */
  readonly #shortByLetter = new Map<string, number[]>();

  /** One word is asked for several times while a term is searched. */
  readonly #similar = new Map<string, readonly SimilarWord[]>();

  /** The number of the word, the same for the same word. */
  add(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#words.push(word) - 1;
    this.#numbers.set(word, number);
    this.#similar.clear();
    const trigrams = new Set(trigramsOf(word));
    this.#sizes.push(trigrams.size);
    for (const trigram of trigrams) addTo(this.#byTrigram, trigram, number);
    if (word.length <= shortMax + 2) addTo(this.#shortByLetter, word.slice(0, 1), number);
    return number;
  }

  has(word: string): boolean {
    return this.#numbers.has(word);
  }

  similarTo(asked: string): readonly SimilarWord[] {
    const known = this.#similar.get(asked);
    if (known) return known;
    const similar = this.#candidates(asked).flatMap((word) => {
      const similarity = wordSimilarity(asked, this.#words[word] ?? '');
      return similarity >= similarityMin ? [{ word, similarity }] : [];
    });
    if (this.#similar.size >= rememberedMax) this.#similar.clear();
    this.#similar.set(asked, similar);
    return similar;
  }

  #candidates(asked: string): readonly number[] {
    const trigrams = new Set(trigramsOf(asked));
    const shared = new Map<number, number>();
    for (const trigram of trigrams)
      for (const word of this.#byTrigram.get(trigram) ?? []) shared.set(word, (shared.get(word) ?? 0) + 1);
    const near = [...shared]
      .map(([word, count]) => ({ word, part: count / Math.min(trigrams.size, this.#sizes[word] ?? 1) }))
      .filter(({ part }) => part >= sharedMin)
      .sort((left, right) => right.part - left.part)
      .slice(0, candidatesMax)
      .map(({ word }) => word);
    return asked.length > shortMax
      ? near
      : [...new Set([...near, ...(this.#shortByLetter.get(asked.slice(0, 1)) ?? []).slice(0, candidatesMax)])];
  }
}

const addTo = (lists: Map<string, number[]>, key: string, value: number): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};
