/** Question -> interpretation, by the names of a model and the values found in its data. */
import { bindComparison, isOfOthers } from './bind-comparison.js';
import { bindMentions } from './bind-mentions.js';
import {
  type Comparison,
  findComparisons,
  findIntents,
  findRanking,
  type Intent,
  isIgnoredWord,
  isMostWord,
} from './cues.js';
import { isDay } from './choose-fields.js';
import { findGroups, hasGroupingWordBefore } from './find-groups.js';
import { findKpis } from './find-kpis.js';
import { countRows, findFunction, findHead, findRecordsUnder, isAddedUp, isNumber } from './find-measure.js';
import type { Condition, Grain, Interpretation } from './interpretation.js';
import { type Language, detectLanguage } from './language.js';
import { matchNames } from './match-names.js';
import type { Mention } from './mention.js';
import { findPeriodShift } from './period-shift.js';
import { type PeriodMatch, findPeriods } from './periods.js';
import { splitCompounds } from './split-compounds.js';
import { maxNegationDistance, negations, findUnknownWords } from './unknown-words.js';
import type { Field, RecordEntry, SearchHit, Vocabulary } from './vocabulary.js';
import { type Word, foldText, wordsOf } from './words.js';

export const interpretQuestion = (text: string, vocabulary: Vocabulary, hits: readonly SearchHit[]): Interpretation => {
  const scope = readText(text, vocabulary, hits);
  const isShare = scope.intents.has('share');
  const named = isShare || scope.intents.has('number-of') ? interpretWith(scope, false) : undefined;
  // A share is one of a KPI before it is one of rows. "Order value and number of orders" are two figures.
  if (named && named.kpis.length > (isShare ? 0 : 1)) return named;
  const counted = interpretWith(scope, true);
  return counted ?? named ?? interpretWith(scope, false) ?? { ...nothing, language: scope.language };
};

const nothing: Omit<Interpretation, 'language'> = {
  ...{ intents: new Set<Intent>(), kpis: [], groups: [], values: [], filters: [], periods: [], comparisons: [] },
  ...{ records: [], fields: [], unknown: [] },
};

type Scope = {
  readonly text: string;
  readonly words: readonly Word[];
  readonly vocabulary: Vocabulary;
  readonly hits: readonly SearchHit[];
  readonly intents: ReturnType<typeof findIntents>;
  readonly comparisons: readonly Comparison[];
  readonly language: Language;
  /** Where what is counted begins. */
  readonly countedFrom: number | undefined;
};

const readText = (text: string, vocabulary: Vocabulary, hits: readonly SearchHit[]): Scope => {
  const words = splitCompounds(wordsOf(text), vocabulary);
  const intents = findIntents(text);
  const said = intents.get('count') ?? intents.get('number-of') ?? intents.get('share');
  const most = words.findIndex((word, at) => isMostWord(word, words[at + 1]));
  const comparisons = findComparisons(text);
  const behind = said ? words.findIndex(({ start }) => start >= said.end) : most < 0 ? -1 : most + 1;
  return {
    ...{ text, words, vocabulary, hits, intents, comparisons },
    language: detectLanguage(text),
    countedFrom: behind >= 0 ? behind : afterNumber(words, comparisons),
  };
};

/** "More than five late payments": what is compared is counted, unless it is money, days or a rate. */
const afterNumber = (words: readonly Word[], comparisons: readonly Comparison[]): number | undefined => {
  const [only, ...others] = comparisons;
  if (!only || others.length > 0 || only.unit !== 'none') return undefined;
  const behind = words.findIndex(({ start }) => start >= only.end);
  return behind < 0 ? undefined : behind;
};

type ReadWords = ReturnType<typeof readWords>;

