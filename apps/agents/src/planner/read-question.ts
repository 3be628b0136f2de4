/**
 * A question in words -> what it was understood to be, by the names of a model and what was found in its data.
 * Refuses: to fill in what was not said; what was said before is added by follow-up.ts.
 */
import {
  allWords,
  askingWords,
  type Comparison,
  comparisonsIn,
  groupingWords,
  isIgnored,
  rankingOf,
  wishesOf,
} from './cues.js';
import { languageOf, type Language } from './language.js';
import { matchNames, type Mention, partialKpi, splitCompounds } from './match-names.js';
import { findPeriods, type FoundPeriod } from './periods.js';
import type { Group, Reading, ValueFilter } from './reading.js';
import type { Field, Hit, Kpi, RecordEntry, Vocabulary } from './vocabulary.js';
import { nameStems, type Word, wordsOf } from './words.js';

export const readQuestion = (
  text: string,
  vocabulary: Vocabulary,
  hits: readonly Hit[],
  before?: Language,
): Reading => {
  const wishes = wishesOf(text);
  const words = splitCompounds(wordsOf(text), vocabulary);
  const comparisons = comparisonsIn(text);
  // "How many have more than so much" asks for the rows of a figure.
  const isCount =
    wishes.has('count') && (comparisons.length === 0 || partialKpi(words, vocabulary, [], () => true) === undefined);
  const unbound = matchNames(words, vocabulary, hits, { taken: placesIn(words, comparisons), isCount });
  const periods = findPeriods(text).filter((period) => isMeant(period, words, unbound, comparisons));
  const timed = placesIn(words, [...comparisons, ...periods]);
  const ranking = rankingOf(words.map((word, place) => (timed.has(place) ? { ...word, folded: '' } : word)));
  const taken = new Set([...timed, ...(ranking?.places ?? [])]);
  const mentions = bindNeighbours(words, matchNames(words, vocabulary, hits, { taken, isCount }));
  const kpis = kpisOf(words, vocabulary, mentions, { taken, isCount });
  const hasMonth = wishes.has('by-month');
  const isListed = ranking !== undefined || comparisons.length > 0;
  const besides = mentions.filter(
    ({ kind, places }) => kind !== 'field' || !places.some((place) => kpis.places.includes(place)),
  );
  const groups = groupsOf(words, besides, { isListed, hasKpi: kpis.kpis.length > 0, hasMonth });
  const wished = placesIn(
    words,
    [...wishes].flatMap(([wish, range]) => (shortWishes.has(wish) ? [range] : [])),
  );
  return {
    language: languageOf(text, before),
    wishes: new Set(wishes.keys()),
    kpis: kpis.kpis,
    groups: groups.groups,
    values: valuesOf(words, mentions),
    filters: mentions.flatMap((mention) => (mention.kind === 'filter' ? [mention.filter] : [])),
    periods: periods.map(({ period }) => period),
    comparisons: comparisons.map((comparison) => ({ ...comparison, field: fieldBefore(words, mentions, comparison) })),
    ranking,
    records: groups.besides.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : [])),
    fields: groups.besides.flatMap((mention) => (mention.kind === 'field' ? [mention.options] : [])),
    unknown: unknownOf(
      words,
      new Set([...taken, ...wished, ...kpis.places, ...mentions.flatMap(({ places }) => places)]),
      text,
    ),
  };
};

/** Wishes that are said in a few words with nothing else between them. */
const shortWishes: ReadonlySet<string> = new Set([
  'drivers',
  'since-when',
  'target',
  'count',
  'by-month',
  'by-other-time',
  'average',
]);

type Range = { readonly start: number; readonly end: number };

const placesIn = (words: readonly Word[], ranges: readonly Range[]): ReadonlySet<number> =>
  new Set(
    words.flatMap(({ start, end }, place) =>
      ranges.some((range) => start < range.end && range.start < end) ? [place] : [],
    ),
  );

