/**
 * Sums, differences and midpoints: a figure that no tool told, but that the answer makes of figures that were told and says so,
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
const middleWords = /(?<!\p{L})(?:half[ -]?way|midpoint|mid-point|in the middle|Mitte)(?!\p{L})/iu;

/** What is looked at on each side of the figure. */
const figuresMax = 30;
const cellsMax = 50;

export const deriveFigure = (
  mention: Mention,
  told: readonly ToldMention[],
  values: ToldValues,
): readonly GroundingCell[] | undefined => {
  const around = `${mention.table?.label ?? ''} ${sentenceAround(mention)}`;
  const isNear = (value: number): boolean =>
    mention.readings.some(
      (reading) => Math.abs(Math.abs(value) - Math.abs(reading.value)) <= reading.half + Math.abs(reading.value) * 1e-9,
    );
  const near = (): NearFigures => nearFigures(mention, told);
  return (
    (sumWords.test(around) ? (findSum(mention, near(), isNear) ?? findColumnSum(values, isNear)) : undefined) ??
    (differenceWords.test(around) ? findDifference(near(), isNear) : undefined) ??
    (middleWords.test(around) ? findMidpoint(values, mention) : undefined)
  );
};

/** A full stop inside a number ends no sentence. */
const sentenceAround = ({ before, after, text }: Mention): string => {
  const ends = /[.!?;](?=\s|$)/u;
  const left = before.split(ends).at(-1) ?? '';
  return `${left} ${text} ${after.split(ends, 1)[0] ?? ''}`;
};

type IsNear = (value: number) => boolean;

type NearFigures = { readonly before: readonly ToldMention[]; readonly after: readonly ToldMention[] };

const nearFigures = ({ start }: Mention, told: readonly ToldMention[]): NearFigures => {
  const at = told.findIndex((each) => each.mention.start > start);
  const place = at < 0 ? told.length : at;
  return { before: told.slice(Math.max(0, place - figuresMax), place), after: told.slice(place, place + figuresMax) };
};

/** Of figures that stand one after the other, next to it or in its column. */
const findSum = (
  { table }: Mention,
  { before, after }: NearFigures,
  isNear: IsNear,
): readonly GroundingCell[] | undefined => {
  const column = table && before.filter((each) => isOfColumn(each, table));
  return [column ?? [], before, after.toReversed()]
    .map((figures) => findRun(figures, isNear))
    .find((cells) => cells !== undefined);
};

const isOfColumn = ({ mention }: ToldMention, place: { readonly table: number; readonly column: number }): boolean =>
  mention.table?.table === place.table && mention.table.column === place.column;

const findRun = (figures: readonly ToldMention[], isNear: IsNear): readonly GroundingCell[] | undefined => {
  for (let last = figures.length; last > 1; last--) {
    let [sum, stated] = [0, 0];
    for (let first = last - 1; first >= 0; first--) {
      sum += figures[first]?.value ?? 0;
      stated += figures[first]?.mention.readings[0]?.value ?? 0;
      if (last - first > 1 && (isNear(sum) || isNear(stated))) return cellsOf(figures.slice(first, last));
    }
  }
  return undefined;
};

const cellsOf = (figures: readonly ToldMention[]): readonly GroundingCell[] =>
  figures.flatMap(({ cells }) => cells).slice(0, cellsMax);

const findColumnSum = ({ columns }: ToldValues, isNear: IsNear): readonly GroundingCell[] | undefined => {
  const found = columns.find(({ values, sum }) => values.length > 1 && isNear(sum));
  return found && [found.cell];
};

const findDifference = ({ before, after }: NearFigures, isNear: IsNear): readonly GroundingCell[] | undefined => {
  const figures = [...before, ...after];
  for (const [index, one] of figures.entries())
    for (const other of figures.slice(index + 1)) {
      const stated = (one.mention.readings[0]?.value ?? 0) - (other.mention.readings[0]?.value ?? 0);
      if (isNear(one.value - other.value) || isNear(stated)) return cellsOf([one, other]);
    }
  return undefined;
};

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
