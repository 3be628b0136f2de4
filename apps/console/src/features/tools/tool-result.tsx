/** What a tool has answered: as it is best read, and as JSON. */
import { useMemo, useState } from 'react';
import { useFormats, useMessages } from '../../language/language-provider.js';
import type { Formats } from '../../language/formats.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Button } from '../../ui/button.js';
import { CodeBlock } from '../../ui/code-block.js';
import { CopyButton } from '../../ui/copy-button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { Table, type Column } from '../../ui/table.js';
import { Tabs } from '../../ui/tabs.js';
import { printJson } from '../../api/json-values.js';
import {
  readFormat,
  readResult,
  type ResultCell,
  type ResultColumn,
  type ResultPart,
  type ResultRow,
} from './result-parts.js';
import type { ToolAnswer } from './tool-call.js';
import styles from './tools.module.css';

export type ToolResultProps = { readonly answer: ToolAnswer; readonly onOpenLog: () => void };

export const ToolResult = ({ answer, onOpenLog }: ToolResultProps) => {
  const say = useMessages(toolsMessages);
  const [view, setView] = useState<'read' | 'json'>('read');
  const { value, durationMs, requestId } = answer;
  const parts = useMemo(() => readResult(value), [value]);
  return (
    <section className={styles['result']} aria-label={say('result')}>
      <header className={styles['line']}>
        <h3>{say('result')}</h3>
        <span className={styles['note']}>{say('took', { ms: Math.round(durationMs) })}</span>
        {requestId !== undefined && (
          <span className={styles['note']}>
            {say('requestId')} <code>{requestId}</code> <CopyButton text={requestId} what={say('requestId')} />
          </span>
        )}
        <Button variant="quiet" onPress={onOpenLog}>
          {say('inLog')}
        </Button>
      </header>
      <p className={styles['note']}>
        {say('calledWith')} <ForeignText text={JSON.stringify(answer.arguments)} />
      </p>
      <Tabs
        label={say('resultViews')}
        selected={view}
        onSelect={setView}
        tabs={[
          { id: 'read', label: say('result'), content: <Parts parts={parts} /> },
          {
            id: 'json',
            label: say('resultAsJson'),
            content: <CodeBlock text={printJson(value)} what={say('result')} />,
          },
        ]}
      />
    </section>
  );
};

const titleLengthMax = 200;

const Parts = ({ parts }: { readonly parts: readonly ResultPart[] }) => (
  <div className={styles['parts']}>
    {parts.map((part, at) => (
      <div key={at} className={styles['part']}>
        {part.title !== '' && (
          <h4 className={styles['partTitle']}>
            <bdi title={part.title}>{shorten(part.title, titleLengthMax)}</bdi>
          </h4>
        )}
        <PartContent part={part} />
      </div>
    ))}
  </div>
);

const PartContent = ({ part }: { readonly part: ResultPart }) => {
  const say = useMessages(toolsMessages);
  const formats = useFormats();
  switch (part.kind) {
    case 'text':
      return <ForeignText text={part.text} isBlock />;
    case 'facts':
      return (
        <Facts
          facts={part.facts.map(([name, value]) => ({
            name: shorten(name, titleLengthMax),
            value: <ForeignText text={typeof value === 'number' ? writeNumber(value, formats) : String(value)} />,
          }))}
        />
      );
    case 'table':
      return <Rows part={part} />;
    case 'none':
      return <EmptyState title={say('empty')} />;
    case 'json':
      return <CodeBlock text={part.text} what={part.title === '' ? say('result') : part.title} />;
  }
};

type RowsProps = { readonly part: Extract<ResultPart, { readonly kind: 'table' }> };

const Rows = ({ part: { title, columns, rows } }: RowsProps) => {
  const say = useMessages(toolsMessages);
  const formats = useFormats();
  const shown = useMemo(
    () => columns.map((column) => toTableColumn(column, columns.length, formats)),
    [columns, formats],
  );
  return (
    <>
      <p className={styles['note']}>{say('rows', { count: rows.length })}</p>
      <Table label={title === '' ? say('result') : title} columns={shown} rows={rows} idOf={({ id }) => id} />
    </>
  );
};

/** A few share the room that there is; more can be scrolled to. */
const sharingMax = 5;
const columnWidth = 180;

const toTableColumn = (column: ResultColumn, count: number, formats: Formats): Column<ResultRow> => ({
  id: column.id,
  title: column.unit === undefined ? column.title : `${column.title} (${column.unit})`,
  width: count > sharingMax ? columnWidth : '1fr',
  align: column.isNumeric ? 'end' : 'start',
  render: ({ cells }) => {
    const text = writeCell(cells[column.id], column, formats);
    return <bdi title={text}>{text}</bdi>;
  },
});

/** Figures that are exact to so many digits are exact enough to read; the JSON has all. */
const significantDigits = 12;

const writeNumber = (value: number, { number }: Formats): string =>
  number(value, { maximumSignificantDigits: significantDigits });

const writeCell = (value: ResultCell, { format }: ResultColumn, formats: Formats): string => {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'number') return String(value);
  const { isShare, digits } = readFormat(format);
  if (isShare) return formats.percent(value, digits);
  return digits === undefined
    ? writeNumber(value, formats)
    : formats.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
};
