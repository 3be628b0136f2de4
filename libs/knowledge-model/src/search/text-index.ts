/** Texts that are found by words that are like theirs, in any order, and by the words written together or apart. */
import { wordsOf } from './fold-text.js';
import { type SimilarWord, WordIndex } from './word-index.js';

/** Of a text: for each asked word how much one of its own is like it; 0 when none is. */
type TextMatch = {
  readonly similarities: readonly number[];
  /** How much of the text was asked for: 1 is all of it. */
  readonly closeness: number;
  readonly score: number;
};

type IndexedText = { readonly words: readonly number[]; readonly lengths: readonly number[] };

/** A text that has more than what was asked for is less what was meant. */
const coverageWeight = 0.8;
const writtenTogether = 0.98;
const togetherMin = 0.7;
const sameMin = 0.9;

export class TextIndex {
  readonly #words = new WordIndex();
  readonly #wholes = new WordIndex();
  readonly #texts: IndexedText[] = [];
  readonly #textsOfWord = new Map<number, number[]>();
  readonly #textsOfWhole = new Map<number, number[]>();

  /** The number of the text. */
  add(text: string): number {
    const words = wordsOf(text);
    const numbers = words.map((word) => this.#words.add(word));
    const number = this.#texts.push({ words: numbers, lengths: words.map(({ length }) => length) }) - 1;
    for (const word of new Set(numbers)) addTo(this.#textsOfWord, word, number);
    if (words.length > 0) addTo(this.#textsOfWhole, this.#wholes.add(words.join('')), number);
    return number;
  }

  hasWord(word: string): boolean {
    return this.#words.has(word);
  }

  /** By the number of the text. */
  match(asked: readonly string[]): ReadonlyMap<number, TextMatch> {
    const similar = asked.map((word) => this.#words.similarTo(word));
    const found = new Map<number, number[]>();
    similar.forEach((words, place) => {
      for (const { word, similarity } of words)
        for (const text of this.#textsOfWord.get(word) ?? []) {
          const similarities = found.get(text) ?? asked.map(() => 0);
          similarities[place] = Math.max(similarities[place] ?? 0, similarity);
          found.set(text, similarities);
        }
    });
    const meant = new Set(similar.flatMap((words) => words.map(({ word }) => word)));
    const matches = new Map<number, TextMatch>();
    for (const [text, similarities] of found) {
      const closeness = this.#closeness(text, meant);
      matches.set(text, { similarities, closeness, score: wordCoverage(asked, similarities) * closeness });
    }
    for (const { word, similarity } of this.#wholesLike(asked))
      for (const text of this.#textsOfWhole.get(word) ?? []) {
        const known = matches.get(text);
        const score = similarity * writtenTogether;
        if (score <= (known?.score ?? 0)) continue;
        const words = known?.similarities ?? asked.map(() => 0);
        // What is only like the whole says nothing of single words.
        const similarities = similarity >= sameMin ? words.map((word) => Math.max(word, similarity)) : words;
        matches.set(text, { similarities, closeness: known?.closeness ?? similarity, score });
      }
    return matches;
  }

  #wholesLike(asked: readonly string[]): readonly SimilarWord[] {
    if (asked.length === 0) return [];
    return this.#wholes.similarTo(asked.join('')).filter(({ similarity }) => similarity >= togetherMin);
  }

  #closeness(text: number, meant: ReadonlySet<number>): number {
    const { words, lengths } = this.#texts[text] ?? { words: [], lengths: [] };
    let [own, covered] = [0, 0];
    words.forEach((word, place) => {
      const length = lengths[place] ?? 0;
      own += length;
      if (meant.has(word)) covered += length;
    });
    return own === 0 ? 0 : coverageWeight + (1 - coverageWeight) * (covered / own);
  }
}

/** How much of what was asked for is there; long words say more than short ones. */
export const wordCoverage = (asked: readonly string[], similarities: readonly number[]): number => {
  let [whole, there] = [0, 0];
  asked.forEach((word, place) => {
    whole += word.length;
    there += word.length * (similarities[place] ?? 0);
  });
  return whole === 0 ? 0 : there / whole;
};

const addTo = (lists: Map<number, number[]>, key: number, value: number): void => {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
};
