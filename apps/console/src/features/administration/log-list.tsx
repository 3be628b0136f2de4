/** Lines of a log, the way to older ones, and one of them in full. */
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column } from '../../ui/table.js';
import { CallFault } from '../faults/call-fault.js';
import styles from './administration.module.css';

/** What is used of a query in pages. */
export type LogQuery = {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly refetch: () => Promise<unknown>;
};

export type LogListProps<Line extends object> = {
  readonly label: string;
  readonly query: LogQuery;
  readonly columns: readonly Column<Line>[];
  readonly lines: readonly Line[];
  /** How many lines were read, when not all of them are shown. */
  readonly readCount: number;
  readonly idOf: (line: Line) => string;
  readonly opened: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly detail: (line: Line) => ReactNode;
};

export const LogList = <Line extends object>(props: LogListProps<Line>) => {
  const { label, query, columns, lines, readCount, idOf, opened, onOpen, detail } = props;
  const say = useMessages(auditMessages);
  const line = opened === undefined ? undefined : lines.find((each) => idOf(each) === opened);
  if (query.isPending) return <Skeleton shape="box" />;
  if (query.isError && readCount === 0) return <CallFault error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div className={styles['section']}>
      <p className={styles['note']} role="status">
        {say('shown', { shown: lines.length, count: readCount })}
      </p>
      <Table
        {...{ label, columns, idOf, onOpen }}
        rows={lines}
        empty={<EmptyState title={say('none')}>{say(query.hasNextPage ? 'noneYet' : 'noneText')}</EmptyState>}
      />
      {opened !== undefined && line === undefined && <Notice>{say('entryNotRead')}</Notice>}
      {query.isError && <CallFault error={query.error} onRetry={() => void query.fetchNextPage()} />}
      {query.hasNextPage && (
        <div className={styles['actions']}>
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {say('more')}
          </Button>
        </div>
      )}
      <Dialog title={label} isOpen={line !== undefined} onClose={() => onOpen(undefined)} size="large">
        {line !== undefined && detail(line)}
      </Dialog>
    </div>
  );
};
