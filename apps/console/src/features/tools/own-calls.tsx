/** The log of one's own calls: filtered, the newest first, each with its details. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { operationQuery, pagedQuery } from '../../api/queries.js';
import type { Say } from '../../language/catalogue.js';
import type { Formats } from '../../language/formats.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Badge, Notice } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Table, type Column } from '../../ui/table.js';
import { CallFault } from '../faults/call-fault.js';
import type { ChangeState } from './address-state.js';
import { CallDetails, wordOfOutcome, type ToolCall } from './call-details.js';
import { callOutcomes, callsInput, callSpans, type CallFilter } from './call-filter.js';
import styles from './tools.module.css';

type CallsState = CallFilter & { readonly call?: string };

export type OwnCallsProps = {
  /** Only calls of this tool set; of all when it is left out. */
  readonly assetId?: string;
  readonly state: CallsState;
  readonly onChange: ChangeState<CallsState>;
};

export const OwnCalls = ({ assetId, state, onChange }: OwnCallsProps) => {
  const say = useMessages(toolsMessages);
  const { calledTool, outcome, since, call } = state;
  const [nowMs, setNowMs] = useState(() => Date.now());
  const input = useMemo(
    () => callsInput(assetId, { calledTool, outcome, since }, nowMs),
    [assetId, calledTool, outcome, since, nowMs],
  );
  const pages = useInfiniteQuery(
    pagedQuery('listOwnCalls', input, ({ next }) => (next === undefined ? undefined : { ...input, after: next })),
  );
  const calls = useMemo(() => pages.data?.pages.flatMap((page) => page.calls) ?? [], [pages.data]);
  const refresh = (): void => {
    setNowMs(Date.now());
    void pages.refetch();
  };
  const opened = calls.find(({ callId }) => callId === call);
  return (
    <div className={styles['parts']}>
      <CallFilters {...{ assetId, state, onChange }} onRefresh={refresh} />
      {pages.isPending && <Skeleton shape="box" />}
      {pages.isError && <CallFault error={pages.error} onRetry={refresh} />}
      {pages.isSuccess && (
        <CallTable
          {...{ calls, state, onChange, hasAsset: assetId === undefined }}
          more={
            pages.hasNextPage
              ? { isLoading: pages.isFetchingNextPage, load: () => void pages.fetchNextPage() }
              : undefined
          }
        />
      )}
      {pages.isSuccess && call !== undefined && opened === undefined && <Notice>{say('callNotRead')}</Notice>}
      {opened !== undefined && <CallDetails call={opened} onClose={() => onChange({ call: undefined })} />}
    </div>
  );
};

type CallFiltersProps = OwnCallsProps & { readonly onRefresh: () => void };

const anyId = 'any';

const CallFilters = ({ assetId, state, onChange, onRefresh }: CallFiltersProps) => {
  const say = useMessages(toolsMessages);
  return (
    <div className={styles['filters']}>
      {assetId !== undefined && (
        <ToolFilter assetId={assetId} selected={state.calledTool} onSelect={(calledTool) => onChange({ calledTool })} />
      )}
      <Select
        label={say('outcome')}
        options={[
          { id: anyId, label: say('all') },
          ...callOutcomes.map((id) => ({ id, label: wordOfOutcome(id, say) })),
        ]}
        selected={state.outcome ?? anyId}
        onSelect={(id) => onChange({ outcome: id === anyId ? undefined : id })}
      />
      <Select
        label={say('time')}
        options={[{ id: anyId, label: say('allTime') }, ...callSpans.map((id) => ({ id, label: say(id) }))]}
        selected={state.since ?? anyId}
        onSelect={(id) => onChange({ since: id === anyId ? undefined : id })}
      />
      <Button onPress={onRefresh}>{say('refresh')}</Button>
    </div>
  );
};

type ToolFilterProps = {
  readonly assetId: string;
  readonly selected: string | undefined;
  readonly onSelect: (tool: string | undefined) => void;
};

const ToolFilter = ({ assetId, selected, onSelect }: ToolFilterProps) => {
  const say = useMessages(toolsMessages);
  const { data } = useQuery(operationQuery('listTools', { asset_id: assetId }));
  const tools = data?.tools.map(({ name, title }) => ({ id: name, label: title })) ?? [];
  // A tool that was removed has calls still.
  const isKnown = selected === undefined || tools.some(({ id }) => id === selected);
  return (
    <Select
      label={say('tool')}
      options={[{ id: anyId, label: say('all') }, ...tools, ...(isKnown ? [] : [{ id: selected, label: selected }])]}
      selected={selected ?? anyId}
      onSelect={(id) => onSelect(id === anyId ? undefined : id)}
    />
  );
};

const toneOf = (outcome: string): 'success' | 'accent' | 'danger' =>
  outcome === 'ok' ? 'success' : outcome === 'running' ? 'accent' : 'danger';

type CallTableProps = Pick<OwnCallsProps, 'state' | 'onChange'> & {
  readonly calls: readonly ToolCall[];
  /** Whether each call says of which tool set it is. */
  readonly hasAsset: boolean;
  readonly more: { readonly isLoading: boolean; readonly load: () => void } | undefined;
};

const CallTable = ({ calls, hasAsset, state, onChange, more }: CallTableProps) => {
  const say = useMessages(toolsMessages);
  const formats = useFormats();
  const columns = useMemo(() => columnsOf(say, formats, hasAsset), [say, formats, hasAsset]);
  const isFiltered = state.outcome !== undefined || state.since !== undefined || state.calledTool !== undefined;
  const clear = (): void => onChange({ outcome: undefined, since: undefined, calledTool: undefined });
  const empty = isFiltered ? (
    <EmptyState title={say('noCallsFound')} action={<Button onPress={clear}>{say('clearFilter')}</Button>} />
  ) : (
    <EmptyState title={say('noCalls')}>{say('noCallsText')}</EmptyState>
  );
  return (
    <Table
      label={say('callsOf')}
      columns={columns}
      rows={calls}
      idOf={({ callId }) => callId}
      onOpen={(call) => onChange({ call })}
      more={more}
      empty={empty}
    />
  );
};

const columnsOf = (
  say: Say<typeof toolsMessages.en>,
  { dateTime }: Formats,
  hasAsset: boolean,
): readonly Column<ToolCall>[] => [
  { id: 'tool', title: say('tool'), width: '2fr', render: ({ toolId }) => <bdi title={toolId}>{toolId}</bdi> },
  ...(hasAsset
    ? [{ id: 'asset', title: say('asset'), render: ({ assetId }: ToolCall) => <bdi title={assetId}>{assetId}</bdi> }]
    : []),
  {
    id: 'outcome',
    title: say('outcome'),
    width: '2fr',
    render: ({ outcome }) => <Badge tone={toneOf(outcome)}>{wordOfOutcome(outcome, say)}</Badge>,
  },
  { id: 'time', title: say('time'), width: '2fr', minWidth: 208, render: ({ startedAt }) => dateTime(startedAt) },
  {
    id: 'duration',
    title: say('duration'),
    align: 'end',
    render: ({ durationMs }) => (durationMs === undefined ? '' : say('took', { ms: Math.round(durationMs) })),
  },
  { id: 'way', title: say('way'), render: ({ door }) => say(door) },
];
