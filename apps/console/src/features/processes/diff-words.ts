/** Which words of two texts are not in the other one, in their order. */
export type WordPart = { readonly text: string; readonly isChanged: boolean };
export type WordDifference = { readonly before: readonly WordPart[]; readonly after: readonly WordPart[] };

/** Longer texts are taken as one word: the table of what is common grows with the product of both lengths. */
const wordsMax = 600;

const wordsOf = (text: string): readonly string[] => text.split(/(?<=\s)(?=\S)/).filter((word) => word !== '');

/** `[i][j]`: the length of what the words from i and from j on have in common. */
const commonLengths = (one: readonly string[], other: readonly string[]): readonly Uint16Array[] => {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const isEqual = one[row]?.trim() === other[column]?.trim();
      const length = isEqual ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      lengths[row]?.fill(length, column, column + 1);
    }
  return lengths;
};

/** Neighbours that are alike become one part. */
const joinParts = (parts: readonly WordPart[]): readonly WordPart[] => {
  const joined: WordPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last?.isChanged === part.isChanged) joined.splice(-1, 1, { ...last, text: last.text + part.text });
    else joined.push(part);
  }
  return joined;
};

const whole = (text: string): readonly WordPart[] => (text === '' ? [] : [{ text, isChanged: true }]);

export const diffWords = (before: string, after: string): WordDifference => {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  if (one.length > wordsMax || other.length > wordsMax) return { before: whole(before), after: whole(after) };
  const lengths = commonLengths(one, other);
  const parts: { readonly before: WordPart[]; readonly after: WordPart[] } = { before: [], after: [] };
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    const [word, otherWord] = [one[row], other[column]];
    const isEqual = word !== undefined && word.trim() === otherWord?.trim();
    const goesFirst = (lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0);
    if (word !== undefined && (isEqual || otherWord === undefined || goesFirst)) {
      parts.before.push({ text: word, isChanged: !isEqual });
      row += 1;
      if (!isEqual) continue;
    }
    if (otherWord === undefined) continue;
    parts.after.push({ text: otherWord, isChanged: !isEqual });
    column += 1;
  }
  return { before: joinParts(parts.before), after: joinParts(parts.after) };
};
