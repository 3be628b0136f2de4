/** The records of the data files as definitions: what a column is called there and what its table says it is. */
import type {
  AugmentedFieldDefinition,
  FieldDefinition,
  FlagDefinition,
  RecordDefinition,
} from '@tessera/contracts/knowledge-models';
import type { Table } from '../p2p-data/table.js';
import { p2pTables } from '../p2p-data/tables.js';
import { cellOf, readRows, type Row } from '../text-table.js';
import { derivedRows } from './data/derived-fields.js';
import { recordRows } from './data/fields.js';
import { fieldSynonyms, recordSynonyms } from './data/synonyms.js';
import { requireUsed, synonymsIn, type Synonyms } from './find-synonyms.js';

/** A record with what it and its fields are called in German. */
type SourceRecord = {
  readonly definition: RecordDefinition;
  readonly german: RecordDefinition;
};

type Draft = { readonly head: Row; readonly fields: Row[] };

const draftsOf = (table: string): readonly Draft[] => {
  const drafts: Draft[] = [];
  for (const row of readRows(table))
    if (cellOf(row, 0) === 'record') drafts.push({ head: row, fields: [] });
    else drafts.at(-1)?.fields.push(row);
  return drafts;
};

/** Optional cells at the end of a row. */
const shownOf = (row: Row, index: number): { unit?: string; format?: string } => {
  const [unit, format] = [row[index], row[index + 1]];
  return { ...(unit && { unit }), ...(format && { format }) };
};

const idOf = (column: string): string => column.toUpperCase();

/** Adds what else a field is called: words of all fields of its name, and of this one. */
type RecordNames = { readonly record: string; readonly words: Synonyms };

const english = ({ record, words }: RecordNames, id: string, row: Row) =>
  words.of([id, `${record}.${id}`], cellOf(row, 1), cellOf(row, 2));
const german = ({ record, words }: RecordNames, id: string, row: Row) => ({
  ...{ id, name: cellOf(row, 2) },
  ...words.of([id, `${record}.${id}`], cellOf(row, 2), cellOf(row, 1)),
});

const attributeOf = (naming: RecordNames, { columns, key }: Table, row: Row): FieldDefinition => {
  const name = cellOf(row, 0);
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table has no column "${name}".`);
  const { type, nullable, decimals } = column;
  return {
    ...{ id: idOf(name), column: name, name: cellOf(row, 1), description: cellOf(row, 3) },
    ...english(naming, idOf(name), row),
    ...(type !== 'string' && { type }),
    ...(!nullable && !key.includes(name) && { nullable }),
    ...(decimals === 2 && { unit: 'EUR', format: ',.2f' }),
    ...shownOf(row, 4),
  };
};

const isFlag = (row: Row): boolean => cellOf(row, 0).endsWith('?');
const derivedId = (row: Row): string => cellOf(row, 0).replace('?', '');

const flagOf = (naming: RecordNames, row: Row): FlagDefinition => ({
  ...{ id: derivedId(row), name: cellOf(row, 1), description: cellOf(row, 3) },
  ...english(naming, derivedId(row), row),
  expression: cellOf(row, 4),
});

const augmentedOf = (naming: RecordNames, row: Row): AugmentedFieldDefinition => ({
  ...flagOf(naming, row),
  ...shownOf(row, 5),
});

type Words = { readonly records: Synonyms; readonly fields: Synonyms };

const recordOf = ({ head, fields }: Draft, table: Table, words: Words): SourceRecord => {
  const name = cellOf(head, 1);
  const naming = { record: idOf(name), words: words.fields };
  const [englishName, germanName] = [cellOf(head, 2), cellOf(head, 3)];
  const missing = table.columns.find((column) => !fields.some((row) => cellOf(row, 0) === column.name));
  if (missing) throw new Error(`The column "${missing.name}" of "${name}" is no attribute.`);
  const derived = readRows(derivedRows[idOf(name)] ?? '');
  const [flags, augmented] = [derived.filter(isFlag), derived.filter((row) => !isFlag(row))];
  return {
    definition: {
      ...{ id: idOf(name), name: englishName, description: cellOf(head, 5), shortDisplayName: cellOf(head, 4) },
      ...words.records.of([idOf(name)], englishName, germanName),
      ...{ table: name, identifier: table.key.map(idOf), curated: name !== 'event' },
      attributes: fields.map((row) => attributeOf(naming, table, row)),
      augmentedAttributes: augmented.map((row) => augmentedOf(naming, row)),
      flags: flags.map((row) => flagOf(naming, row)),
    },
    german: {
      ...{ id: idOf(name), name: germanName, shortDisplayName: germanName },
      ...words.records.of([idOf(name)], germanName, englishName),
      attributes: fields.map((row) => german(naming, idOf(cellOf(row, 0)), row)),
      augmentedAttributes: augmented.map((row) => german(naming, derivedId(row), row)),
      flags: flags.map((row) => german(naming, derivedId(row), row)),
    },
  };
};

export const sourceRecords = (): readonly SourceRecord[] => {
  const words = { records: synonymsIn(recordSynonyms), fields: synonymsIn(fieldSynonyms) };
  const records = draftsOf(recordRows).map((draft) => {
    const name = cellOf(draft.head, 1);
    const table = p2pTables.find((candidate) => candidate.name === name);
    if (!table) throw new Error(`There is no table "${name}".`);
    return recordOf(draft, table, words);
  });
  requireUsed(words.records, words.fields);
  return records;
};