/** A named filter comes before a period, and a value of the data before a year alone. */
const isMeant = (
  period: FoundPeriod,
  words: readonly Word[],
  mentions: readonly Mention[],
  comparisons: readonly Comparison[],
): boolean => {
  if (comparisons.some(({ start, end }) => period.start < end && start < period.end)) return false;
  const places = placesIn(words, [period]);
  const over = mentions.filter((mention) => mention.places.some((place) => places.has(place)));
  if (over.some(({ kind }) => kind === 'filter')) return false;
  const isValue = over.some(
    (mention) => mention.kind === 'value' && mention.options.some(({ value }) => value === period.bareYear),
  );
  const year = words.find(({ text }) => text === period.bareYear);
  const saysYear = /year|jahr/i.test(
    words
      .filter((_, place) => places.has(place))
      .map(({ folded }) => folded)
      .join(' '),
  );
  return !isValue || !year || saysYear;
};

const between = new Set(
  'of the des der vom von no nr number nummer is ist called named namens from aus in im'.split(' '),
);

/** Mentions with nothing of meaning between them. */
const areNeighbours = (words: readonly Word[], left: Mention, right: Mention): boolean => {
  const [first, second] = (left.places[0] ?? 0) < (right.places[0] ?? 0) ? [left, right] : [right, left];
  const gap = words.slice((first.places.at(-1) ?? 0) + 1, second.places[0] ?? 0);
  return gap.length <= 2 && gap.every(({ folded }) => between.has(folded));
};

/** "Supplier country" is the country of the supplier, and "plant 2010" a plant; what was only said for that is left out. */
const bindNeighbours = (words: readonly Word[], mentions: readonly Mention[]): readonly Mention[] => {
  const used = new Set<Mention>();
  const bound = mentions.map((mention): Mention => {
    const besides = mentions.filter((other) => other !== mention && areNeighbours(words, other, mention));
    if (mention.kind === 'field') {
      const owner = besides.find(
        (other) => other.kind === 'record' && mention.options.some(({ record }) => record === other.record.id),
      );
      if (owner?.kind !== 'record') return mention;
      used.add(owner);
      return {
        ...mention,
        options: mention.options.filter(({ record }) => record === owner.record.id),
        places: sorted([...mention.places, ...owner.places]),
      };
    }
    if (mention.kind !== 'value') return mention;
    const narrowing = besides
      .map((other) => ({ other, options: mention.options.filter(({ field }) => isOf(field, other)) }))
      .find(({ options }) => options.length > 0);
    if (!narrowing) return mention;
    // "By supplier in Spain" asks for the suppliers, too.
    if (asksFor(words, Math.min(...narrowing.other.places)) && !isNextTo(narrowing.other, mention))
      return { ...mention, options: narrowing.options };
    used.add(narrowing.other);
    return { ...mention, options: narrowing.options, places: sorted([...mention.places, ...narrowing.other.places]) };
  });
  return bound.filter(
    (_, place) => !used.has(mentions[place] ?? bound[place] ?? { kind: 'field', options: [], places: [] }),
  );
};

const sorted = (places: readonly number[]): readonly number[] => places.toSorted((left, right) => left - right);

const isNextTo = (left: Mention, right: Mention): boolean =>
  left.places.some((place) => right.places.includes(place + 1) || right.places.includes(place - 1));

const isOf = (field: Field, mention: Mention): boolean => {
  if (mention.kind === 'field') return mention.options.some(({ id }) => id === field.id);
  return mention.kind === 'record' && field.record === mention.record.id;
};

type FoundKpis = { readonly kpis: readonly Kpi[]; readonly places: readonly number[] };

