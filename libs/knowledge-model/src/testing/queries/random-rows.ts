/**
 * Random rows of the tables of a shape: few different values, so that they meet, with nulls, ties, empty tables and keys
 * that lead nowhere. What the shape says is unique is unique. Values are the text that PostgreSQL reads.
 */
import type { RandomChoices } from './choices.js';
import { valueOfText } from './evaluate-condition.js';
import type { SampleAttribute, SampleLink, SampleRecord, SampleModelShape, SampleType } from './random-model.js';
import type { StoredRow } from './sample-world.js';

/** By column; null is no text. */
type TextRow = Map<string, string | null>;
export type TextTables = ReadonlyMap<string, readonly TextRow[]>;

export const sampleValuesByType: Readonly<Record<SampleType, readonly string[]>> = {
  integer: ['1', '2', '3', '0', '4', '5', '-1', '7'],
  float: ['1', '0.5', '2.25', '0', '-1.5', '10', '3'],
  string: [
    'a',
    'b',
    'A',
    'B',
    '',
    'é',
    'É',
    "it's",
    '50%',
    '_',
    '\\',
    'a"b',
    '💥',
    'ab',
    'zz',
    'ÿ',
    '￿',
    '\uFEFFa',
    'null',
  ],
  boolean: ['true', 'false'],
  date: ['2024-01-31', '2024-02-29', '2023-12-31', '0001-01-01', '9999-12-30'],
};
/** Keys that two records have are the same often. */
const keysOfType = { ...sampleValuesByType, string: ['a', 'b', 'A', '', 'é', "it's", '💥', 'zz'] };

export const createRandomTables = (choices: RandomChoices, { records, links }: SampleModelShape): TextTables => {
  const tables = new Map<string, TextRow[]>();
  for (const record of records) {
    const isEmpty = choices.chance(7);
    if (!tables.has(record.table)) tables.set(record.table, isEmpty ? [] : ownValues(choices, record));
  }
  for (const link of links) if (link.hasOwnKeys) fillKeys(choices, link, tables);
  return tables;
};

const ownValues = (choices: RandomChoices, record: SampleRecord): TextRow[] => {
  const rows = Array.from({ length: 2 + choices.below(7) }, (): TextRow => new Map());
  for (const one of record.attributes) if (!one.isForeign) fillOwn(choices, rows, one);
  return withoutSameIdentity(rows, record);
};

const fillOwn = (choices: RandomChoices, rows: readonly TextRow[], one: SampleAttribute): void => {
  const left = [...keysOfType[one.type]];
  for (const row of rows) {
    const isNull = one.nullable && choices.chance(25);
    const value = one.isUnique ? left.splice(choices.below(left.length), 1)[0] : randomValue(choices, one);
    row.set(one.column, isNull ? null : (value ?? null));
  }
};

const randomValue = (choices: RandomChoices, { type }: SampleAttribute): string =>
  choices.oneOf(choices.chance(50) ? keysOfType[type].slice(0, 3) : sampleValuesByType[type]);

/** Those that have no whole identifier, or the same as one before, are left out. */
const withoutSameIdentity = (rows: readonly TextRow[], { identifier }: SampleRecord): TextRow[] => {
  const identity = (row: TextRow): string => JSON.stringify(identifier.map(({ column }) => row.get(column) ?? null));
  return [...new Map(rows.map((row) => [identity(row), row])).values()].filter((row) =>
    identifier.every(({ column }) => (row.get(column) ?? null) !== null),
  );
};

const fillKeys = (choices: RandomChoices, link: SampleLink, tables: ReadonlyMap<string, TextRow[]>): void => {
  const left = [...(tables.get(link.parent.table) ?? [])];
  for (const row of tables.get(link.child.table) ?? []) {
    const at = choices.below(left.length);
    const found = left[at];
    if (link.cardinality === 'one-to-one') left.splice(at, 1);
    const isNull = choices.chance(12);
    const isAstray = link.cardinality === 'many-to-one' && choices.chance(15);
    for (const [own, key] of link.pairs) {
      const isLeftOut = isNull || choices.chance(8);
      const value = isAstray ? randomValue(choices, key) : (found?.get(key.column) ?? null);
      row.set(
        own.column,
        own.nullable && isLeftOut ? null : (value ?? (own.nullable ? null : unmatchedValues[key.type])),
      );
    }
  }
};

const unmatchedValues: Readonly<Record<SampleType, string>> = {
  integer: '99',
  float: '99',
  string: 'nowhere',
  boolean: 'true',
  date: '2000-01-01',
};

/** The same rows as values. */
export const parseTextTables = (
  { records }: SampleModelShape,
  tables: TextTables,
): ReadonlyMap<string, readonly StoredRow[]> =>
  new Map(
    [...tables].map(([table, rows]) => {
      const columns = columnsOfTable(records, table);
      return [table, rows.map((row) => new Map(columns.map((one) => [one.column, valueIn(row, one)])))];
    }),
  );

const valueIn = (row: TextRow, { column, type }: SampleAttribute) => {
  const text = row.get(column) ?? null;
  return text === null ? null : (valueOfText(text, type) ?? null);
};

/** Of the record that the table was made for; others over it have fewer. */
export const columnsOfTable = (records: readonly SampleRecord[], table: string): readonly SampleAttribute[] =>
  records.find((record) => record.table === table)?.attributes ?? [];
