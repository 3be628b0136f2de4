/** What else a thing is called: its name in the other language and the words of the data files, each once. */
import { getCell, splitCommaList, readRows } from '../text-table.js';

export type Synonyms = {
  /** For the thing that is named so in this language and `other` in the other one; nothing when there is no word. */
  readonly of: (ids: readonly string[], name: string | undefined, other: string | undefined) => { synonyms?: string[] };
  /** The ids that nothing was ever asked for. */
  readonly unused: () => readonly string[];
};

export const readSynonyms = (table: string): Synonyms => {
  const words = new Map(readRows(table).map((row) => [getCell(row, 0), splitCommaList(getCell(row, 1))]));
  const unused = new Set(words.keys());
  return {
    of: (ids, name, other) => {
      for (const id of ids) unused.delete(id);
      const all = [...(other === undefined ? [] : [other]), ...ids.flatMap((id) => words.get(id) ?? [])];
      const seen = new Set([name?.toLowerCase()]);
      const synonyms = all.filter((word) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()));
      return synonyms.length === 0 ? {} : { synonyms };
    },
    unused: () => [...unused],
  };
};

/** Stops the generation when there are words for something that is not there. */
export const assertAllSynonymsUsed = (...tables: readonly Synonyms[]): void => {
  const unused = tables.flatMap((table) => table.unused());
  if (unused.length > 0) throw new Error(`There are synonyms for ${unused.join(', ')}, and no such thing.`);
};