/** What the words mention, when, and in which order. */
const readWords = (scope: Scope, isCount: boolean) => {
  const { words, text, vocabulary, hits, intents, comparisons } = scope;
  const shift = findPeriodShift(text);
  const shiftPlaces = placesIn(words, shift ? [shift] : []);
  const said = isCount ? (['count', 'number-of'] as const).flatMap((intent) => intents.get(intent) ?? []) : [];
  const fixed = [...comparisons, ...said, ...(shift ? [shift] : [])];
  const unbound = matchNames(words, vocabulary, hits, { taken: placesIn(words, fixed), isCount });
  const periods = findPeriods(text).filter(
    (period) =>
      isMeantValue(period, words, unbound, comparisons) &&
      !(shift && period.start < shift.end && shift.start < period.end),
  );
  const grain = grainOf(intents);
  const share = intents.get('share');
  const untimed = new Set([
    ...placesIn(words, share ? [share] : []),
    ...absorbedPlaces(words, unbound, vocabulary),
    ...placesIn(words, [...fixed, ...periods]),
    ...shiftPlaces,
  ]);
  const timed = new Set([...untimed, ...placesIn(words, grain ? [grain.range] : [])]);
  // "Three" of a three-way match is no limit.
  const ofNames = new Set(unbound.flatMap(({ kind, places }) => (kind === 'kpi' || kind === 'filter' ? places : [])));
  const ranking = findRanking(
    words.map((word, place) => (untimed.has(place) || ofNames.has(place) ? { ...word, folded: '' } : word)),
  );
  const taken = new Set([...timed, ...(ranking?.places ?? [])]);
  const dated = new Set(periods.flatMap(({ start }) => placesBefore(words, start)));
  const named = matchNames(words, vocabulary, hits, { taken, isCount, dated });
  const partly = dateMentions(words, vocabulary, dated, new Set([...taken, ...named.flatMap(({ places }) => places)]));
  const found = [...named, ...partly].toSorted((left, right) => (left.places[0] ?? 0) - (right.places[0] ?? 0));
  return { shift, periods, grain, ranking, taken, dated, found };
};

/** What is asked for, and what narrows it down; undefined when nothing is counted that should be. */
const bindWords = (scope: Scope, { ranking, taken, found }: ReadWords, isCount: boolean) => {
  const { words, vocabulary, intents, comparisons } = scope;
  const home = isCount
    ? findHead(words, found, vocabulary, scope.countedFrom ?? 0)
    : headOfList(scope, found, ranking?.places ?? []);
  if (isCount && !home) return undefined;
  const { mentions, owners, foreign } = bindMentions(words, found);
  const kpis = isCount
    ? { kpis: [], places: [] }
    : findKpis(words, vocabulary, mentions, {
        taken,
        asksLateness: intents.has('since-when') || (intents.has('list') && !home),
      });
  const headMention =
    home &&
    found.find((mention) => mention.kind === 'record' && mention.record.id === home.id && isHead(scope, mention));
  const free = mentions.filter(
    (mention, place) =>
      !owners.has(found[place] ?? mention) &&
      (!isCount || found[place] !== headMention) &&
      (mention.kind !== 'field' || !mention.places.some((at) => kpis.places.includes(at))),
  );
  const compared = comparisons.map((comparison) => bindComparison(words, free, comparison, home));
  // "Orders with more than five items": no number of theirs says how many.
  const uncounted =
    comparisons.some((comparison) => home && isOfOthers(words, found, comparison, home)) &&
    compared.some(({ comparison }) => !comparison.field);
  const rest = free.filter((mention) => !compared.some(({ mention: used }) => used === mention));
  const negated = rest.flatMap((mention) => missingOf(words, mention, home, vocabulary) ?? []);
  const plain = rest.filter((mention) => !negated.some(({ mention: used }) => used === mention));
  return { home, mentions, foreign, kpis, compared, uncounted, negated, plain };
};

