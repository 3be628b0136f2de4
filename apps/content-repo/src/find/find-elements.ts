/**
 * Elements by their names and texts: first names that have what was asked for, then names that are like it, then other
 * texts, each only as long as there is room.
 */
import type { StorageModel } from '@tessera/content-model';
import { escapeLike } from '@tessera/sql';
import type { TenantReader } from '../database/tenant-reader.js';
import {
  readNamesContaining,
  readSimilarNames,
  readTextMatches,
  type ElementSearchScope,
  type TextQuery,
} from './find.repository.js';
import { foldQuery, type FoldedQuery } from './fold-text.js';
import { rankNames, type NameMatch } from './rank-names.js';

export type ElementSearch = {
  readonly query: string;
  readonly culture: number | undefined;
  readonly limit: number;
};

/** For each look into the index: of names that have a word, of those like all words or like one, of texts. */
const candidatesMax = { having: 1_000, together: 1_000, alone: 300, texts: 150 } as const;

/** More words than these do not find more. */
const similarWordsMax = 3;
/** Letters of a word that can be misspelt, and that the index has whole. */
const lettersMin = 3;

/** Ids of versions, the best first, at most `limit`. A query without a letter and a digit finds nothing. */
export const findElements = async (
  reader: TenantReader,
  model: StorageModel,
  place: ElementSearchScope,
  { query: requested, culture, limit }: ElementSearch,
): Promise<readonly string[]> => {
  const query = foldQuery(requested);
  if (query.words.length === 0) return [];
  const found = new Set<string>();
  const add = (versionIds: readonly string[]): void => {
    for (const id of versionIds) if (found.size < limit) found.add(id);
  };
  const named = await searchNames(reader, place, query, { culture, limit });
  add(rankNames(named, query, culture).map(({ versionId }) => versionId));
  const words = query.words.filter(({ length }) => length >= lettersMin).slice(0, similarWordsMax);
  for (const look of words.length > 0 ? textSearches(reader, place, query, { words, culture }, { model, limit }) : []) {
    if (found.size >= limit) break;
    add(await look());
  }
  if (found.size === 0 && words.length > 0) {
    const wanted = { likeness: 'resembling', together: false, candidatesMax: candidatesMax.alone, limit } as const;
    add(await readSimilarNames(reader, place, { words, culture }, wanted));
  }
  return [...found];
};

type SearchScope = { readonly model: StorageModel; readonly limit: number };

/** Beyond names that have the words, one after the other while there is room. */
const textSearches = (
  reader: TenantReader,
  place: ElementSearchScope,
  query: FoldedQuery,
  texts: TextQuery,
  { model, limit }: SearchScope,
): readonly (() => Promise<readonly string[]>)[] => {
  // What was found already is found again, and must not take the room of others.
  const room = 2 * limit;
  const alike = { likeness: 'similar_to', limit: room } as const;
  const wanted = { attributes: textAttributes(model), candidatesMax: candidatesMax.texts, limit: room };
  return [
    () => readSimilarNames(reader, place, texts, { ...alike, together: true, candidatesMax: candidatesMax.together }),
    () => readSimilarNames(reader, place, texts, { ...alike, together: false, candidatesMax: candidatesMax.alone }),
    () => readTextMatches(reader, place, texts, { ...wanted, patterns: patternsOf(query) }),
    () => readTextMatches(reader, place, texts, wanted),
  ];
};

/** Names that begin with it, are it, or have its words, each by its own look into the index. */
const searchNames = async (
  reader: TenantReader,
  place: ElementSearchScope,
  query: FoldedQuery,
  { culture, limit }: Omit<ElementSearch, 'query'>,
): Promise<readonly NameMatch[]> => {
  const read = (...patterns: readonly string[]) => readNamesContaining(reader, place, patterns, candidatesMax.having);
  const begins = `%": ${likeText(query.text)}`;
  const beginning = await read(`${begins.slice(0, -1)}%`);
  const exact = beginning.length < candidatesMax.having ? [] : await read(`${begins}%`);
  const found = new Map([...beginning, ...exact].map((named) => [named.versionId, named]));
  if (rankNames([...found.values()], query, culture).length >= limit) return [...found.values()];
  for (const named of await read(...patternsOf(query))) found.set(named.versionId, named);
  return [...found.values()];
};

/** As JSON has it, with its quotes. */
const likeText = (text: string): string => escapeLike(JSON.stringify(text));

/** The longest word first. A few letters alone are looked for where a word begins, which the index has. */
const patternsOf = ({ words: [longest = '', ...words] }: FoldedQuery): readonly string[] => [
  longest.length < lettersMin ? `% ${escapeLike(longest)}%` : `%${escapeLike(longest)}%`,
  ...words.map((word) => `%${escapeLike(word)}%`),
];

/** Names apart, and what the server keeps. */
const textAttributes = ({ types }: StorageModel): readonly string[] => [
  ...new Set(
    types.flatMap(({ attributes }) =>
      attributes.flatMap(({ name, type, isSystem }) =>
        type === 'string' && !isSystem && name !== nameAttribute ? [name] : [],
      ),
    ),
  ),
];

const nameAttribute = 'name';
