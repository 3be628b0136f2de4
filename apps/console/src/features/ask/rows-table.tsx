/** Rows that a tool answered, as a table; foreign values stay texts. */
import { useMemo } from 'react';
import { figureFormatOf, writeFigure } from '../../language/figure-format.js';
import type { Formats } from '../../language/formats.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { askMessages } from '../../messages/ask/catalogue.js';
import { Table, type Column } from '../../ui/table.js';
import styles from './rows-table.module.css';
import type { Cell, ResultColumn, ResultRow, ResultRows } from './tool-result.js';

type ShownColumn = ResultColumn & { readonly isMonths: boolean };
type Entry = { readonly id: string; readonly row: ResultRow };

const exactDigits = 2;
const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

const cellText = (cell: Cell | undefined, column: ShownColumn, formats: Formats): string => {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') {
    const isPlain = column.format === undefined && column.unit === undefined && Number.isInteger(cell);
    return isPlain ? String(cell) : writeFigure(cell, figureFormatOf(column, exactDigits), formats);
  }
  if (typeof cell !== 'string' || column.kind !== 'time' || !dayOnly.test(cell)) return String(cell);
  return column.isMonths ? formats.month(cell) : formats.day(cell);
};

/** First days stand for their months. */
const isMonths = ({ id, kind }: ResultColumn, rows: readonly ResultRow[]): boolean =>
  kind === 'time' && rows.length > 1 && rows.every(({ [id]: cell }) => cell === null || String(cell).endsWith('-01'));

export type RowsTableProps = {
  readonly rows: ResultRows;
  /** What the rows are; read aloud. */
  readonly label: string;
};

export const RowsTable = ({ rows: { columns, rows, total }, label }: RowsTableProps) => {
  const say = useMessages(askMessages);
  const formats = useFormats();
  const shown = useMemo<readonly Column<Entry>[]>(
    () =>
      columns
        .map((column) => ({ ...column, isMonths: isMonths(column, rows) }))
        .map((column) => ({
          id: column.id,
          title: column.name,
          align: column.kind === 'number' ? 'end' : 'start',
          render: ({ row }) => <bdi>{cellText(row[column.id], column, formats)}</bdi>,
        })),
    [columns, rows, formats],
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
