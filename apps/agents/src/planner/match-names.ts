/**
 * The words of a question -> the names and values that they are, as long ones as there are, each word in one of them.
 * Refuses: to decide what a name is asked for; it stands where it stands.
 */
import type { Field, Hit, Kpi, Named, RecordEntry, Vocabulary } from './vocabulary.js';
import { fold, isNear, nameStems, type Word, wordsOf } from './words.js';

export type Mention = {
  /** Places of words. */
  readonly places: readonly number[];
} & (
  | { readonly kind: 'kpi'; readonly kpi: Kpi; readonly isCount: boolean }
  | { readonly kind: 'filter'; readonly filter: Named }
  | { readonly kind: 'record'; readonly record: RecordEntry }
  /** The same name in several records. */
  | { readonly kind: 'field'; readonly options: readonly Field[] }
  | { readonly kind: 'value'; readonly options: readonly { readonly field: Field; readonly value: string }[] }
);

type Candidate = { readonly mention: Mention; readonly score: number };

export type MatchWishes = {
  /** Words that periods and figures have taken. */
  readonly taken: ReadonlySet<number>;
  /** "How many" asks for rows: what narrows them down comes before a KPI of the same name. */
  readonly isCount: boolean;
};

/** In the order of the text. */
export const matchNames = (
  words: readonly Word[],
  vocabulary: Vocabulary,
  hits: readonly Hit[],
  wished: MatchWishes,
): readonly Mention[] => {
  const finder = windowFinder(words, wished.taken);
  const candidates = [
    ...ofEntries(wished.isCount ? vocabulary.kpis.filter(isCountKpi) : vocabulary.kpis, finder, (kpi, places) => ({
      kind: 'kpi',
      kpi,
      isCount: isCountKpi(kpi),
      places,
    })),
    ...ofEntries(vocabulary.filters, finder, (filter, places) => ({ kind: 'filter', filter, places })),
    ...ofEntries(vocabulary.records, finder, (record, places) => ({ kind: 'record', record, places })),
    ...ofEntries(vocabulary.fields, finder, (field, places) => ({ kind: 'field', options: [field], places })),
    ...ofValues(words, vocabulary, hits, wished.taken),
  ].map(({ mention, score }) => ({ mention, score: score + preference(mention, wished) }));
  return bestSet(candidates).toSorted((left, right) => (left.places[0] ?? 0) - (right.places[0] ?? 0));
};

const firstsMax = 16;

/** What together explains most: the best candidate alone may stand in the way of two others. */
const bestSet = (candidates: readonly Candidate[]): readonly Mention[] => {
  const sorted = candidates.toSorted((left, right) => right.score - left.score);
  const sets = [...sorted.slice(0, firstsMax), undefined].map((first) => fillUp(first ? [first, ...sorted] : sorted));
  return sets.reduce((best, set) => (set.sum > best.sum ? set : best), { mentions: [], sum: 0 }).mentions;
};

const fillUp = (sorted: readonly Candidate[]): { readonly mentions: readonly Mention[]; readonly sum: number } => {
  const chosen: Mention[] = [];
  let sum = 0;
  for (const { mention, score } of sorted) {
    const over = chosen.find(({ places }) => places.some((place) => mention.places.includes(place)));
    if (over) {
      if (isSame(over.places, mention.places)) chosen.splice(chosen.indexOf(over), 1, together(over, mention));
      continue;
    }
    chosen.push(mention);
    sum += score - perMention;
  }
  return { mentions: chosen, sum };
};

const isSame = (left: readonly number[], right: readonly number[]): boolean =>
  left.length === right.length && left.every((place) => right.includes(place));

/** Fields of one name, and values that several fields have, are one mention. */
const together = (over: Mention, mention: Mention): Mention => {
  if (over.kind === 'field' && mention.kind === 'field')
    return { ...over, options: [...over.options, ...mention.options] };
  if (over.kind === 'value' && mention.kind === 'value')
    return { ...over, options: [...over.options, ...mention.options] };
  return over;
};

const uniqueFields = (fields: readonly Field[]): readonly Field[] => [
  ...new Map(fields.map((field) => [field.id, field])).values(),
];

const isCountKpi = ({ variants }: Kpi): boolean => variants.some((stems) => stems.includes('~count'));

const preference = (mention: Mention, { isCount }: MatchWishes): number => {
  switch (mention.kind) {
    case 'kpi':
      return mention.isCount ? (isCount ? 4.2 : 3.5) : 5;
    case 'filter':
      return 4.5;
    case 'record':
      return 4;
    case 'value':
      return isCount ? 3.8 : 3.6;
    case 'field':
      return mention.options.some(({ type }) => type === 'string') ? 3 : 1;
  }
};

type Found = { readonly places: readonly number[]; readonly nearness: number };
type WindowFinder = (stems: readonly string[]) => readonly Found[];

const extraMax = 2;
/** How much less a misspelt word says. */
const misspelt = 3;

