/**
 * Which names answer a query, the best first: the name itself, one that begins with it, one that has its words, one
 * that has them inside of others; among equals the shorter one.
 */
import { neutralCulture } from '@tessera/content-model';
import { wordsOf, type FoldedQuery } from './fold-text.js';

export type NameMatch = {
  readonly versionId: string;
  readonly elementId: string;
  /** Folded, by culture. */
  readonly names: Readonly<Record<string, string>>;
};

type Rank = { readonly tier: number; readonly name: string };

export const rankNames = (
  candidates: readonly NameMatch[],
  query: FoldedQuery,
  culture?: number,
): readonly NameMatch[] =>
  candidates
    .flatMap((candidate) => {
      const [best] = namesIn(candidate, culture)
        .flatMap((name): readonly Rank[] => {
          const tier = tierOf(name, query);
          return tier === undefined ? [] : [{ tier, name }];
        })
        .sort(byRank);
      return best ? [{ candidate, best }] : [];
    })
    .sort(
      (left, right) =>
        byRank(left.best, right.best) || compareTexts(left.candidate.elementId, right.candidate.elementId),
    )
    .map(({ candidate }) => candidate);

/** A name without a culture counts in every one. */
const namesIn = ({ names }: NameMatch, culture: number | undefined): readonly string[] => {
  if (culture === undefined) return Object.values(names);
  const name = names[String(culture)] ?? names[neutralCulture];
  return name === undefined ? [] : [name];
};

const tierOf = (name: string, { text, words }: FoldedQuery): number | undefined => {
  if (name === text) return 0;
  if (name.startsWith(text)) return 1;
  const own = new Set(wordsOf(name));
  if (words.every((word) => own.has(word))) return 2;
  return words.every((word) => name.includes(word)) ? 3 : undefined;
};

const byRank = (left: Rank, right: Rank): number =>
  left.tier - right.tier || left.name.length - right.name.length || compareTexts(left.name, right.name);

const compareTexts = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
