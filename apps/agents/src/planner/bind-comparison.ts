/** Which number of the rows a figure in the question is compared with. */
import type { FieldChooser } from './choose-fields.js';
import type { Comparison } from './cues.js';
import { findSizeFields, isNumber } from './find-measure.js';
import type { Interpretation } from './interpretation.js';
import type { Mention } from './mention.js';
import type { Refusal } from './plan.js';
import type { Field, RecordEntry } from './vocabulary.js';
import type { Word } from './words.js';

/** "Items" of an order are how many order items it has. */
const isCalledLike = ({ variants }: Field, record: RecordEntry): boolean =>
  variants.some((stems) => record.variants.some((other) => other.join(' ') === stems.join(' ')));

const recordBehind = (
  words: readonly Word[],
  mentions: readonly Mention[],
  { end }: Comparison,
): (Mention & { readonly kind: 'record' }) | undefined => {
  const behind = words.findIndex((word) => word.start >= end);
  const found = mentions.find(
    ({ kind, places }) =>
      kind === 'record' && behind >= 0 && (places[0] ?? 0) >= behind && (places[0] ?? 0) - behind <= 1,
  );
  return found?.kind === 'record' ? found : undefined;
};

export const isOfOthers = (
  words: readonly Word[],
  mentions: readonly Mention[],
  comparison: Comparison,
  home: RecordEntry,
): boolean => {
  const behind = recordBehind(words, mentions, comparison);
  return comparison.unit === 'none' && behind !== undefined && behind.record.id !== home.id;
};

/** The number that stands right before or behind the figure that it is compared with. */
export const bindComparison = (
  words: readonly Word[],
  mentions: readonly Mention[],
  comparison: Comparison,
  home: RecordEntry | undefined,
): { readonly comparison: Interpretation['comparisons'][number]; readonly mention?: Mention } => {
  const from = words.findIndex((word) => word.end > comparison.start);
  const behind = words.findIndex((word) => word.start >= comparison.end);
  const isNumeric = (mention: Mention): boolean => mention.kind === 'field' && mention.options.some(isNumber);
  const before = mentions.findLast(
    (mention) => isNumeric(mention) && (mention.places.at(-1) ?? 0) < from && from - (mention.places.at(-1) ?? 0) <= 3,
  );
  const after = mentions.find(
    (mention) =>
      isNumeric(mention) && behind >= 0 && (mention.places[0] ?? 0) >= behind && (mention.places[0] ?? 0) - behind <= 1,
  );
  const found = after ?? before;
  const others = found ? undefined : recordBehind(words, mentions, comparison);
  const counts = others && home?.fields.filter((field) => isNumber(field) && isCalledLike(field, others.record));
  if (others && counts && counts.length > 0) return { comparison: { ...comparison, field: counts }, mention: others };
  const noun = mentions.find(({ kind, places }) => kind === 'record' && places.at(-1) === from - 1);
  if (found?.kind !== 'field' && noun?.kind === 'record') {
    const sizes = comparison.unit === 'percent' || comparison.unit === 'days' ? [] : findSizeFields(noun.record);
    return sizes.length > 0 ? { comparison: { ...comparison, field: sizes }, mention: noun } : { comparison };
  }
  if (found?.kind !== 'field') return { comparison };
  return { comparison: { ...comparison, field: found.options.filter(isNumber) }, mention: found };
};

/** A figure that no number was named with is that of the rows when these are counted one by one. */
export const withSizes = (
  interpretation: Interpretation,
  { home }: FieldChooser,
  isGrouped: boolean,
): Interpretation | Refusal => {
  const { comparisons, kpis } = interpretation;
  const isOfRows = kpis.length === 0 || kpis.every(({ id }) => id.startsWith('count('));
  if (!home || isGrouped || !isOfRows || comparisons.every(({ field }) => field)) return interpretation;
  const sized = comparisons.map((comparison) => {
    if (comparison.field) return { ...comparison, field: comparison.field };
    const days = home.fields.filter(({ unit, type }) => unit === 'days' && type !== 'string');
    const field = comparison.unit === 'days' ? days : comparison.unit === 'percent' ? [] : findSizeFields(home);
    return { ...comparison, field };
  });
  return sized.some(({ field }) => field.length === 0)
    ? { why: 'no-size', home: home.name }
    : { ...interpretation, comparisons: sized };
};
