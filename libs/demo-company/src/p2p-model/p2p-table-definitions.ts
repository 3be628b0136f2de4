/** The tables of purchase to pay as their definitions. */
import type { ColumnDefinition, TableDefinition, TableIndexDefinition } from '@tessera/contracts/knowledge-models';
import type { Table } from '../p2p-data/table.js';
import { p2pTables } from '../p2p-data/tables.js';
import { getCell, splitCommaList, readRows, type TextRow } from '../text-table.js';
import { p2pSchema } from './p2p-models.js';
import { createSourceRecords } from './record-source.js';

/**
 * What questions to purchase to pay compare and sort by, beside keys and relationships:
 * table | columns | included columns; "trigram" in front of columns that are searched.
 */
const indexRows = `
purchase_order | order_date, order_no | total_amount
purchase_order | plant | total_amount
po_item | country, order_date, order_no, item_no | net_amount
po_item | order_date, order_no, item_no
po_item | plant | net_amount
po_item | material_group | net_amount
po_item | trigram description
invoice | invoice_date, invoice_no
invoice | status | net_amount, gross_amount
payment | payment_date, payment_no
payment | company_code | amount, discount_lost
supplier | trigram name
event | activity
`;

const trigramIndex = 'trigram ';

const indexOf = (row: TextRow): TableIndexDefinition => {
  const columns = getCell(row, 1);
  const include = row[2] === undefined ? [] : [...splitCommaList(row[2])];
  return columns.startsWith(trigramIndex)
    ? { columns: [...splitCommaList(columns.slice(trigramIndex.length))], kind: 'trigram' }
    : { columns: [...splitCommaList(columns)], ...(include.length > 0 && { include }) };
};

const columnOf = ({ name, type, nullable }: Table['columns'][number], key: readonly string[]): ColumnDefinition => ({
  ...{ id: name, type },
  ...(!nullable && !key.includes(name) && { nullable }),
});

export const createP2pTableDefinitions = (): readonly TableDefinition[] => {
  const records = createSourceRecords();
  return p2pTables.map(({ name, key, columns }) => {
    const record = records.find(({ definition }) => definition.table === name)?.definition;
    const indexes = readRows(indexRows).filter((row) => getCell(row, 0) === name);
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
