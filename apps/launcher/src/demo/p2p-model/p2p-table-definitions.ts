/** The tables of purchase to pay as their definitions. Refuses: rows; they are drawn in `p2p-data`. */
import type { ColumnDefinition, TableDefinition, TableIndexDefinition } from '@tessera/contracts/knowledge-models';
import type { Table } from '../p2p-data/table.js';
import { p2pTables } from '../p2p-data/tables.js';
import { cellOf, listOf, readRows, type Row } from '../text-table.js';
import { indexRows } from './data/index-rows.js';
import { p2pSchema } from './p2p-models.js';
import { sourceRecords } from './record-source.js';

const searched = 'trigram ';

const indexOf = (row: Row): TableIndexDefinition => {
  const columns = cellOf(row, 1);
  const include = row[2] === undefined ? [] : [...listOf(row[2])];
  return columns.startsWith(searched)
    ? { columns: [...listOf(columns.slice(searched.length))], kind: 'trigram' }
    : { columns: [...listOf(columns)], ...(include.length > 0 && { include }) };
};

const columnOf = ({ name, type, nullable }: Table['columns'][number], key: readonly string[]): ColumnDefinition => ({
  ...{ id: name, type },
  ...(!nullable && !key.includes(name) && { nullable }),
});

export const p2pTableDefinitions = (): readonly TableDefinition[] => {
  const records = sourceRecords();
  return p2pTables.map(({ name, key, columns }) => {
    const record = records.find(({ definition }) => definition.table === name)?.definition;
    const indexes = readRows(indexRows).filter((row) => cellOf(row, 0) === name);
    return {
      ...{ kind: 'Table', schema: p2pSchema, id: name },
      ...(record?.name !== undefined && { name: record.name }),
      ...(record?.description !== undefined && { description: record.description }),
      columns: columns.map((column) => columnOf(column, key)),
      primaryKey: [...key],
      ...(indexes.length > 0 && { indexes: indexes.map(indexOf) }),
      source: { file: `${name}.csv` },
    };
  });
};
