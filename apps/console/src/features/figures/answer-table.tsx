/** The rows of an answer, a page at a time, sorted by the server; with the figures of the period before where it is compared. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { numberOf } from '../../api/json-values.js';
import { operationQuery } from '../../api/queries.js';
import type { Formats } from '../../language/formats.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import type { Say } from '../../language/catalogue.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Table, type Column, type Sort } from '../../ui/table.js';
import { CallFault } from '../faults/call-fault.js';
import { changeWords } from './change-words.js';
import styles from './figures.module.css';
import { fieldWithoutGrain, type Question } from './question.js';
import { countInput, pageSize } from './question-input.js';
import { changeOf, tableRows, type Answered, type TableRow } from './result-shape.js';
import type { Schema } from './schema.js';
import { figureStyleOf, scaled, type Header } from './value-format.js';

export type AnswerTableProps = {
  readonly modelId: string;
  readonly schema: Schema;
  readonly question: Question;
  readonly answered: Answered;
  readonly isCompared: boolean;
  readonly onOpen: ((id: string) => void) | undefined;
  readonly onChange: (change: Partial<Question>) => void;
};

type FiguresSay = Say<typeof figuresMessages.en>;

export const AnswerTable = (props: AnswerTableProps) => {
  const { schema, question, answered, isCompared, onOpen, onChange } = props;
  const say = useMessages(figuresMessages);
  const formats = useFormats();
  const columns = useMemo(
    () =>
      answered.headers
        .flatMap((header) => [
          valueColumn(header, titleOf(header, answered.headers, schema, say), answered),
          ...(isCompared && header.aggregation ? comparedColumns(header, answered, say, formats) : []),
        ])
        .map((column) => ({ ...column, minWidth: columnWidthMin })),
    [answered, schema, isCompared, say, formats],
  );
  const rows = useMemo(() => tableRows(answered.rows, answered.before), [answered]);
  return (
    <div className={styles['part']}>
      <Table
        label={say('rows')}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        sort={sortOf(question.sort)}
        onSort={({ column, direction }) => onChange({ sort: `${direction === 'descending' ? '-' : ''}${column}` })}
        onOpen={onOpen}
        empty={<EmptyState title={say(question.page > 0 ? 'noMoreRows' : 'noRows')}>{say('noRowsText')}</EmptyState>}
      />
      <Pager {...props} />
    </div>
  );
};

/** The first item of the sort; a table shows one. */
const sortOf = (sort: string): Sort | undefined => {
  const [first = ''] = sort.split(',');
  if (first === '') return undefined;
  return { column: first.replace(/^[+-]/, ''), direction: first.startsWith('-') ? 'descending' : 'ascending' };
};

/** With its grain, and with its record where another column has the same name. */
const titleOf = (header: Header, headers: readonly Header[], schema: Schema, say: FiguresSay): string => {
  const isTwice = headers.filter(({ name, grain }) => name === header.name && grain === header.grain).length > 1;
  const record = schema.fieldByPath.get(fieldWithoutGrain(header.id))?.recordName;
  const name = isTwice && record !== undefined ? `${header.name} (${record})` : header.name;
  return header.grain === undefined ? name : `${name}, ${say(header.grain)}`;
};

/** A name, a figure with its unit. */
const columnWidthMin = 136;

const isNumber = ({ type }: Header): boolean => type === 'integer' || type === 'float';

const valueColumn = (header: Header, title: string, { formatOf, nothing }: Answered): Column<TableRow> => {
  const format = formatOf(header);
  return {
    ...{ id: header.id, title, isSortable: header.sortable, align: isNumber(header) ? 'end' : 'start' },
    render: ({ row }) => {
      const text = format(row[header.id]);
      return text === '' ? (
        <span className={styles['nothing']}>{row[header.id] === '' ? '""' : nothing}</span>
      ) : (
        <bdi title={text}>{text}</bdi>
      );
    },
  };
};

const comparedColumns = (
  header: Header,
  { formatOf, nothing }: Answered,
  say: FiguresSay,
  formats: Formats,
): readonly Column<TableRow>[] => {
  const format = formatOf(header);
  const { unit, factor } = figureStyleOf(header);
  const isShare = unit === '%';
  return [
    {
      ...{ id: `before ${header.id}`, title: say('beforeColumn', { kpi: header.name }), align: 'end' },
      render: ({ before }) => format(before?.[header.id]) || <span className={styles['nothing']}>{nothing}</span>,
    },
    {
      ...{ id: `change ${header.id}`, title: say('changeColumn'), align: 'end' },
      render: ({ row, before }) => {
        const [now, then] = [row, before].map((one) => scaled(numberOf(one?.[header.id]), factor));
        const change = changeOf(now, then, isShare);
        return change === undefined ? '' : changeWords(change, isShare, say, formats);
      },
    },
  ];
};

const Pager = ({ modelId, schema, question, answered, onChange }: AnswerTableProps) => {
  const say = useMessages(figuresMessages);
  const input = useMemo(() => countInput(modelId, question, schema), [modelId, question, schema]);
  const key = JSON.stringify(input);
  const [countedKey, setCountedKey] = useState<string>();
  const count = useQuery({ ...operationQuery('readModelData', input), enabled: countedKey === key });
  const { page } = question;
  const { length } = answered.rows;
  const total = count.data?.total;
  if (length === 0 && page === 0) return null;
  return (
    <div className={styles['line']}>
      <p className={styles['note']}>
        {length > 0 && say('rowsShown', { first: page * pageSize + 1, last: page * pageSize + length })}{' '}
        {total !== undefined && say('rowsOfAll', { count: total })}
      </p>
      {total === undefined && (
        <Button variant="quiet" isPending={countedKey === key && count.isPending} onPress={() => setCountedKey(key)}>
          {say('countRows')}
        </Button>
      )}
      {page > 0 && <Button onPress={() => onChange({ page: page - 1 })}>{say('pageBefore')}</Button>}
      {length === pageSize && (total === undefined || (page + 1) * pageSize < total) && (
        <Button onPress={() => onChange({ page: page + 1 })}>{say('pageAfter')}</Button>
      )}
      {count.isError && <CallFault error={count.error} />}
    </div>
  );
};
