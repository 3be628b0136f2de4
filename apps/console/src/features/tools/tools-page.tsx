/** The tool sets of the team, and the log of one's own calls of all of them. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { pagedQuery } from '../../api/queries.js';
import type { AnswerFor } from '../../api/operations.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { toolsMessages } from '../../messages/tools/catalogue.js';
import { Button } from '../../ui/button.js';
import { Card, CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { ForeignText, shorten } from '../../ui/foreign-text.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import type { ChangeState, ToolsState } from './address-state.js';
import { OwnCalls } from './own-calls.js';
import styles from './tools.module.css';

export type Asset = AnswerFor<'listAssets'>['assets'][number];

export type ToolsPageProps = { readonly state: ToolsState; readonly onChange: ChangeState<ToolsState> };

export const ToolsPage = ({ state, onChange }: ToolsPageProps) => {
  const say = useMessages(toolsMessages);
  return (
    <>
      <PageHead title={say('title')}>{say('lead')}</PageHead>
      <Tabs
        label={say('parts')}
        selected={state.tab ?? 'assets'}
        onSelect={(tab) => onChange({ tab: tab === 'calls' ? tab : undefined })}
        tabs={[
          { id: 'assets', label: say('assets'), content: <Assets /> },
          { id: 'calls', label: say('calls'), content: <OwnCalls state={state} onChange={onChange} /> },
        ]}
      />
    </>
  );
};

const Assets = () => {
  const say = useMessages(toolsMessages);
  const pages = useInfiniteQuery(
    pagedQuery('listAssets', {}, ({ next }) => (next === undefined ? undefined : { after: next })),
  );
  if (pages.isPending) return <Skeleton shape="box" />;
  if (pages.isError) return <CallFault error={pages.error} onRetry={() => void pages.refetch()} />;
  const assets = pages.data.pages.flatMap((page) => page.assets);
  if (assets.length === 0) return <EmptyState title={say('noAssets')}>{say('noAssetsText')}</EmptyState>;
  return (
    <div className={styles['parts']}>
      <CardGrid>
        {assets.map((asset) => (
          <AssetCard key={asset.id} asset={asset} />
        ))}
      </CardGrid>
      {pages.hasNextPage && (
        <Button onPress={() => void pages.fetchNextPage()} isPending={pages.isFetchingNextPage}>
          {say('more')}
        </Button>
      )}
    </div>
  );
};

const nameLengthMax = 120;

const AssetCard = ({ asset }: { readonly asset: Asset }) => {
  const say = useMessages(toolsMessages);
  const { number } = useFormats();
  const { id, name, description, version, tools, callsPerMinute } = asset;
  return (
    <Card>
      <h2>
        <TextLink to="/tools/$assetId" params={{ assetId: id }}>
          <bdi title={name}>{shorten(name, nameLengthMax)}</bdi>
        </TextLink>
      </h2>
      {description !== '' && <ForeignText text={description} isBlock />}
      <Facts
        facts={[
          { name: say('tools'), value: say('toolCount', { count: tools }) },
          { name: say('callsPerMinute'), value: number(callsPerMinute) },
          { name: say('version'), value: version },
        ]}
      />
    </Card>
  );
};
