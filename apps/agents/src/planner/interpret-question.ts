/** Question -> interpretation, by the names of a model and the values found in its data. */
import { type Comparison, findComparisons, findIntents, findRanking } from './cues.js';
import { hasGroupingWordBefore, findGroups } from './find-groups.js';
import { findKpis, findPartlyNamedKpi } from './find-kpis.js';
import type { Interpretation, ValueFilter } from './interpretation.js';
import { type Language, detectLanguage } from './language.js';
import { matchNames } from './match-names.js';
import type { Mention } from './mention.js';
import { type PeriodMatch, findPeriods } from './periods.js';
import { maxNegationDistance, negations, findUnknownWords } from './unknown-words.js';
import type { Field, SearchHit, Vocabulary } from './vocabulary.js';
import { type Word, foldText, nameStems, stemOf, wordsOf } from './words.js';

export const interpretQuestion = (
  text: string,
  vocabulary: Vocabulary,
  hits: readonly SearchHit[],
  before?: Language,
): Interpretation => {
  const intents = findIntents(text);
  const range = intents.get('number-of');
  const interpretation = interpretWith(text, { vocabulary, hits, intents, before });
  if (!range || interpretation.kpis.length > 0) return interpretation;
  return interpretWith(text, { vocabulary, hits, intents: new Map([...intents, ['count', range]]), before });
};

type InterpretationScope = {
  readonly vocabulary: Vocabulary;
  readonly hits: readonly SearchHit[];
  readonly intents: ReturnType<typeof findIntents>;
  readonly before: Language | undefined;
};

const interpretWith = (text: string, { vocabulary, hits, intents, before }: InterpretationScope): Interpretation => {
  const words = splitCompounds(wordsOf(text), vocabulary);
  const comparisons = findComparisons(text);
  // "How many have more than so much" asks for the rows of a figure.
  const isCount =
    intents.has('count') &&
    (comparisons.length === 0 || findPartlyNamedKpi(words, vocabulary, [], () => true) === undefined);
  const unbound = matchNames(words, vocabulary, hits, { taken: placesIn(words, comparisons), isCount });
  const periods = findPeriods(text).filter((period) => isMeantValue(period, words, unbound, comparisons));
  const otherTime = intents.get('by-other-time');
  const timed = placesIn(words, [...comparisons, ...periods, ...(otherTime ? [otherTime] : [])]);
  // "Three" of a three-way match is no limit.
  const ofNames = new Set(unbound.flatMap(({ kind, places }) => (kind === 'kpi' || kind === 'filter' ? places : [])));
  const ranking = findRanking(
    words.map((word, place) => (timed.has(place) || ofNames.has(place) ? { ...word, folded: '' } : word)),
  );
  const taken = new Set([...timed, ...(ranking?.places ?? [])]);
  const mentions = bindNeighbours(words, matchNames(words, vocabulary, hits, { taken, isCount }));
  const kpis = findKpis(words, vocabulary, mentions, { taken, isCount });
  const hasMonth = intents.has('by-month');
  const isListed = ranking !== undefined || comparisons.length > 0;
  const besides = mentions.filter(
    ({ kind, places }) => kind !== 'field' || !places.some((place) => kpis.places.includes(place)),
  );
  const groups = findGroups(words, besides, { isListed, hasKpi: kpis.kpis.length > 0, hasMonth });
  const matchOptions = placesIn(
    words,
    [...intents].flatMap(([intent, range]) => (shortIntents.has(intent) ? [range] : [])),
  );
  return {
    language: detectLanguage(text, before),
    intents: new Set(intents.keys()),
    kpis: kpis.kpis,
    groups: groups.groups,
    values: valuesOf(words, mentions),
    filters: mentions.flatMap((mention) => (mention.kind === 'filter' ? [mention.filter] : [])),
    periods: periods.map(({ period }) => period),
    comparisons: comparisons.map((comparison) => ({ ...comparison, field: fieldBefore(words, mentions, comparison) })),
    ranking,
    records: groups.besides.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : [])),
    fields: groups.besides.flatMap((mention) => (mention.kind === 'field' ? [mention.options] : [])),
    unknown: findUnknownWords(
      words,
      new Set([...taken, ...matchOptions, ...kpis.places, ...mentions.flatMap(({ places }) => places)]),
      new Set(mentions.flatMap(({ kind, places }) => (kind === 'value' ? places.slice(0, 1) : []))),
      text,
    ),
  };
};

