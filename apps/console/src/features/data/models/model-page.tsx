/** A knowledge model: its versions and its draft, what differs between two of them, and its definition. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { pagedQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Button } from '../../../ui/button.js';
import { PageHead } from '../../../ui/page-head.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import { TextLink } from '../../../ui/text-link.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import { AskBeforeLeaving } from '../ask-before-leaving.js';
import { ConfirmedChange } from '../confirmed-change.js';
import styles from '../data.module.css';
import { CompareVersions } from './compare-versions.js';
import type { WrittenDraft } from './definition-editor.js';
import { DefinitionView } from './definition-view.js';
import { comparedVersions, shownVersion, type ModelVersions, type VersionName } from './version-choice.js';
import { VersionsList } from './versions-list.js';

const tabIds = ['versions', 'compare', 'definition'] as const;
export type ModelTab = (typeof tabIds)[number];

export type ModelState = {
  readonly tab?: ModelTab;
  readonly from?: VersionName;
  readonly to?: VersionName;
  readonly version?: VersionName;
};

export type ModelPageProps = {
  readonly modelId: string;
  readonly state: ModelState;
  readonly onState: (state: ModelState) => void;
  readonly onDeleted: () => void;
};

export const ModelPage = ({ modelId, ...rest }: ModelPageProps) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const paged = useInfiniteQuery(
    pagedQuery('listModelVersions', { team, modelId }, ({ next }, asked) =>
      next === undefined ? undefined : { ...asked, before: next },
    ),
  );
  const found = useMemo((): ModelVersions | undefined => {
    const [first] = paged.data?.pages ?? [];
    return first && { ...first, versions: paged.data?.pages.flatMap(({ versions }) => versions) ?? [] };
  }, [paged.data]);
  const area = (
    <TextLink key="area" to="/data" search={{ tab: 'models' }}>
      {say('title')}
    </TextLink>
  );
  return (
    <>
      <PageHead title={modelId} trail={[area]}>
        {say('modelLead')}
      </PageHead>
      {paged.isPending && <Skeleton lines={6} />}
      {paged.isError && <CallFault error={paged.error} onRetry={() => void paged.refetch()} />}
      {found !== undefined && (
        <div className={styles['parts']}>
          <ModelParts modelId={modelId} found={found} {...rest} />
          {paged.hasNextPage && (
            <div className={styles['line']}>
              <Button onPress={() => void paged.fetchNextPage()} isPending={paged.isFetchingNextPage}>
                {say('olderVersions')}
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  );
};

const ModelParts = ({
  modelId,
  found,
  state,
  onState,
  onDeleted,
}: ModelPageProps & { readonly found: ModelVersions }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const [written, setWritten] = useState<WrittenDraft>();
  const compared = comparedVersions(found, state.from, state.to);
  const content = {
    versions: (
      <VersionsList
        {...{ modelId, found }}
        onCompare={(from, to) => onState({ tab: 'compare', from, to })}
        onShow={(version) => onState({ tab: 'definition', version })}
      />
    ),
    compare: (
      <CompareVersions {...{ modelId, found, ...compared }} onChoose={(chosen) => onState({ ...state, ...chosen })} />
    ),
    definition: (
      <DefinitionView
        {...{ modelId, found, version: shownVersion(found, state.version), written, onWrite: setWritten }}
        onVersion={(version) => onState({ ...state, version })}
      />
    ),
  };
  return (
    <>
      <Tabs
        label={say('model')}
        selected={state.tab ?? 'versions'}
        onSelect={(tab) => onState({ ...state, tab })}
        tabs={tabIds.map((id) => ({ id, label: say(id), content: content[id] }))}
      />
      <div className={styles['line']}>
        <ConfirmedChange
          operation="deleteModel"
          input={{ team, modelId }}
          invalidates={['exportModelDefinitions']}
          act={say('deleteModel')}
          title={say('deleteTitle', { name: modelId })}
          onDone={onDeleted}
        >
          <p>{say('deleteModelText')}</p>
        </ConfirmedChange>
      </div>
      <AskBeforeLeaving isNeeded={written !== undefined} title={say('unsavedTitle')} text={say('unsavedText')} />
    </>
  );
};
