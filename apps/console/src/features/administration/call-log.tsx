/** Who called which tool, and how it ended. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerFor } from '../../api/operations.js';
import { pagedQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { auditMessages } from '../../messages/audit/catalogue.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText } from '../../ui/foreign-text.js';
import type { Column } from '../../ui/table.js';
import { RequestId } from './access-log.js';
import styles from './administration.module.css';
import { callLogInput } from './audit-filter.js';
import type { AuditProps } from './audit.js';
import { CommonFilters, TextFilter } from './log-filter-fields.js';
import { LogList } from './log-list.js';
import { useTeam } from './team.js';

type ToolCall = AnswerFor<'listCalls'>['calls'][number];

const toneOf = (outcome: string): Tone => (outcome === 'ok' ? 'success' : outcome === 'running' ? 'accent' : 'danger');

export const CallLog = ({ filter, onFilter }: AuditProps) => {
  const say = useMessages(auditMessages);
  const { team } = useTeam();
  const log = useInfiniteQuery(
    pagedQuery('listCalls', callLogInput(team, filter), ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, after: next },
    ),
  );
  const columns = useCallColumns();
  const lines = useMemo(() => log.data?.pages.flatMap(({ calls }) => calls) ?? [], [log.data]);
  const field = { filter, onFilter };
  return (
    <div className={styles['parts']}>
      <p className={styles['note']}>{say('callsText')}</p>
      <div className={styles['bar']}>
        <CommonFilters {...field} />
        <TextFilter {...field} name="asset" label={say('asset')} />
        <TextFilter {...field} name="tool" label={say('tool')} />
        <TextFilter {...field} name="outcome" label={say('outcome')} />
      </div>
      <LogList
        label={say('calls')}
        query={log}
        {...{ columns, lines, readCount: lines.length }}
        idOf={({ callId }) => callId}
        opened={filter.entry}
        onOpen={(entry) => onFilter({ ...filter, entry })}
        detail={(toolCall) => <CallDetail toolCall={toolCall} />}
      />
    </div>
  );
};

const inMilliseconds = { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 } as const;

const useCallColumns = (): readonly Column<ToolCall>[] => {
  const say = useMessages(auditMessages);
  const { dateTime, number } = useFormats();
  return useMemo(
    () => [
      { id: 'when', title: say('when'), width: '2fr', minWidth: 208, render: ({ startedAt }) => dateTime(startedAt) },
      {
        ...{ id: 'who', title: say('who'), width: '2fr' },
        render: ({ subject }) => <bdi title={subject}>{subject}</bdi>,
      },
      {
        ...{ id: 'tool', title: say('tool'), width: '2fr' },
        render: ({ assetId, toolId }) => <bdi title={`${assetId}/${toolId}`}>{`${assetId}/${toolId}`}</bdi>,
      },
      { id: 'door', title: say('door'), render: ({ door }) => say(door) },
      {
        ...{ id: 'outcome', title: say('outcome') },
        render: ({ outcome }) => (
          <Badge tone={toneOf(outcome)}>
            <bdi>{outcome}</bdi>
          </Badge>
        ),
      },
      {
        ...{ id: 'duration', title: say('duration'), align: 'end' },
        render: ({ durationMs }) => (durationMs === undefined ? say('noEndYet') : number(durationMs, inMilliseconds)),
      },
    ],
    [say, dateTime, number],
  );
};

const CallDetail = ({ toolCall }: { readonly toolCall: ToolCall }) => {
  const say = useMessages(auditMessages);
  const { dateTime, number } = useFormats();
  const { startedAt, subject, door, assetId, toolId, version, outcome, durationMs, argumentsDigest, requestId } =
    toolCall;
  return (
    <Facts
      facts={[
        { name: say('when'), value: dateTime(startedAt) },
        { name: say('who'), value: <ForeignText text={subject} /> },
        { name: say('asset'), value: <ForeignText text={assetId} /> },
        { name: say('tool'), value: <ForeignText text={toolId} /> },
        { name: say('publishedVersion'), value: <ForeignText text={version} /> },
        { name: say('door'), value: say(door) },
        { name: say('outcome'), value: <ForeignText text={outcome} /> },
        ...(durationMs === undefined ? [] : [{ name: say('duration'), value: number(durationMs, inMilliseconds) }]),
        { name: say('argumentsDigest'), value: <code>{argumentsDigest}</code> },
        { name: say('request'), value: <RequestId requestId={requestId} /> },
      ]}
    />
  );
};
