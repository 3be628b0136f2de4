/** How much one folded word is like another, 0 to 1: the same, a beginning, a part, misspelt. */
import { editDistance } from '@tessera/failures';

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
