/** A table that is made for a file, before it is there. */
import type { TableDefinition, ValueType } from '@tessera/contracts/knowledge-models';
import type { CsvPreview } from './csv-preview.js';
import { nameFor, proposeColumns, type ColumnDraft } from './propose-columns.js';

export type TableDraft = {
  readonly schema: string;
  readonly id: string;
  readonly columns: readonly ColumnDraft[];
};

export const columnTypes: readonly ValueType[] = [
  'string',
  'integer',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'timestamp',
];

/** Beside tables that are there already, named as the file is. */
export const proposeTable = (preview: CsvPreview, fileName: string, schemas: readonly string[]): TableDraft => ({
  schema: schemas[0] ?? 'data',
  id: nameFor(fileName.replace(/\.\w+$/, '')) ?? 'new_table',
  columns: proposeColumns(preview),
});

export type DraftFault = {
  /** A number is the place of a column. */
  readonly place: 'schema' | 'id' | number;
  readonly fault: 'badName' | 'nameTwice' | 'tableTaken';
};

const isName = (text: string): boolean => /^[a-z_][a-z0-9_]{0,62}$/.test(text);

/** What is wrong with its names; the rest is chosen from lists. `taken`: tables that are there, by `schema.table`. */
export const faultsOfDraft = ({ schema, id, columns }: TableDraft, taken: readonly string[]): readonly DraftFault[] => [
  ...(isName(schema) ? [] : [{ place: 'schema', fault: 'badName' } as const]),
  ...(isName(id) ? [] : [{ place: 'id', fault: 'badName' } as const]),
  ...(taken.includes(`${schema}.${id}`) ? [{ place: 'id', fault: 'tableTaken' } as const] : []),
  ...columns.flatMap((column, at): readonly DraftFault[] => {
    if (!isName(column.id)) return [{ place: at, fault: 'badName' }];
    return columns.findIndex((other) => other.id === column.id) < at ? [{ place: at, fault: 'nameTwice' }] : [];
  }),
];

export const definitionOfDraft = ({ schema, id, columns }: TableDraft): TableDefinition => {
  const key = columns.filter(({ isKey }) => isKey).map((column) => column.id);
  return {
    kind: 'Table',
    ...{ schema, id },
    columns: columns.map((column) => ({ id: column.id, type: column.type })),
    ...(key.length > 0 && { primaryKey: key }),
  };
};
