/** Matches the words of a question with names and values, longest match first; each word belongs to one match. */
import { isDateType } from '@tessera/contracts/knowledge-models';
import { uniqueFields } from './choose-fields.js';
import { groupingWords } from './cues.js';
import { type Candidate, type WordMatch, isCountKpi, type Mention, misspeltPenalty, scorePerWord } from './mention.js';
import { matchValuePrefixes, matchFullValues } from './match-values.js';
import type { SearchHit, NamedEntry, Vocabulary } from './vocabulary.js';
import { isSimilar, type Word } from './words.js';

export type MatchOptions = {
  /** Words that periods and figures have taken. */
  readonly taken: ReadonlySet<number>;
  /** "How many" asks for rows: no KPI is meant. */
  readonly isCount: boolean;
  /** Words right before a period: a date of that name is what the period is of. */
  readonly dated?: ReadonlySet<number>;
};

/** In the order of the text. */
export const matchNames = (
  words: readonly Word[],
  vocabulary: Vocabulary,
  hits: readonly SearchHit[],
  matchOptions: MatchOptions,
): readonly Mention[] => {
  const finder = windowFinder(words, matchOptions.taken);
  const candidates = [
    ...matchEntries(matchOptions.isCount ? [] : vocabulary.kpis, finder, (kpi, places) => ({
      kind: 'kpi',
      kpi,
      // "Orders" alone may be what another figure is of; "number of orders" is a figure.
      isCount: isCountKpi(kpi) && places.every((place) => words[place]?.stem !== '~count'),
      places,
    })),
    ...matchEntries(vocabulary.filters, finder, (filter, places) => ({ kind: 'filter', filter, places })),
    ...matchEntries(vocabulary.records, finder, (record, places) => ({ kind: 'record', record, places })),
    ...matchEntries(vocabulary.fields, finder, (field, places) =>
      field.type === 'boolean'
        ? { kind: 'condition', options: [{ field, value: true }], places }
        : { kind: 'field', options: [field], places },
    ),
    ...matchFullValues(words, vocabulary, hits, matchOptions.taken),
    ...matchValuePrefixes(words, vocabulary, hits, matchOptions.taken),
  ].map(({ mention, score }) => ({ mention, score: score + preferenceOfMention(mention, matchOptions) }));
  return bestSet(candidates).toSorted((left, right) => (left.places[0] ?? 0) - (right.places[0] ?? 0));
};

const startCandidatesMax = 16;

/** What together explains most: the best candidate alone may stand in the way of two others. */
const bestSet = (candidates: readonly Candidate[]): readonly Mention[] => {
  const sorted = candidates.toSorted((left, right) => right.score - left.score);
  const sets = [...sorted.slice(0, startCandidatesMax), undefined].map((first) =>
    fillGreedily(first ? [first, ...sorted] : sorted),
  );
  return sets.reduce((best, set) => (set.sum > best.sum ? set : best), { mentions: [], sum: 0 }).mentions;
};

const fillGreedily = (
  sorted: readonly Candidate[],
): { readonly mentions: readonly Mention[]; readonly sum: number } => {
  const chosen: Mention[] = [];
  let sum = 0;
  for (const { mention, score } of sorted) {
    const over = chosen.find(({ places }) => places.some((place) => mention.places.includes(place)));
    if (over) {
      if (isSame(over.places, mention.places)) chosen.splice(chosen.indexOf(over), 1, mergeMentions(over, mention));
      continue;
    }
    chosen.push(mention);
    sum += score - mentionPenalty;
  }
  return { mentions: chosen, sum };
};

const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length && left.every((place) => right.includes(place));

/** Fields of one name, and values that several fields have, are one mention. */
const mergeMentions = (over: Mention, mention: Mention): Mention => {
  if (over.kind === 'field' && mention.kind === 'field')
    return { ...over, options: uniqueFields([...over.options, ...mention.options]) };
  if (over.kind === 'condition' && mention.kind === 'condition')
    return { ...over, options: [...over.options, ...mention.options] };
  return over;
};

const preferenceOfMention = (mention: Mention, { isCount, dated }: MatchOptions): number => {
  switch (mention.kind) {
    case 'kpi':
      return mention.isCount ? (isCount ? 4.2 : 3.5) : 5;
    case 'filter':
      return 4.5;
    case 'record':
      return 4;
    case 'condition':
      return isCount ? 3.8 : 3.6;
    case 'field':
      if (mention.places.some((place) => dated?.has(place)) && mention.options.some(({ type }) => isDateType(type)))
        return 4.6;
      return mention.options.some(({ type }) => type === 'string') ? 3 : 1;
  }
};

type WindowFinder = (stems: readonly string[]) => readonly WordMatch[];

const extraMax = 2;

/** Where all the stems stand within a few words, in any order. */
const windowFinder = (words: readonly Word[], taken: ReadonlySet<number>): WindowFinder => {
  const near = new Map<string, ReadonlyMap<number, number>>();
  const placesOf = (stem: string): ReadonlyMap<number, number> => {
    const known = near.get(stem);
    if (known) return known;
    const places = new Map<number, number>();
    words.forEach((word, place) => {
      if (!taken.has(place) && isSimilar(word.stem, stem)) places.set(place, word.stem === stem ? 0 : misspeltPenalty);
    });
    near.set(stem, places);
    return places;
  };
  return (stems) => {
    const [first, ...others] = stems.map(placesOf);
    if (!first || first.size === 0 || others.some(({ size }) => size === 0)) return [];
    return [...first].flatMap(([start, far]) => {
      const places = [start];
      let nearness = far;
      for (const options of others) {
        const best = [...options]
          .filter(([place]) => !places.includes(place) && Math.abs(place - start) < stems.length + extraMax)
          .toSorted(([left], [right]) => Math.abs(left - start) - Math.abs(right - start))[0];
        if (!best) return [];
        places.push(best[0]);
        nearness += best[1];
      }
      const sorted = places.toSorted((left, right) => left - right);
      if (words.slice(sorted[0], sorted.at(-1)).some(({ folded }) => isSeparator(folded))) return [];
      const gaps = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1 - sorted.length;
      const isInOrder = places.every((place, at) => place === sorted[at]);
      return [{ places: sorted, nearness: nearness + gaps * 0.5 + (isInOrder ? 0 : 2) }];
    });
  };
};

/** A name does not go on behind these. */
const isSeparator = (folded: string): boolean => groupingWords.has(folded) || folded === 'and' || folded === 'und';

/** One name of two words says more than two names of one. */
const mentionPenalty = 6;

const matchEntries = <Entry extends NamedEntry>(
  entries: readonly Entry[],
  find: WindowFinder,
  make: (entry: Entry, places: readonly number[]) => Mention,
): readonly Candidate[] =>
  entries.flatMap((entry) =>
    entry.variants.flatMap((stems) =>
      find(stems).map(({ places, nearness }) => ({
        mention: make(entry, places),
        score: places.length * scorePerWord - nearness,
      })),
    ),
  );