const kpisOf = (
  words: readonly Word[],
  vocabulary: Vocabulary,
  mentions: readonly Mention[],
  { taken, isCount }: { readonly taken: ReadonlySet<number>; readonly isCount: boolean },
): FoundKpis => {
  const named = mentions.flatMap((mention) => (mention.kind === 'kpi' ? [mention] : []));
  // "Orders" beside another figure are what the figure is of.
  const strong = named.filter(({ isCount: counts }) => !counts);
  const chosen = isCount ? named.filter(({ isCount: counts }) => counts) : strong;
  if (chosen.length > 0) return { kpis: uniqueKpis(chosen.map(({ kpi }) => kpi)), places: [] };
  if (isCount) return { kpis: countedBy(words, vocabulary, taken), places: [] };
  const records = mentions.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : []));
  const fixed = new Set(mentions.flatMap((mention) => (isLoose(mention) ? [] : mention.places)));
  const part = partialKpi(words, vocabulary, records, (place) => !taken.has(place) && !fixed.has(place));
  if (part) return { kpis: [part.kpi], places: part.places };
  const counted = uniqueKpis(named.map(({ kpi }) => kpi));
  if (counted.length > 0) return { kpis: counted, places: [] };
  const asValue = new Set(mentions.flatMap((mention) => (mention.kind === 'field' ? [] : mention.places)));
  const over = partialKpi(words, vocabulary, records, (place) => !taken.has(place) && !asValue.has(place));
  if (over && over.share > mostOfIt) return { kpis: [over.kpi], places: over.places };
  const isGrouped = mentions.some(({ kind }) => kind === 'field') && mentions.some(({ kind }) => kind === 'filter');
  return { kpis: isGrouped ? countedBy(words, vocabulary, taken) : [], places: [] };
};

const mostOfIt = 0.66;

const uniqueKpis = (kpis: readonly Kpi[]): readonly Kpi[] => [...new Map(kpis.map((kpi) => [kpi.id, kpi])).values()];

/** Words of these may be of a KPI that is named in part. */
const isLoose = (mention: Mention): boolean =>
  mention.kind === 'record' ||
  (mention.kind === 'kpi' && mention.isCount) ||
  (mention.kind === 'field' && mention.options.every(({ type }) => type !== 'string'));

/** "How many blocked invoices": the KPI that counts what is named, also inside of the name of a filter. */
const countedBy = (words: readonly Word[], { kpis }: Vocabulary, taken: ReadonlySet<number>): readonly Kpi[] => {
  const has = (stem: string): boolean => words.some((word, place) => !taken.has(place) && word.stem === stem);
  const placeOf = (stem: string | undefined): number => words.findIndex((word) => word.stem === stem);
  const counting = kpis.flatMap((kpi) =>
    kpi.variants.flatMap((stems) => {
      const counted = stems.filter((stem) => stem !== '~count');
      const counts = counted.length < stems.length || kpi.variants.some((each) => each.includes('~count'));
      return counts && counted.length > 0 && counted.every(has)
        ? [{ kpi, length: counted.length, place: placeOf(counted[0]) }]
        : [];
    }),
  );
  return counting
    .toSorted((left, right) => right.length - left.length)
    .slice(0, 1)
    .map(({ kpi }) => kpi);
};

type Grouping = { readonly isListed: boolean; readonly hasKpi: boolean; readonly hasMonth: boolean };
type Grouped = { readonly groups: readonly Group[]; readonly besides: readonly Mention[] };

const groupsOf = (
  words: readonly Word[],
  mentions: readonly Mention[],
  { isListed: isListing, hasKpi, hasMonth }: Grouping,
): Grouped => {
  const groups: Group[] = hasMonth ? [{ kind: 'month' }] : [];
  const besides: Mention[] = [];
  let last = -9;
  for (const mention of mentions) {
    const group = groupOf(mention);
    if (!group) continue;
    const first = mention.places[0] ?? 0;
    const isListed = first - last <= 2 && joins(words.slice(last + 1, first));
    const isGroup =
      asksFor(words, first) || isListed || (hasKpi && isMeantSo(mention, isListing && groups.length === 0));
    if (isGroup) {
      groups.push(group);
      last = mention.places.at(-1) ?? first;
    } else besides.push(mention);
  }
  return { groups, besides };
};