/** `isCount`: as a question for the number of rows; undefined when it is none. */
const interpretWith = (scope: Scope, isCount: boolean): Interpretation | undefined => {
  const { words, text, vocabulary, intents, comparisons } = scope;
  if (isCount && scope.countedFrom === undefined) return undefined;
  const read = readWords(scope, isCount);
  const { shift, periods, grain, ranking, taken, dated, found } = read;
  const bound = bindWords(scope, read, isCount);
  if (!bound) return undefined;
  const { home, mentions, foreign, kpis, compared, uncounted, negated, plain } = bound;
  const isListed = ranking !== undefined || comparisons.length > 0;
  const hasMeasure = kpis.kpis.length > 0;
  const groups = findGroups(words, plain, { isListed, hasKpi: hasMeasure, grain: grain?.grain });
  const aggregate =
    hasMeasure || isCount ? undefined : aggregateOf(intents, groups.besides, home ? undefined : ranking?.by);
  const numbers = aggregate ? groups.besides.filter((mention) => mention !== aggregate.mention) : groups.besides;
  const under = found.flatMap((mention) =>
    mention.kind === 'filter' ? findRecordsUnder(words, mention, vocabulary).map(({ record }) => record) : [],
  );
  const [listed] =
    groups.groups.length === 0 || aggregate || intents.has('list')
      ? []
      : [...numbers.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : [])), ...under];
  const rows = isCount ? home : hasMeasure ? undefined : listed;
  const counted = rows ? [countRows(rows)] : kpis.kpis;
  const dateless = unknownDate(words, found, dated);
  const matchOptions = placesIn(
    words,
    [...intents].flatMap(([intent, range]) => (shortIntents.has(intent) ? [range] : [])),
  );
  return {
    language: scope.language,
    intents: new Set(intents.keys()),
    kpis: counted,
    home: home ?? compared.flatMap(({ mention }) => (mention?.kind === 'record' ? [mention.record] : []))[0],
    aggregate: aggregate && {
      function: aggregate.function,
      options: ofNamedRecords(aggregate.options, new Set(under.map(({ id }) => id))),
    },
    groups: groups.groups,
    values: [
      ...conditionsOf(
        words,
        mentions.filter(({ places }) => !places.some((at) => kpis.places.includes(at))),
      ),
      ...negated.map(({ condition }) => condition),
    ],
    filters: mentions.flatMap((mention) => (mention.kind === 'filter' ? [mention.filter] : [])),
    periods: periods.map(({ period }) => period),
    shift,
    comparisons: compared.map(({ comparison }) => comparison),
    ranking,
    records: [...numbers.flatMap((mention) => (mention.kind === 'record' ? [mention.record] : [])), ...under],
    fields: numbers.flatMap((mention) => (mention.kind === 'field' ? [mention.options] : [])),
    saysRate: words.some(({ stem }) => stem === '~rate'),
    problem: uncounted
      ? { why: 'cannot-compare' }
      : dateless === undefined
        ? foreign
        : { why: 'unknown-names', words: [dateless] },
    unknown: findUnknownWords(
      words,
      new Set([...taken, ...matchOptions, ...kpis.places, ...found.flatMap(({ places }) => places)]),
      new Set([
        ...mentions.flatMap(({ kind, places }) => (kind === 'condition' ? places.slice(0, 1) : [])),
        ...negated.flatMap(({ mention }) => mention.places.slice(0, 1)),
      ]),
      text,
    ),
  };
};

const prefixMin = 4;

/** "Due in June" and "posted in March" name the date that the period is of by one of its words. */
const dateMentions = (
  words: readonly Word[],
  { fields }: Vocabulary,
  dated: ReadonlySet<number>,
  known: ReadonlySet<number>,
): readonly Mention[] =>
  [...dated].flatMap((place): readonly Mention[] => {
    const word = words[place];
    if (!word || known.has(place) || (isIgnoredWord(word) && !datingVerbs.has(word.folded))) return [];
    const options = fields.filter(
      (field) =>
        isDay(field) &&
        field.variants.some(([first = '']) =>
          word.stem.length < prefixMin
            ? first === word.stem
            : first.slice(0, prefixMin) === word.stem.slice(0, prefixMin),
        ),
    );
    return options.length > 0 ? [{ kind: 'field', options, places: [place] }] : [];
  });

