/**
 * Sums, differences, quotients and midpoints: a figure that no tool told, but that the answer makes of figures that were told and says so,
 * in its sentence, in the head of its column or in the label of its row.
 */
import type { GroundingCell } from '@tessera/contracts/agents';
import type { Mention } from './read-mentions.js';
import type { ToldValues } from './told-values.js';

/** A figure of the answer that a tool told. */
export type ToldMention = {
  readonly mention: Mention;
  readonly value: number;
  readonly cells: readonly GroundingCell[];
};

const sumWords =
  /(?<!\p{L})(?:total(?:s|led|ling)?|sum|together|combined|in all|altogether|overall|plus|insgesamt|gesamt\p{L}*|summe|zusammen|au total|en tout|somme|suma)(?!\p{L})|[+Σ]/iu;
const differenceWords =
  /(?<!\p{L})(?:difference|delta|gap|change[sd]?|increase[sd]?|decrease[sd]?|grew|growth|rose|fell|dropped|drop|up|down|more|less|fewer|higher|lower|above|below|minus|remaining|left|rest|Differenz|Unterschied|Veränderung|Abweichung|Anstieg|Rückgang|stieg|sank|gestiegen|gesunken|mehr|weniger|höher|niedriger|über|unter|übrig|différence|écart|diferencia)(?!\p{L})|[Δ∆]| [-–] /iu;
const quotientWords =
  /(?<!\p{L})(?:ratio|per|average|mean|Verhältnis|je|pro|Durchschnitt\p{L}*|durchschnittlich\p{L}*)(?!\p{L})|[Ø⌀]/iu;
const middleWords = /(?<!\p{L})(?:half[ -]?way|midpoint|mid-point|in the middle|Mitte)(?!\p{L})/iu;
const betweenWords = /(?<!\p{L})(?:between|zwischen)(?!\p{L})/iu;

/** What is looked at on each side of the figure. */
const figuresMax = 30;
const cellsMax = 50;

type Source = {
  readonly values: ToldValues;
  /** The number of the sentence, or row, that a place of the answer is in. */
  readonly sentenceOf: (place: number) => number;
};

export const deriveFigure = (
  mention: Mention,
  told: readonly ToldMention[],
  { values, sentenceOf }: Source,
): readonly GroundingCell[] | undefined => {
  const around = `${mention.table?.label ?? ''} ${sentenceAround(mention)}`;
  const isNear = (value: number): boolean =>
    mention.readings.some(
      (reading) => Math.abs(Math.abs(value) - Math.abs(reading.value)) <= reading.half + Math.abs(reading.value) * 1e-9,
    );
  const near = (): NearFigures => nearFigures(mention, told, sentenceOf);
  return (
    (sumWords.test(around)
      ? (findSum(near(), isNear) ?? (mention.isPercent ? undefined : findColumnSum(values, isNear)))
      : undefined) ??
    (differenceWords.test(around) ? findDifference(near(), isNear) : undefined) ??
    (mention.isPercent || quotientWords.test(`${mention.table?.head ?? ''} ${around}`)
      ? findQuotient(partsOf(mention, told, sentenceOf), isNear)
      : undefined) ??
    (betweenWords.test(around)
      ? findPair(pairsOf(near().inSentence), (one, other) => (one + other) / 2, isNear)
      : undefined) ??
    (middleWords.test(around) ? findMidpoint(values, mention) : undefined)
  );
};

/** A full stop inside a number ends no sentence. */
export const sentenceAround = ({ before, after, text }: Mention): string => {
  const ends = /[.!?;](?=\s|$)/u;
  const left = before.split(ends).at(-1) ?? '';
  return `${left} ${text} ${after.split(ends, 1)[0] ?? ''}`;
};

/** Lines are sentences as well, and abbreviations end none. */
export const readSentences = (text: string): ((place: number) => number) => {
  const ends = [
    ...text.matchAll(
      /(?<!\b(?:Mio|Mrd|Tsd|ca|approx|vs|bzw|Nr|No|incl|inkl|etc|zzgl|i\.e|e\.g|z\.\s?B))[.!?](?=\s)|\n/gu,
    ),
  ].map(({ index }) => index);
  return (place) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
};

type IsNear = (value: number) => boolean;

/** Those of the same kind as the figure: per cents for a per cent, no other unit for one with a unit. */
type NearFigures = {
  readonly before: readonly ToldMention[];
  readonly after: readonly ToldMention[];
  readonly inSentence: readonly ToldMention[];
  /** Of rows and entries before it whose label stands in its sentence. */
  readonly named: readonly ToldMention[];
  /** Of the column of the figure above it; of figures after tables each column of the last table. */
  readonly columns: readonly (readonly ToldMention[])[];
};

const nearFigures = (figure: Mention, told: readonly ToldMention[], sentenceOf: Source['sentenceOf']): NearFigures => {
  const at = told.findIndex((each) => each.mention.start > figure.start);
  const place = at < 0 ? told.length : at;
  const alike = (figures: readonly ToldMention[]) => figures.filter(({ mention }) => areAlike(figure, mention));
  const before = alike(told.slice(Math.max(0, place - tableFiguresMax), place));
  const after = alike(told.slice(place, place + figuresMax));
  const sentence = sentenceOf(figure.start);
  return {
    ...{ before: before.slice(-figuresMax), after },
    inSentence: [...before.slice(-figuresMax), ...after].filter(
      ({ mention }) => sentenceOf(mention.start) === sentence,
    ),
    named: before.filter(({ mention }) => isNamedIn(sentenceAround(figure), mention)).slice(0, figuresMax),
    columns: columnsOf(figure, before),
  };
};

