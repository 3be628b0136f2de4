/**
 * The records of the data files as definitions: what a column is called there and what its table says it is.
 * Refuses: attributes without a column, and columns without an attribute.
 */
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

/** A record with what it and its fields are called in German. */
export type SourceRecord = {
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

const attributeOf = ({ columns, key }: Table, row: Row): FieldDefinition => {
  const name = cellOf(row, 0);
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) throw new Error(`The table has no column "${name}".`);
  const { type, nullable, decimals } = column;
  return {
    ...{ id: idOf(name), column: name, name: cellOf(row, 1), description: cellOf(row, 3) },
    ...(type !== 'string' && { type }),
    ...(!nullable && !key.includes(name) && { nullable }),
    ...(decimals === 2 && { unit: 'EUR', format: ',.2f' }),
    ...shownOf(row, 4),
  };
};

const isFlag = (row: Row): boolean => cellOf(row, 0).endsWith('?');
const derivedId = (row: Row): string => cellOf(row, 0).replace('?', '');

const flagOf = (row: Row): FlagDefinition => ({
  id: derivedId(row),
  name: cellOf(row, 1),
  description: cellOf(row, 3),
  expression: cellOf(row, 4),
});

const augmentedOf = (row: Row): AugmentedFieldDefinition => ({ ...flagOf(row), ...shownOf(row, 5) });

const recordOf = ({ head, fields }: Draft, table: Table): SourceRecord => {
  const name = cellOf(head, 1);
  const missing = table.columns.find((column) => !fields.some((row) => cellOf(row, 0) === column.name));
  if (missing) throw new Error(`The column "${missing.name}" of "${name}" is no attribute.`);
  const derived = readRows(derivedRows[idOf(name)] ?? '');
  const [flags, augmented] = [derived.filter(isFlag), derived.filter((row) => !isFlag(row))];
  return {
    definition: {
      ...{ id: idOf(name), name: cellOf(head, 2), description: cellOf(head, 5), shortDisplayName: cellOf(head, 4) },
      ...{ table: name, identifier: table.key.map(idOf), curated: name !== 'event' },
      attributes: fields.map((row) => attributeOf(table, row)),
      augmentedAttributes: augmented.map(augmentedOf),
      flags: flags.map(flagOf),
    },
    german: {
      ...{ id: idOf(name), name: cellOf(head, 3), shortDisplayName: cellOf(head, 3) },
      attributes: fields.map((row) => ({ id: idOf(cellOf(row, 0)), name: cellOf(row, 2) })),
      augmentedAttributes: augmented.map((row) => ({ id: derivedId(row), name: cellOf(row, 2) })),
      flags: flags.map((row) => ({ id: derivedId(row), name: cellOf(row, 2) })),
    },
  };
};

export const sourceRecords = (): readonly SourceRecord[] =>
  draftsOf(recordRows).map((draft) => {
    const name = cellOf(draft.head, 1);
    const table = p2pTables.find((candidate) => candidate.name === name);
    if (!table) throw new Error(`There is no table "${name}".`);
    return recordOf(draft, table);
  });