/** What is done on a day of its own, so that another day would be wrong. */
const datingVerbs = new Set(
  foldText(`posted booked paid delivered received due approved cancelled closed opened completed invoiced shipped returned gebucht bezahlt geliefert fallig
storniert genehmigt geschlossen eroffnet abgeschlossen erhalten`).split(/\s+/),
);

/** A day that the words want and the model has not, e.g. the one on which an invoice was paid. */
const unknownDate = (
  words: readonly Word[],
  mentions: readonly Mention[],
  dated: ReadonlySet<number>,
): string | undefined =>
  [...dated].flatMap((place) => {
    const word = words[place];
    const over = mentions.find(({ places }) => places.includes(place));
    const isDate = over?.kind === 'field' && over.options.some(isDay);
    const isFlag = over?.kind === 'condition' && over.options.some(({ value }) => value === true);
    const isOfName = over?.kind === 'kpi' || over?.kind === 'filter' || over?.kind === 'record';
    return word && datingVerbs.has(word.folded) && !isDate && !isFlag && !isOfName ? [word.text] : [];
  })[0];

/** "Purchase order value" is the order value: the word in front only completes the name of the record. */
const absorbedPlaces = (
  words: readonly Word[],
  mentions: readonly Mention[],
  { records }: Vocabulary,
): readonly number[] =>
  mentions.flatMap((mention) => {
    const first = mention.places[0] ?? 0;
    const [before, own] = [words[first - 1]?.stem, words[first]?.stem];
    if (mention.kind !== 'kpi' || before === undefined) return [];
    const isOfName = records.some(({ variants }) =>
      variants.some((stems) => stems.some((stem, at) => stem === before && stems[at + 1] === own)),
    );
    return isOfName ? [first - 1] : [];
  });

/** "The amount of blocked invoices": the record that the name of a filter holds. */
const ofNamedRecords = (options: readonly Field[], records: ReadonlySet<string>): readonly Field[] => {
  const named = options.filter(({ record }) => records.has(record));
  return named.length > 0 ? named : options;
};

const isHead = ({ countedFrom, words, intents }: Scope, { places }: Mention): boolean => {
  const list = intents.get('list');
  const from = countedFrom ?? (list ? words.findIndex(({ start }) => start >= list.end) : -1);
  return from >= 0 && (places[0] ?? 0) >= from;
};

/** Of what is listed, or what is the largest. */
const headOfList = (
  { words, vocabulary, intents }: Scope,
  mentions: readonly Mention[],
  ranked: readonly number[],
): RecordEntry | undefined => {
  const list = intents.get('list');
  const start = list
    ? words.findIndex((word) => word.start >= list.end)
    : ranked.length > 0
      ? Math.max(...ranked) + 1
      : -1;
  return start < 0 ? undefined : findHead(words, mentions, vocabulary, start);
};

const grains: readonly (readonly [Intent, Grain])[] = [
  ['by-day', 'day'],
  ['by-week', 'week'],
  ['by-quarter', 'quarter'],
  ['by-year', 'year'],
  ['by-month', 'month'],
];

const grainOf = (intents: Scope['intents']): { readonly grain: Grain; readonly range: Range } | undefined =>
  grains.flatMap(([intent, grain]) => {
    const range = intents.get(intent);
    return range ? [{ grain, range }] : [];
  })[0];

