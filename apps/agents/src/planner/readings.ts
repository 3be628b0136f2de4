/**
 * The readings of a question whose words mean several fields. Fields of one name in documents that lead to each other are one (the plant of
 * an order and of its items); those of master data, which lead to nothing, are each their own (the country of a supplier).
 */
import { reaches, uniqueFields } from './choose-fields.js';
import type { Condition, Group, Interpretation } from './interpretation.js';
import type { Field, RecordEntry, Vocabulary } from './vocabulary.js';

export type Reading = { readonly interpretation: Interpretation; readonly field?: Field };

/** What a reading is called where it is asked back, without its number. */
export const formatReading = ({ name, recordName }: Pick<Field, 'name' | 'recordName'>): string =>
  `${name} (${recordName})`;

/** More are not asked back with. */
const readingsMax = 4;

/** One at least; `home` is the record whose rows are looked at. */
export const findReadings = (
  interpretation: Interpretation,
  vocabulary: Vocabulary,
  home: RecordEntry | undefined,
): readonly Reading[] => {
  if (!home) return [{ interpretation }];
  const readings = unclearPart(interpretation, vocabulary, home).slice(0, readingsMax);
  return readings.length < 2 ? [{ interpretation }] : readings;
};

/** Of the first condition, group or figure that is unclear. */
const unclearPart = (interpretation: Interpretation, vocabulary: Vocabulary, home: RecordEntry): readonly Reading[] => {
  const { values, groups, comparisons, aggregate } = interpretation;
  for (const [at, condition] of values.entries()) {
    // What the model says of the rows themselves is meant before what it says of others.
    if (condition.options.some(({ field, value }) => value === true && field.record === home.id)) continue;
    const fields = distinctFields(
      condition.options.map(({ field }) => field),
      vocabulary,
      home,
    );
    if (fields.length > 1)
      return fields.map((field) => ({
        field,
        interpretation: { ...interpretation, values: replaceAt(values, at, narrowCondition(condition, field)) },
      }));
  }
  for (const [at, group] of groups.entries()) {
    const fields = group.kind === 'field' ? distinctFields(group.options, vocabulary, home) : [];
    if (fields.length > 1)
      return fields.map((field) => ({
        field,
        interpretation: { ...interpretation, groups: replaceAt(groups, at, narrowGroup(field)) },
      }));
  }
  for (const [at, comparison] of comparisons.entries()) {
    const fields = comparison.field ?? [];
    const own = fields.filter(({ record }) => record === home.id);
    const unclear = own.length > 0 ? own : distinctFields(fields, vocabulary, home);
    if (unclear.length > 1)
      return unclear.map((field) => ({
        field,
        interpretation: {
          ...interpretation,
          comparisons: replaceAt(comparisons, at, { ...comparison, field: [field] }),
        },
      }));
  }
  const measured = aggregate?.options ?? [];
  return aggregate && measured.length > 1
    ? measured.map((field) => ({
        field,
        interpretation: { ...interpretation, aggregate: { ...aggregate, options: [field] } },
      }))
    : [];
};

const replaceAt = <Entry>(list: readonly Entry[], at: number, entry: Entry): readonly Entry[] =>
  list.map((each, place) => (place === at ? entry : each));

const narrowCondition = (condition: Condition, { id }: Field): Condition => ({
  ...condition,
  options: condition.options.filter(({ field }) => field.id === id),
});

const narrowGroup = (field: Field): Group => ({ kind: 'field', options: [field] });

/** One of the documents, the nearest, and each of the master data; those that the rows lead to. */
const distinctFields = (options: readonly Field[], vocabulary: Vocabulary, home: RecordEntry): readonly Field[] => {
  const order = vocabulary.records.map(({ id }) => id);
  const near = uniqueFields(options)
    .filter((field) => reaches(home, field.record))
    .toSorted((left, right) => order.indexOf(left.record) - order.indexOf(right.record));
  const own = near.filter(({ record }) => record === home.id);
  const keys = new Set(vocabulary.records.flatMap(({ identifier }) => (identifier.length === 1 ? identifier : [])));
  const key = near.find(({ id, record }) => keys.has(id) && record !== home.id);
  if (key) return [key];
  const isMaster = ({ record }: Field): boolean =>
    record !== home.id && (vocabulary.records.find(({ id }) => id === record)?.leadsTo.length ?? 0) === 0;
  const documents = own.length > 0 ? own : near.filter((field) => !isMaster(field));
  return [...documents.slice(0, 1), ...near.filter(isMaster)];
};