/** What a quotient is made of: no rates, of its own sentence or row, or of a row that its sentence names. */
const partsOf = (
  figure: Mention,
  told: readonly ToldMention[],
  sentenceOf: Source['sentenceOf'],
): readonly ToldMention[] => {
  const [sentence, text] = [sentenceOf(figure.start), sentenceAround(figure)];
  return told
    .filter(
      ({ mention }) =>
        !mention.isPercent &&
        (sentenceOf(mention.start) === sentence || (mention.table !== undefined && isNamedIn(text, mention))),
    )
    .slice(0, figuresMax);
};

const isNamedIn = (sentence: string, { table, before }: Mention): boolean => {
  const label = table ? table.label : (/^ ?[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)/u.exec(before)?.[1] ?? '');
  const [word = ''] = /\p{L}{3,}|\d{3,}/u.exec(label) ?? [];
  return word !== '' && sentence.includes(word);
};

const tableFiguresMax = 300;

const areAlike = (one: Mention, other: Mention): boolean =>
  one.isPercent === other.isPercent && (one.unit === '' || other.unit === '' || one.unit === other.unit);

const columnsOf = ({ table }: Mention, before: readonly ToldMention[]): NearFigures['columns'] => {
  const number = table?.table ?? before.findLast(({ mention }) => mention.table)?.mention.table?.table;
  const columns = Map.groupBy(
    before.filter(({ mention }) => mention.table !== undefined && mention.table.table === number),
    ({ mention }) => mention.table?.column,
  );
  return table ? [columns.get(table.column) ?? []] : [...columns.values()];
};

/** Of figures that stand one after the other up to it or from it on, of two of its sentence, or of a column. */
const findSum = (
  { before, after, inSentence, columns }: NearFigures,
  isNear: IsNear,
): readonly GroundingCell[] | undefined => {
  const runs = [...columns, before, after.toReversed()].map((figures) => findRun(figures, isNear));
  return (
    runs.find((cells) => cells !== undefined) ?? findPair(pairsOf(inSentence), (one, other) => one + other, isNear)
  );
};

/** Those that end with the last one. */
const findRun = (figures: readonly ToldMention[], isNear: IsNear): readonly GroundingCell[] | undefined => {
  let [sum, stated] = [0, 0];
  for (let first = figures.length - 1; first >= 0; first--) {
    sum += figures[first]?.value ?? 0;
    stated += figures[first]?.mention.readings[0]?.value ?? 0;
    if (figures.length - first > 1 && (isNear(sum) || isNear(stated))) return cellsOf(figures.slice(first));
  }
  return undefined;
};

const cellsOf = (figures: readonly ToldMention[]): readonly GroundingCell[] =>
  figures.flatMap(({ cells }) => cells).slice(0, cellsMax);

const findColumnSum = ({ columns }: ToldValues, isNear: IsNear): readonly GroundingCell[] | undefined => {
  const found = columns.find(({ values, sum }) => values.length > 1 && isNear(sum));
  return found && [found.cell];
};

type Pair = readonly [ToldMention, ToldMention];

const pairsOf = (figures: readonly ToldMention[]): readonly Pair[] =>
  figures.flatMap((one, index) => figures.slice(index + 1).map((other): Pair => [one, other]));

const findPair = (
  pairs: readonly Pair[],
  join: (one: number, other: number) => number,
  isNear: IsNear,
): readonly GroundingCell[] | undefined => {
  const found = pairs.find(
    ([one, other]) =>
      isNear(join(one.value, other.value)) ||
      isNear(join(one.mention.readings[0]?.value ?? 0, other.mention.readings[0]?.value ?? 0)),
  );
  return found && cellsOf(found);
};

/** A figure that is said again, as its exact value is, counts once. */
const lastTwo = (figures: readonly ToldMention[]): readonly ToldMention[] =>
  figures.filter(({ value }, place) => value !== figures[place + 1]?.value).slice(-2);

/** Of any two figures of a long answer one has nearly every difference: it is of two in its sentence, or of those next to it. */
const findDifference = (
  { before, after, inSentence, named, columns: [column = []] }: NearFigures,
  isNear: IsNear,
): readonly GroundingCell[] | undefined =>
  findPair(
    [
      ...pairsOf([...inSentence, ...named]),
      ...pairsOf(lastTwo(before)),
      ...pairsOf([...before.slice(-1), ...after.filter((each) => inSentence.includes(each)).slice(0, 1)]),
      ...pairsOf(column.slice(-2)),
    ],
    (one, other) => one - other,
    isNear,
  );

/** Of two figures, the one by the other in either order. */
const findQuotient = (parts: readonly ToldMention[], isNear: IsNear): readonly GroundingCell[] | undefined =>
  findPair(
    pairsOf(parts).flatMap(([one, other]): readonly Pair[] => [
      [one, other],
      [other, one],
    ]),
    (part, whole) => (whole === 0 ? Number.NaN : part / whole),
    isNear,
  );

const findMidpoint = ({ columns }: ToldValues, { readings }: Mention): readonly GroundingCell[] | undefined => {
  for (const { cell, values } of columns) {
    const sorted = values.toSorted((left, right) => left - right);
    const worst = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
    const isMidpoint = readings.some(({ value, half }) =>
      worst.some((end) => sorted.some((other) => Math.abs((end + other) / 2 - value) <= half + Math.abs(value) * 1e-9)),
    );
    if (isMidpoint) return [cell];
  }
  return undefined;
};
