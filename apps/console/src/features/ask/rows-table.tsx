/** Rows that a tool answered, as a table; foreign values stay texts. */
import { useMemo } from 'react';
import { figureFormatOf, writeFigure } from '../../language/figure-format.js';
import type { Formats } from '../../language/formats.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Table, type Column } from '../../ui/table.js';
import styles from './rows-table.module.css';
import type { Cell, ResultColumn, ResultRow, ResultRows } from './tool-result.js';

type Entry = { readonly id: string; readonly row: ResultRow };

const exactDigits = 2;
const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

const cellText = (cell: Cell | undefined, column: ResultColumn, formats: Formats): string => {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') {
    const isPlain = column.format === undefined && column.unit === undefined && Number.isInteger(cell);
    return isPlain ? String(cell) : writeFigure(cell, figureFormatOf(column, exactDigits), formats);
  }
  if (typeof cell === 'string' && column.kind === 'time' && dayOnly.test(cell)) return formats.day(cell);
  return String(cell);
};

export const RowsTable = ({
  rows: { columns, rows, total },
  label,
}: {
  readonly rows: ResultRows;
  readonly label: string;
}) => {
  const say = useMessages(askMessages);
  const formats = useFormats();
  const shown = useMemo<readonly Column<Entry>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        title: column.name,
        align: column.kind === 'number' ? 'end' : 'start',
        render: ({ row }) => <bdi>{cellText(row[column.id], column, formats)}</bdi>,
      })),
    [columns, formats],
  );
  const entries = useMemo(() => rows.map((row, at) => ({ id: String(at), row })), [rows]);
  return (
    <div className={styles['rows']}>
      <Table label={label} columns={shown} rows={entries} idOf={({ id }) => id} />
      <p className={styles['count']}>
        {total !== undefined && total > rows.length
          ? say('rowsOfAll', { shown: rows.length, total })
          : say('rowCount', { count: rows.length })}
      </p>
    </div>
  );
};
