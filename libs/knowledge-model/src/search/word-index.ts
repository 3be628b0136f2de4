/** The words of many texts, each once, so that similar words are found without comparing all of them. */
import { editDistance } from '@tessera/failures';

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

export const wordSimilarity = (asked: string, known: string): number =>
  asked === known ? 1 : Math.max(partSimilarity(asked, known), spellingSimilarity(asked, known));

const partMin = 4;
const endingMax = 2;

const partSimilarity = (asked: string, known: string): number => {
  const ratio = Math.min(asked.length, known.length) / Math.max(asked.length, known.length);
  if (known.startsWith(asked)) return asked.length < 2 ? 0 : 0.7 + 0.25 * ratio;
  if (known.length < partMin || asked.length < partMin) return 0;
  if (asked.startsWith(known)) return asked.length - known.length <= endingMax ? 0.93 : 0.55 + 0.25 * ratio;
  if (known.includes(asked)) return 0.6 + 0.25 * ratio;
  return asked.includes(known) ? 0.5 + 0.25 * ratio : 0;
};

/** So many letters may be wrong in a word of this length. */
const errorsMax = (length: number): number => (length < 4 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3);

const spellingSimilarity = (asked: string, known: string): number => {
  const length = Math.max(asked.length, known.length);
  const most = errorsMax(Math.min(asked.length, known.length));
  const distance = most === 0 ? 1 : editDistance(asked, known, most + 1);
  if (distance > most) return 0.85 * trigramSimilarity(asked, known);
  const similarity = 1 - (1.1 * distance) / length;
  return asked[0] === known[0] ? similarity : similarity - 0.05;
};

const trigramSimilarity = (left: string, right: string): number => {
  const [first, second] = [new Set(trigramsOf(left)), new Set(trigramsOf(right))];
  const shared = [...first].filter((trigram) => second.has(trigram)).length;
  return (2 * shared) / (first.size + second.size);
};

/** With its beginning and end marked. */
export const trigramsOf = (word: string): readonly string[] => {
  const padded = `  ${word} `;
  return Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3));
};
