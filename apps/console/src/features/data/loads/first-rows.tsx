import { useMemo } from 'react';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { shorten } from '../../../ui/foreign-text.js';
import { Table, type Column } from '../../../ui/table.js';
import { CellText } from '../cell-text.js';
import type { CsvPreview } from '../csv/csv-preview.js';
import type { CsvRecord } from '../csv/parse-csv.js';

const columnsShownMax = 40;
const rowsShownMax = 6;
const titleCharactersMax = 100;
const lineOfRecord = ({ line }: CsvRecord): string => String(line);

export const FirstRows = ({ preview: { header, rows, width } }: { readonly preview: CsvPreview }) => {
  const say = useMessages(dataMessages);
  const columns = useMemo(
    (): readonly Column<CsvRecord>[] =>
      Array.from({ length: Math.min(width, columnsShownMax) }, (_, at) => ({
        id: String(at),
        title: shorten(header?.[at] ?? '', titleCharactersMax) || say('columnNumber', { number: at + 1 }),
        width: 160,
        render: ({ values }) => <CellText text={values[at] ?? ''} />,
      })),
    [header, width, say],
  );
  const shown = useMemo(() => rows.slice(0, rowsShownMax), [rows]);
  if (shown.length === 0) return <EmptyState title={say('noRows')} />;
  return <Table label={say('firstRows')} columns={columns} rows={shown} idOf={lineOfRecord} />;
};
