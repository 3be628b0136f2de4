/**
 * Chooses between fields of the same name, and the date field of a record: those of its own first, then those of the records that it
 * leads to. Fields that could not be joined are avoided the next time.
 */
import { isDateType } from '@tessera/contracts/knowledge-models';
import type { Group } from './interpretation.js';
import type { Field, Kpi, RecordEntry, Vocabulary } from './vocabulary.js';

export type FieldChooser = {
  readonly home: RecordEntry | undefined;
  /** Undefined when the rows lead to none of them. */
  readonly field: (options: readonly Field[]) => Field | undefined;
  /** What an answer has a row for each of; undefined when the rows have none. */
  readonly columns: (group: Group) => readonly Field[] | undefined;
  /** The day of the rows, or one of the named ones. */
  readonly date: (named?: readonly Field[]) => Field | undefined;
};

/** Whether each row of the record has one row of the other at most. */
export const reaches = (home: RecordEntry, record: string): boolean =>
  home.id === record || home.leadsTo.includes(record);

const isMaster = ({ leadsTo }: RecordEntry): boolean => leadsTo.length === 0;

/** What others lead to and that leads to nothing: the day on which it was taken on is only meant when it is named. */
const isMasterData = (record: RecordEntry, { records }: Vocabulary): boolean =>
  isMaster(record) && records.some(({ leadsTo }) => leadsTo.includes(record.id));

export const createFieldChooser = (
  vocabulary: Vocabulary,
  kpis: readonly Kpi[],
  avoid: ReadonlySet<string>,
): FieldChooser => {
  const homes = [...new Set(kpis.flatMap(({ records }) => records.slice(0, 1)))];
  const homeRecords = homes.flatMap((id) => vocabulary.records.find((record) => record.id === id) ?? []);
  const [home] = homeRecords;
  const order = vocabulary.records.map(({ id }) => id);
  const isNear = ({ record }: Field): boolean => homeRecords.every((each) => reaches(each, record));
  const rank = ({ id, record }: Field): number =>
    (avoid.has(id) ? 1_000 : 0) + (homes.length === 1 && record === homes[0] ? 0 : 100 + order.indexOf(record));
  const field = (options: readonly Field[]): Field | undefined =>
    options.filter(isNear).toSorted((left, right) => rank(left) - rank(right))[0];
  const date = (named: readonly Field[] = []): Field | undefined =>
    named.length > 0 ? field(named) : home && !isMasterData(home, vocabulary) ? dateNear(home, vocabulary) : undefined;
  return {
    home,
    field,
    date,
    columns: (group) => {
      switch (group.kind) {
        case 'field': {
          const found = field(group.options);
          return found && [found];
        }
        case 'record':
          return homeRecords.every((each) => reaches(each, group.record.id))
            ? identifyingFields(group.record)
            : undefined;
        case 'time': {
          const day = date();
          if (!day) return undefined;
          const month = group.grain === 'month' ? monthOf(day, vocabulary) : undefined;
          return [month ?? byGrain(day, group.grain)];
        }
      }
    },
  };
};

/** The month field of the record, which is of its first date. */
const monthOf = (day: Field, { records }: Vocabulary): Field | undefined => {
  const record = records.find(({ id }) => id === day.record);
  return record && dateOf(record)?.id === day.id ? record.fields.find(isMonthField) : undefined;
};

/** As a column of load-data. */
const byGrain = (day: Field, grain: string): Field => ({ ...day, id: `${day.id}:${grain}`, type: 'date' });

/** The period of a column that is made of a date; undefined of every other. */
export const grainOfColumn = ({ id }: Pick<Field, 'id'>): string | undefined => /:([a-z]+)$/.exec(id)?.[1];

export const isTimeColumn = (field: Field): boolean => isMonthField(field) || grainOfColumn(field) !== undefined;

/** What tells which row of a record is which: its key, and what it is called. */
export const identifyingFields = ({ fields, identifier }: RecordEntry): readonly Field[] => [
  ...fields.filter(({ id }) => identifier.includes(id)),
  ...fields
    .filter((field) => field.type === 'string' && field.variants.some((stems) => stems.join(' ') === 'name'))
    .slice(0, 1),
];

export const isDay = (field: Field): boolean => isDateType(field.type) && !isMonthField(field);
const isMonthField = ({ id, type }: Field): boolean => type === 'date' && /month|monat/i.test(id);

/** The first of the record. */
const dateOf = (record: RecordEntry): Field | undefined => record.fields.find(isDay);

const calendarWords = /date|day|calendar|time|datum|tag|kalender|zeit/i;

/** Its own, else that of a document or a calendar that its rows lead to; the day on which a supplier was taken on is none. */
const dateNear = (home: RecordEntry, { records }: Vocabulary): Field | undefined =>
  dateOf(home) ??
  records
    .filter((record) => reaches(home, record.id) && (!isMaster(record) || calendarWords.test(record.id)))
    .flatMap((record) => dateOf(record) ?? [])[0];

/** Each field once, where it stands first. */
export const uniqueFields = (fields: readonly Field[]): readonly Field[] => [
  ...new Map(fields.map((field) => [field.id, field])).values(),
];