/** Where all the stems stand within a few words, in any order. */
const windowFinder = (words: readonly Word[], taken: ReadonlySet<number>): WindowFinder => {
  const near = new Map<string, ReadonlyMap<number, number>>();
  const placesOf = (stem: string): ReadonlyMap<number, number> => {
    const known = near.get(stem);
    if (known) return known;
    const places = new Map<number, number>();
    words.forEach((word, place) => {
      if (!taken.has(place) && isNear(word.stem, stem)) places.set(place, word.stem === stem ? 0 : misspelt);
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
      const gaps = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) + 1 - sorted.length;
      const isInOrder = places.every((place, at) => place === sorted[at]);
      return [{ places: sorted, nearness: nearness + gaps * 0.5 + (isInOrder ? 0 : 2) }];
    });
  };
};

const perWord = 10;
/** One name of two words says more than two names of one. */
const perMention = 6;

const ofEntries = <Entry extends Named>(
  entries: readonly Entry[],
  find: WindowFinder,
  make: (entry: Entry, places: readonly number[]) => Mention,
): readonly Candidate[] =>
  entries.flatMap((entry) =>
    entry.variants.flatMap((stems) =>
      find(stems).map(({ places, nearness }) => ({
        mention: make(entry, places),
        score: places.length * perWord - nearness,
      })),
    ),
  );

/** Values of which every word stands in the question one behind the other, or of which it has the first or a misspelt word. */
const ofValues = (
  words: readonly Word[],
  { fields }: Vocabulary,
  hits: readonly Hit[],
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
      const mention: Mention = { kind: 'value', options: [{ field, value: hit.name }], places: found.places };
      return [{ mention, score: found.places.length * perWord - found.nearness }];
    });
  });
};

const valueAt = (words: readonly Word[], start: number, parts: readonly string[]): Found | undefined => {
  const at = words.slice(start, start + parts.length);
  if (at.length < parts.length || parts.length === 0) return undefined;
  const wrong = at.filter(({ folded }, place) => folded !== parts[place]);
  if (!wrong.every(({ folded }) => isNear(folded, parts[at.findIndex((word) => word.folded === folded)] ?? '')))
    return undefined;
  // Short words are values only as they are written: `ES` is Spain, `es` is a pronoun.
  const only = parts.length === 1 ? at[0] : undefined;
  if (only && only.folded.length <= 2 && only.text !== only.text.toUpperCase()) return undefined;
  return { places: at.map((_, place) => start + place), nearness: wrong.length * misspelt };
};

export type PartialKpi = { readonly kpi: Kpi; readonly places: readonly number[]; readonly share: number };

/** Of a KPI that is only named in part, by a word that no other has, or by most of its words. */
export const partialKpi = (
  words: readonly Word[],
  { kpis }: Vocabulary,
  records: readonly RecordEntry[],
  isFree: (place: number) => boolean,
): PartialKpi | undefined => {
  const owners = new Map<string, Set<string>>();
  for (const { id, variants } of kpis)
    for (const stem of variants.flat()) owners.set(stem, (owners.get(stem) ?? new Set()).add(id));
  const found = kpis
    .filter((kpi) => !isCountKpi(kpi))
    .flatMap((kpi) =>
      kpi.variants.flatMap((stems) => {
        const places = words.flatMap(({ stem }, place) =>
          isFree(place) && stems.some((each) => isNear(stem, each)) ? [place] : [],
        );
        const distinct = new Set(places.map((place) => words[place]?.stem));
        const isLate = distinct.has('~late') && records.some(({ id }) => id === kpi.records[0]);
        const isOwn = stems.some((stem) => owners.get(stem)?.size === 1 && !stem.startsWith('~') && distinct.has(stem));
        const share = Math.min(1, distinct.size / stems.length) + (isLate ? 1 : 0);
        return isLate || (isOwn && share >= 0.5) || share > 0.66 ? [{ kpi, places, share }] : [];
      }),
    );
  return found.toSorted((left, right) => right.share - left.share)[0];
};

/** Words made of two that are known, taken apart: `Lieferantenland`, `Maverickquote`. */
export const splitCompounds = (
  words: readonly Word[],
  { records, fields, kpis, filters }: Vocabulary,
): readonly Word[] => {
  const stems = new Set([...records, ...fields, ...kpis, ...filters].flatMap(({ variants }) => variants.flat()));
  return words.flatMap((word) => (stems.has(word.stem) ? [word] : (partsOfCompound(word, stems) ?? [word])));
};

const partMin = 4;

const partsOfCompound = (word: Word, stems: ReadonlySet<string>): readonly Word[] | undefined => {
  for (let end = partMin; end <= word.folded.length - partMin; end++) {
    const [left = ''] = nameStems(word.folded.slice(0, end));
    const [right = ''] = nameStems(word.folded.slice(end));
    if (stems.has(left) && stems.has(right) && left.length >= partMin - 1)
      return [
        { ...word, folded: fold(word.folded.slice(0, end)), stem: left },
        { ...word, folded: fold(word.folded.slice(end)), stem: right },
      ];
  }
  return undefined;
};