/** A number that is asked for as it is of many rows. */
const aggregateOf = (intents: Scope['intents'], mentions: readonly Mention[], ranked: string | undefined) => {
  const extreme = ranked === 'most' ? 'max' : ranked === 'least' ? 'min' : undefined;
  const asked = findFunction({ intents: new Set(intents.keys()) }) ?? extreme;
  for (const mention of mentions) {
    const options = mention.kind === 'field' ? mention.options.filter(isNumber) : [];
    if (options.length > 0 && asked) return { mention, options, function: asked };
  }
  const [only, ...others] = mentions.filter((mention) => mention.kind === 'field' && mention.options.some(isNumber));
  const options = only?.kind === 'field' ? only.options.filter((field) => isNumber(field) && isAddedUp(field)) : [];
  if (!only || others.length > 0 || options.length === 0 || intents.has('list')) return undefined;
  return { mention: only, options, function: 'sum' as const };
};

/** Wishes that are said in a few words with nothing else between them. */
const shortIntents: ReadonlySet<string> = new Set([
  ...[
    'drivers',
    'since-when',
    'target',
    'count',
    'number-of',
    'average',
    'median',
    'sum',
    'maximum',
    'minimum',
    'share',
    'trend',
  ],
  ...grains.map(([intent]) => intent),
]);

type Range = { readonly start: number; readonly end: number };

const placesIn = (words: readonly Word[], ranges: readonly Range[]): ReadonlySet<number> =>
  new Set(
    words.flatMap(({ start, end }, place) =>
      ranges.some((range) => start < range.end && range.start < end) ? [place] : [],
    ),
  );

/** The words right before a text position, at most two. */
const placesBefore = (words: readonly Word[], start: number): readonly number[] => {
  const at = words.findIndex((word) => word.end > start);
  return at < 0 ? [] : [at - 1, at - 2];
};

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
    (mention) => mention.kind === 'condition' && mention.options.some(({ value }) => value === period.bareYear),
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

const isNegatedAt = (words: readonly Word[], first: number, last: number): boolean => {
  const before = words.slice(Math.max(0, first - maxNegationDistance), first);
  return before.some(({ folded }) => negations.has(folded)) || words[last + 1]?.folded === 'nicht';
};

const conditionsOf = (words: readonly Word[], mentions: readonly Mention[]): readonly Condition[] =>
  mentions.flatMap((mention) => {
    if (mention.kind !== 'condition') return [];
    // "By blocked" groups by the flag.
    const first = mention.places[0] ?? 0;
    if (hasGroupingWordBefore(words, first) && mention.options.every(({ value }) => value === true)) return [];
    return [{ options: mention.options, isNegated: isNegatedAt(words, first, mention.places.at(-1) ?? first) }];
  });

/** "Without requisition", "no goods receipt": the field has no value. Of a record it is the field that names its row. */
const missingOf = (
  words: readonly Word[],
  mention: Mention,
  home: RecordEntry | undefined,
  { fields }: Vocabulary,
): { readonly mention: Mention; readonly condition: Condition } | undefined => {
  const first = mention.places[0] ?? 0;
  const before = words.slice(Math.max(0, first - 3), first).map(({ folded }) => folded);
  if (!before.some((word) => withoutWords.has(word))) return undefined;
  if (mention.kind === 'field') {
    // A number that is not there may be a zero.
    const options = mention.options
      .filter((field) => !isNumber(field) || /_(?:NO|ID)$/i.test(field.id))
      .map((field) => ({ field, value: null }));
    return options.length > 0 ? { mention, condition: { options, isNegated: false } } : undefined;
  }
  if (mention.kind !== 'record') return undefined;
  const named = fields.filter(
    ({ record, texts }) =>
      texts.includes(mention.record.texts.find((text) => text !== '') ?? '') &&
      record !== mention.record.id &&
      (!home || record === home.id),
  );
  return named.length === 0
    ? undefined
    : { mention, condition: { options: named.map((field) => ({ field, value: null })), isNegated: false } };
};

const withoutWords = new Set('without no ohne kein keine keinen keiner lack lacks lacking missing'.split(' '));