/** A dimension beside a figure is a group, a record only in a list; numbers and keys only when they are asked for. */
const isMeantSo = (mention: Mention, isListing: boolean): boolean => {
  if (mention.kind === 'record') return isListing;
  if (mention.kind !== 'field') return false;
  return mention.options.some(({ type, id }) => type === 'string' && !/_NO$|_ID$/i.test(id));
};

const groupOf = (mention: Mention): Group | undefined => {
  if (mention.kind === 'record') return { kind: 'record', record: mention.record };
  return mention.kind === 'field' ? { kind: 'field', options: mention.options } : undefined;
};

const joins = (gap: readonly Word[]): boolean =>
  gap.length > 0 && gap.every(({ folded }) => ['and', 'und', 'sowie'].includes(folded));

/** Whether the words in front ask for one row of each. */
const asksFor = (words: readonly Word[], first: number): boolean => {
  const before = words.slice(Math.max(0, first - 3), first).map(({ folded }) => folded);
  const near = before.findLastIndex((word) => groupingWords.has(word) || askingWords.has(word) || allWords.has(word));
  return (
    near >= 0 &&
    before
      .slice(near + 1)
      .every((word) =>
        /^(?:the|der|die|das|dem|den|\d+|zwei|drei|vier|funf|two|three|four|five|single|einzelne[mnrs]?)$/.test(word),
      )
  );
};

const negations = new Set('not without except excluding nicht ohne ausser'.split(' '));

const valuesOf = (words: readonly Word[], mentions: readonly Mention[]): readonly ValueFilter[] =>
  mentions.flatMap((mention) => {
    if (mention.kind !== 'value') return [];
    const first = Math.min(...mention.places);
    const isNegated = words.slice(Math.max(0, first - 3), first).some(({ folded }) => negations.has(folded));
    return [{ options: mention.options, isNegated }];
  });

const fieldBefore = (
  words: readonly Word[],
  mentions: readonly Mention[],
  { start }: Comparison,
): readonly Field[] | undefined => {
  const place = words.findIndex((word) => word.start >= start);
  const found = mentions.findLast(
    (mention) =>
      mention.kind === 'field' && place - (mention.places.at(-1) ?? 0) <= 2 && (mention.places.at(-1) ?? 0) < place,
  );
  return found?.kind === 'field' ? found.options : undefined;
};

const prepositions = new Set('in for of at from aus bei fur von im vom zu customer kunde kunden plant werk'.split(' '));

const unknownOf = (words: readonly Word[], known: ReadonlySet<number>, text: string): Reading['unknown'] =>
  words
    .flatMap((word, place) => {
      if (known.has(place) || isIgnored(word) || word.folded.length < 2 || isTimeWord(word)) return [];
      const before = words[place - 1]?.folded ?? '';
      const isCapital = /^\p{Lu}/u.test(word.text) && !/(?:^|[.!?]\s*)$/.test(text.slice(0, word.start));
      return [{ text: word.text, isName: isCapital || /\d/.test(word.text) || prepositions.has(before) }];
    })
    .toSorted((left, right) => Number(right.isName) - Number(left.isName));

const timeWords = new Set(
  [
    'month',
    'months',
    'monthly',
    'Monat',
    'Monate',
    'monatlich',
    'time',
    'Zeit',
    'Zeitverlauf',
    'year',
    'quarter',
    'week',
    'day',
    'Jahr',
    'Quartal',
    'Woche',
    'Tag',
    'jährlich',
  ].flatMap(nameStems),
);
const isTimeWord = ({ stem }: Word): boolean => timeWords.has(stem);

/** The records that are named anywhere in it. */
export const recordsNamed = ({ records, groups }: Reading): readonly RecordEntry[] => [
  ...records,
  ...groups.flatMap((group) => (group.kind === 'record' ? [group.record] : [])),
];