/** Wishes that are said in a few words with nothing else between them. */
const shortIntents: ReadonlySet<string> = new Set([
  'drivers',
  'since-when',
  'target',
  'count',
  'number-of',
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
const isMeantValue = (
  period: PeriodMatch,
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

const linkingWords = new Set(
  'of the des der vom von no nr number nummer is ist called named namens from aus in im are sind kommen sitzen located'.split(
    ' ',
  ),
);

/** Mentions with nothing of meaning between them. */
const areNeighbours = (words: readonly Word[], left: Mention, right: Mention): boolean => {
  const [first, second] = (left.places[0] ?? 0) < (right.places[0] ?? 0) ? [left, right] : [right, left];
  const gap = words.slice((first.places.at(-1) ?? 0) + 1, second.places[0] ?? 0);
  return gap.length <= 2 && gap.every(({ folded }) => linkingWords.has(folded));
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
        places: sortPlaces([...mention.places, ...owner.places]),
      };
    }
    if (mention.kind !== 'value') return mention;
    const refinement = besides
      .map((other) => ({ other, options: mention.options.filter(({ field }) => isOf(field, other)) }))
      .find(({ options }) => options.length > 0);
    if (!refinement) return mention;
    // "By supplier in Spain" asks for the suppliers, too.
    if (hasGroupingWordBefore(words, Math.min(...refinement.other.places)) && !isNextTo(refinement.other, mention))
      return { ...mention, options: refinement.options };
    used.add(refinement.other);
    return {
      ...mention,
      options: refinement.options,
      places: sortPlaces([...mention.places, ...refinement.other.places]),
    };
  });
  return areBoundToSameField(words, bound).filter(
    (_, place) => !used.has(mentions[place] ?? bound[place] ?? { kind: 'field', options: [], places: [] }),
  );
};

/** "From Germany and Spain": the second is of the same field as the first. */
const areBoundToSameField = (words: readonly Word[], mentions: readonly Mention[]): readonly Mention[] =>
  mentions.reduce((list: readonly Mention[], mention) => {
    const before = list.at(-1);
    if (mention.kind !== 'value' || before?.kind !== 'value') return [...list, mention];
    const gap = words.slice((before.places.at(-1) ?? 0) + 1, mention.places[0] ?? 0);
    const fields = new Set(before.options.map(({ field }) => field.id));
    const alike = mention.options.filter(({ field }) => fields.has(field.id));
    const isJoined = gap.length <= 1 && gap.every(({ folded }) => conjunctions.has(folded)) && alike.length > 0;
    return [...list, isJoined ? { ...mention, options: alike } : mention];
  }, []);

const conjunctions = new Set('and or und oder sowie'.split(' '));

const sortPlaces = (places: readonly number[]): readonly number[] => places.toSorted((left, right) => left - right);

const isNextTo = (left: Mention, right: Mention): boolean =>
  left.places.some((place) => right.places.includes(place + 1) || right.places.includes(place - 1));

const isOf = (field: Field, mention: Mention): boolean => {
  if (mention.kind === 'field') return mention.options.some(({ id }) => id === field.id);
  return mention.kind === 'record' && field.record === mention.record.id;
};

const valuesOf = (words: readonly Word[], mentions: readonly Mention[]): readonly ValueFilter[] =>
  mentions.flatMap((mention) => {
    if (mention.kind !== 'value') return [];
    const first = Math.min(...mention.places);
    const isNegated = words
      .slice(Math.max(0, first - maxNegationDistance), first)
      .some(({ folded }) => negations.has(folded));
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

/** `Lieferantenland`, `Maverickquote`: two words at one place. */
const splitCompounds = (words: readonly Word[], { records, fields, kpis, filters }: Vocabulary): readonly Word[] => {
  const stems = new Set([...records, ...fields, ...kpis, ...filters].flatMap(({ variants }) => variants.flat()));
  return words.flatMap((word) =>
    stems.has(word.stem) ? [word] : (withoutTotal(word, stems) ?? partsOfCompound(word, stems) ?? [word]),
  );
};

/** `Gesamtausgaben` are `Ausgaben`. */
const withoutTotal = (word: Word, stems: ReadonlySet<string>): readonly Word[] | undefined => {
  const folded = word.folded.replace(/^gesamt/, '');
  const stem = stemOf(folded);
  return folded !== word.folded && stems.has(stem) ? [{ ...word, folded, stem }] : undefined;
};

const partMin = 4;

const partsOfCompound = (word: Word, stems: ReadonlySet<string>): readonly Word[] | undefined => {
  for (let end = partMin; end <= word.folded.length - partMin; end++) {
    const [left = ''] = nameStems(word.folded.slice(0, end));
    const [right = ''] = nameStems(word.folded.slice(end));
    if (stems.has(left) && stems.has(right) && left.length >= partMin - 1)
      return [
        { ...word, folded: foldText(word.folded.slice(0, end)), stem: left },
        { ...word, folded: foldText(word.folded.slice(end)), stem: right },
      ];
  }
  return undefined;
};
