/** The records of the data files as definitions: what a column is called there and what its table says it is. */
import type {
  AugmentedFieldDefinition,
  FieldDefinition,
  FlagDefinition,
  RecordDefinition,
} from '@tessera/contracts/knowledge-models';
import type { Table } from '../p2p-data/table.js';
import { p2pTables } from '../p2p-data/tables.js';
import { getCell, readRows, type TextRow } from '../text-table.js';
import { derivedFieldRows } from './data/derived-fields.js';
import { recordRows } from './data/fields.js';
import { fieldSynonyms, recordSynonyms } from './data/synonyms.js';
import { assertAllSynonymsUsed, readSynonyms, type Synonyms } from './find-synonyms.js';

/** A record with what it and its fields are called in German. */
type SourceRecord = {
  readonly definition: RecordDefinition;
  readonly german: RecordDefinition;
};

type Draft = { readonly head: TextRow; readonly fields: TextRow[] };

const draftsOf = (table: string): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const row of readRows(table))
    if (getCell(row, 0) === 'record') drafts.push({ head: row, fields: [] });
    else drafts.at(-1)?.fields.push(row);
  return drafts;
};

/** Optional cells at the end of a row. */
const shownOf = (row: TextRow, index: number): { unit?: string; format?: string } => {
  const [unit, format] = [row[index], row[index + 1]];
  return { ...(unit && { unit }), ...(format && { format }) };
};

const idOf = (column: string): string => column.toUpperCase();

/** Adds what else a field is called: words of all fields of its name, and of this one. */
type RecordNames = { readonly record: string; readonly words: Synonyms };

const englishNames = ({ record, words }: RecordNames, id: string, row: TextRow) =>
  words.of([id, `${record}.${id}`], getCell(row, 1), getCell(row, 2));
const germanNames = ({ record, words }: RecordNames, id: string, row: TextRow) => ({
  ...{ id, name: getCell(row, 2) },
  ...words.of([id, `${record}.${id}`], getCell(row, 2), getCell(row, 1)),
});

const attributeOf = (naming: RecordNames, { columns, key }: Table, row: TextRow): FieldDefinition => {
  const name = getCell(row, 0);
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table has no column "${name}".`);
  const { type, nullable, decimals } = column;
  return {
    ...{ id: idOf(name), column: name, name: getCell(row, 1), description: getCell(row, 3) },
    ...englishNames(naming, idOf(name), row),
    ...(type !== 'string' && { type }),
    ...(!nullable && !key.includes(name) && { nullable }),
    ...(decimals === 2 && { unit: 'EUR', format: ',.2f' }),
    ...shownOf(row, 4),
  };
};

const isFlag = (row: TextRow): boolean => getCell(row, 0).endsWith('?');
const derivedId = (row: TextRow): string => getCell(row, 0).replace('?', '');

const flagOf = (naming: RecordNames, row: TextRow): FlagDefinition => ({
  ...{ id: derivedId(row), name: getCell(row, 1), description: getCell(row, 3) },
  ...englishNames(naming, derivedId(row), row),
  expression: getCell(row, 4),
});

const augmentedOf = (naming: RecordNames, row: TextRow): AugmentedFieldDefinition => ({
  ...flagOf(naming, row),
  ...shownOf(row, 5),
});

type Words = { readonly records: Synonyms; readonly fields: Synonyms };

const recordOf = ({ head, fields }: Draft, table: Table, words: Words): SourceRecord => {
  const name = getCell(head, 1);
  const naming = { record: idOf(name), words: words.fields };
  const [englishName, germanName] = [getCell(head, 2), getCell(head, 3)];
  const missing = table.columns.find((column) => !fields.some((row) => getCell(row, 0) === column.name));
  if (missing) throw new Error(`The column "${missing.name}" of "${name}" is no attribute.`);
  const derived = readRows(derivedFieldRows[idOf(name)] ?? '');
  const [flags, augmented] = [derived.filter(isFlag), derived.filter((row) => !isFlag(row))];
  return {
    definition: {
      ...{ id: idOf(name), name: englishName, description: getCell(head, 5), shortDisplayName: getCell(head, 4) },
      ...words.records.of([idOf(name)], englishName, germanName),
      ...{ table: name, identifier: table.key.map(idOf), curated: name !== 'event' },
      attributes: fields.map((row) => attributeOf(naming, table, row)),
      augmentedAttributes: augmented.map((row) => augmentedOf(naming, row)),
      flags: flags.map((row) => flagOf(naming, row)),
    },
    german: {
      ...{ id: idOf(name), name: germanName, shortDisplayName: germanName },
      ...words.records.of([idOf(name)], germanName, englishName),
      attributes: fields.map((row) => germanNames(naming, idOf(getCell(row, 0)), row)),
      augmentedAttributes: augmented.map((row) => germanNames(naming, derivedId(row), row)),
      flags: flags.map((row) => germanNames(naming, derivedId(row), row)),
    },
  };
};

export const createSourceRecords = (): readonly SourceRecord[] => {
  const words = { records: readSynonyms(recordSynonyms), fields: readSynonyms(fieldSynonyms) };
  const records = draftsOf(recordRows).map((draft) => {
    const name = getCell(draft.head, 1);
    const table = p2pTables.find((candidate) => candidate.name === name);
    if (!table) throw new Error(`There is no table "${name}".`);
    return recordOf(draft, table, words);
  });
  assertAllSynonymsUsed(words.records, words.fields);
  return records;
};
