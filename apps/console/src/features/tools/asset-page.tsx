/** One set of tools: its tools to call, one's own calls of it, and how a client is connected. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { refusalOf } from '../../api/failures.js';
import { operationQuery } from '../../api/queries.js';
import { useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Button } from '../../ui/button.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import type { AssetState, ChangeState } from './address-state.js';
import { ToolList } from './tool-list.js';
import { ToolPanel } from './tool-panel.js';
import styles from './tools.module.css';

/** Most come for the tools. */
const Connect = lazy(() => import('./connect.js').then(({ Connect: connect }) => ({ default: connect })));
const OwnCalls = lazy(() => import('./own-calls.js').then(({ OwnCalls: calls }) => ({ default: calls })));

export type AssetPageProps = {
  readonly assetId: string;
  readonly state: AssetState;
  readonly onChange: ChangeState<AssetState>;
};

/** As many as a page of the list can have. */
const assetsMax = 1_000;
const nameLengthMax = 120;

export const AssetPage = ({ assetId, state, onChange }: AssetPageProps) => {
  const say = useMessages(toolsMessages);
  const assets = useQuery(operationQuery('listAssets', { pageSize: assetsMax }));
  const asset = assets.data?.assets.find(({ id }) => id === assetId);
  const trail = [
    <TextLink key="tools" to="/tools">
      {say('title')}
    </TextLink>,
  ];
  return (
    <>
      <PageHead title={shorten(asset?.name ?? assetId, nameLengthMax)} trail={trail}>
        {asset !== undefined && asset.description !== '' && <ForeignText text={asset.description} />}
      </PageHead>
      <Tabs
        label={say('parts')}
        selected={state.tab ?? 'tools'}
        onSelect={(tab) => onChange({ tab: tab === 'tools' ? undefined : tab })}
        tabs={[
          { id: 'tools', label: say('tools'), content: <AssetTools {...{ assetId, state, onChange }} /> },
          {
            id: 'calls',
            label: say('calls'),
            content: (
              <Suspense fallback={<Skeleton shape="box" />}>
                <OwnCalls {...{ assetId, state, onChange }} />
              </Suspense>
            ),
          },
          {
            id: 'connect',
            label: say('connect'),
            content: assets.isError ? (
              <CallFault error={assets.error} onRetry={() => void assets.refetch()} />
            ) : (
              <Suspense fallback={<Skeleton shape="box" />}>
                <Connect assetId={assetId} address={asset?.mcp} isLoading={assets.isPending} {...{ state, onChange }} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
};

const AssetTools = ({ assetId, state, onChange }: AssetPageProps) => {
  const say = useMessages(toolsMessages);
  const isDraft = state.draft === true;
  const list = useQuery(operationQuery('listTools', { asset_id: assetId, ...(isDraft && { draft: true }) }));
  const showDraft = (shown: boolean): void => onChange({ draft: shown ? true : undefined });
  if (list.isPending) return <Skeleton shape="box" />;
  if (isDraft && refusalOf(list.error)?.status === 404)
    return (
      <EmptyState
        title={say('noDraft')}
        action={<Button onPress={() => showDraft(false)}>{say('showPublished')}</Button>}
      >
        {say('noDraftText')}
      </EmptyState>
    );
  if (list.isError) return <CallFault error={list.error} onRetry={() => void list.refetch()} />;
  const { tools } = list.data;
  return (
    <div className={styles['columns']}>
      <ToolList assetId={assetId} tools={tools} isDraft={isDraft} onDraft={showDraft} />
      <ToolPanel
        {...{ assetId, tools, isDraft, name: state.tool, given: state.arguments }}
        onArguments={(given) => onChange({ arguments: given }, { replace: true })}
        onOpenLog={() => onChange({ tab: 'calls', calledTool: undefined, outcome: undefined, since: undefined })}
      />
    </div>
  );
};
