/** Follow-up questions: what they say replaces what the earlier question said about the same thing; the rest stays. */
import type { Condition, Interpretation } from './interpretation.js';
import { formatReading, type Reading } from './readings.js';
import type { Field, Vocabulary } from './vocabulary.js';
import { foldText } from './words.js';

/** Whether it needs what was said before: it begins like one that goes on, or names no figure, and says something. */
export const isFollowUp = (interpretation: Interpretation): boolean => {
  const { intents, groups, values, filters, periods, ranking, shift } = interpretation;
  if (otherIntents.some((intent) => intents.has(intent))) return false;
  const says =
    groups.length + values.length + filters.length + periods.length + interpretation.fields.length > 0 ||
    ranking !== undefined ||
    shift !== undefined;
  const asks = hasMeasure(interpretation);
  // "Why?"
  if (intents.has('drivers') && isEmptyInterpretation(interpretation)) return interpretation.unknown.length === 0;
  if (intents.has('there')) return true;
  if (!intents.has('follow-up'))
    return !asks && !intents.has('count') && !intents.has('list') && says && interpretation.records.length === 0;
  return asks ? groups.length === 0 && values.length === 0 && periods.length === 0 : true;
};

const otherIntents = ['help', 'act', 'forecast', 'procedure'] as const;

export const hasMeasure = ({ kpis, aggregate }: Interpretation): boolean => kpis.length > 0 || aggregate !== undefined;

export const isEmptyInterpretation = ({ kpis, groups, values, filters, periods, ...others }: Interpretation): boolean =>
  [kpis, groups, values, filters, periods, others.fields, others.records, others.comparisons].every(
    ({ length }) => length === 0,
  ) &&
  others.ranking === undefined &&
  others.shift === undefined &&
  others.aggregate === undefined;

export const mergeInterpretations = (before: Interpretation, now: Interpretation): Interpretation => {
  const fieldsNow = new Set(now.values.flatMap(({ options }) => options.map(({ field }) => field.id)));
  const kept = before.values.filter(({ options }) => !options.some(({ field }) => fieldsNow.has(field.id)));
  const intents = [...before.intents].filter((intent) => keptIntents.has(intent));
  const groups = now.groups.length > 0 ? now.groups : now.fields.length > 0 ? asGroups(now) : before.groups;
  const asks = hasMeasure(now);
  return {
    language: now.language,
    intents: new Set([...intents, ...now.intents]),
    kpis: asks ? now.kpis : before.kpis,
    aggregate: asks ? now.aggregate : before.aggregate,
    home: asks ? now.home : (before.home ?? now.home),
    groups,
    values: [...kept, ...now.values.map((condition) => ofSameField(condition, before.values))],
    filters: [...new Map([...before.filters, ...now.filters].map((filter) => [filter.id, filter])).values()],
    periods: now.periods.length > 0 ? now.periods : before.periods,
    shift: now.shift ?? (now.periods.length > 0 ? undefined : before.shift),
    comparisons: now.comparisons.length > 0 ? now.comparisons : before.comparisons,
    ranking: now.ranking ?? (now.groups.length > 0 ? undefined : before.ranking),
    records: now.records.length > 0 ? now.records : before.records,
    fields: now.fields.length > 0 ? [] : before.fields,
    problem: now.problem ?? before.problem,
    unknown: now.unknown,
  };
};

/** "And in Spain?" after suppliers in Germany: of the same field. */
const ofSameField = (condition: Condition, before: readonly Condition[]): Condition => {
  const fields = new Set(before.flatMap(({ options }) => options.map(({ field }) => field.id)));
  const same = condition.options.filter(({ field }) => fields.has(field.id));
  return same.length > 0 ? { ...condition, options: same } : condition;
};

/** "And the plants?" asks for them. */
const asGroups = ({ fields }: Interpretation): Interpretation['groups'] =>
  fields.map((options) => ({ kind: 'field', options }));

const keptIntents: ReadonlySet<string> = new Set(['count', 'target', 'drivers', 'share', 'average', 'median']);

const ordinals: readonly RegExp[] = [
  /^(?:the |das |die |der |den |number |nr |nummer )?(?:1|first|erste[nrs]?|former|one)\b/,
  /^(?:the |das |die |der |den |number |nr |nummer )?(?:2|second|zweite[nrs]?|latter|two)\b/,
  /^(?:the |das |die |der |den |number |nr |nummer )?(?:3|third|dritte[nrs]?|three)\b/,
  /^(?:the |das |die |der |den |number |nr |nummer )?(?:4|fourth|vierte[nrs]?|four)\b/,
];
const choiceWordsMax = 5;

type AskedBack = {
  readonly readings: readonly Reading[];
  /** What was answered before, the newest last. */
  readonly answers: readonly string[];
  readonly vocabulary: Vocabulary;
};

/**
 * The reading that is meant by the answer to a question that was asked back: by its field as it was shown, by the number that it was shown
 * with, or by the record whose field it is. 'none': an answer that fits none of them. Undefined: no such answer.
 */
export const readChoice = (text: string, now: Interpretation, asked: AskedBack): Reading | 'none' | undefined => {
  const { readings, vocabulary } = asked;
  const shown = foldText(text.trim().replace(/^\d+\. /, ''));
  const named = readings.filter(({ field }) => field && labelsOf(field, vocabulary).includes(shown));
  if (named.length === 1) return named[0];
  const words = text.trim().split(/\s+/);
  if (words.length > choiceWordsMax) return undefined;
  const place = ordinals.findIndex((form) => form.test(foldText(text.trim())));
  if (place >= 0) return readingShownAs(place + 1, asked) ?? 'none';
  const asksMore = hasMeasure(now) || now.values.length + now.periods.length + now.comparisons.length > 0;
  if (asksMore || now.unknown.length > 0) return undefined;
  const [grouped] = now.groups.flatMap((group) => (group.kind === 'record' ? [group.record.id] : []));
  const [only] = now.fields.length === 1 ? (now.fields[0] ?? []) : [];
  const record = now.records[0]?.id ?? grouped ?? only?.record;
  if (record === undefined) return undefined;
  return readings.find(({ field }) => field?.record === record) ?? 'none';
};

/** A list leaves out readings that cannot be answered, so its numbers are no places of all. Without the list that was shown they are. */
const readingShownAs = (number: number, { readings, answers, vocabulary }: AskedBack): Reading | undefined => {
  const list = answers.findLast((answer) => /^1\. /m.test(answer));
  if (list === undefined) return readings[number - 1];
  const line = list.split('\n').find((each) => each.startsWith(`${number}. `));
  const label = foldText(line?.slice(`${number}. `.length) ?? '');
  const found = readings.filter(
    ({ field }) => field && labelsOf(field, vocabulary).some((each) => label.startsWith(`${each}:`)),
  );
  return found.length === 1 ? found[0] : undefined;
};

/** Folded, in every language: the list may have been shown in another one. */
const labelsOf = (field: Field, { records }: Vocabulary): readonly string[] => {
  const recordNames = [field.recordName, ...(records.find(({ id }) => id === field.record)?.texts ?? [])];
  return [field.name, ...field.texts].flatMap((name) =>
    recordNames.map((recordName) => foldText(formatReading({ name, recordName }))),
  );
};
