/**
 * Chooses between fields of the same name, and the date field of a KPI: that of its own record first, then in the order of the
 * model. Fields that could not be joined are avoided the next time.
 */
import type { Group } from './interpretation.js';
import type { Field, Kpi, RecordEntry, Vocabulary } from './vocabulary.js';

export type FieldChooser = {
  readonly field: (options: readonly Field[]) => Field | undefined;
  /** What an answer has a row for each of; undefined when the record has no dates. */
  readonly columns: (group: Group) => readonly Field[] | undefined;
  readonly date: () => Field | undefined;
};

export const createFieldChooser = (
  vocabulary: Vocabulary,
  kpis: readonly Kpi[],
  avoid: ReadonlySet<string>,
): FieldChooser => {
  const homes = [...new Set(kpis.flatMap(({ records }) => records.slice(0, 1)))];
  const near = homes.length === 1 ? homes : [];
  const order = vocabulary.records.map(({ id }) => id);
  const rank = ({ id, record }: Field): number =>
    (avoid.has(id) ? 1_000 : 0) + (near.includes(record) ? near.indexOf(record) : 100 + order.indexOf(record));
  const home = vocabulary.records.find(({ id }) => id === homes[0]);
  return {
    field: (options) => options.toSorted((left, right) => rank(left) - rank(right))[0],
    columns: (group) => {
      switch (group.kind) {
        case 'field': {
          const field = group.options.toSorted((left, right) => rank(left) - rank(right))[0];
          return field && [field];
        }
        case 'record':
          return identifyingFields(group.record);
        case 'month': {
          const month = [home, ...vocabulary.records].flatMap((record) => record?.fields.find(isMonthField) ?? [])[0];
          return month && [month];
        }
      }
    },
    date: () => dateOf(home),
  };
};

/** What tells which row of a record is which: its key, and what it is called. */
export const identifyingFields = ({ fields, identifier }: RecordEntry): readonly Field[] => [
  ...fields.filter(({ id }) => identifier.includes(id)),
  ...fields
    .filter((field) => field.type === 'string' && field.variants.some((stems) => stems.join(' ') === 'name'))
    .slice(0, 1),
];

const momentTypes = ['date', 'datetime', 'timestamp'];
export const isMonthField = ({ id, type }: Field): boolean => type === 'date' && /month|monat/i.test(id);

/** The first of the record. */
const dateOf = (record: RecordEntry | undefined): Field | undefined =>
  record?.fields.find((field) => momentTypes.includes(field.type) && !isMonthField(field));

/** Each field once, where it stands first. */
export const uniqueFields = (fields: readonly Field[]): readonly Field[] => [
  ...new Map(fields.map((field) => [field.id, field])).values(),
];
