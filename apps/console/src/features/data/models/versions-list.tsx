import { useMemo } from 'react';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Badge } from '../../../ui/badge.js';
import { Button } from '../../../ui/button.js';
import { Card } from '../../../ui/card.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Table, type Column } from '../../../ui/table.js';
import { CellText } from '../cell-text.js';
import styles from '../data.module.css';
import { subjectOf } from '../tables/find-tables.js';
import { PublishedOpenRecords } from './open-records.js';
import { PublishDraft } from './publish-draft.js';
import { comparedVersions, type ModelVersions, type VersionName } from './version-choice.js';

export type VersionsListProps = {
  readonly modelId: string;
  readonly found: ModelVersions;
  readonly onCompare: (from: VersionName | undefined, to: VersionName | undefined) => void;
  readonly onShow: (version: VersionName) => void;
};

type Version = ModelVersions['versions'][number];
const idOfVersion = ({ version }: Version): string => String(version);

export const VersionsList = ({ modelId, found, onCompare, onShow }: VersionsListProps) => {
  const say = useMessages(dataMessages);
  const columns = useVersionColumns();
  const compared = comparedVersions(found, undefined, undefined);
  return (
    <div className={styles['parts']}>
      {found.versions.length > 0 && <PublishedOpenRecords modelId={modelId} />}
      <DraftCard modelId={modelId} found={found} onCompare={onCompare} onShow={onShow} />
      <Table
        label={say('versions')}
        columns={columns}
        rows={found.versions}
        idOf={idOfVersion}
        onOpen={(id) => onShow(Number(id))}
        empty={<EmptyState title={say('noVersions')}>{say('noVersionsText')}</EmptyState>}
      />
      {found.draft === undefined && compared.from !== undefined && (
        <div className={styles['line']}>
          <Button onPress={() => onCompare(compared.from, compared.to)}>{say('compareLast')}</Button>
        </div>
      )}
    </div>
  );
};

const DraftCard = ({ modelId, found, onCompare, onShow }: VersionsListProps) => {
  const say = useMessages(dataMessages);
  const { dateTime } = useFormats();
  const { draft, versions } = found;
  if (draft === undefined)
    return (
      <EmptyState title={say('noDraft')} action={<Button onPress={() => onShow('published')}>{say('edit')}</Button>}>
        {say('noDraftText')}
      </EmptyState>
    );
  const published = versions.find(({ isPublished }) => isPublished)?.version;
  return (
    <Card title={say('draft')}>
      <p>{say('changedBy', { time: dateTime(draft.changedAt), who: subjectOf(draft.changedBy) })}</p>
      <div className={styles['line']}>
        <PublishDraft modelId={modelId} />
        {published !== undefined && (
          <Button onPress={() => onCompare(published, 'draft')}>{say('compareDraft')}</Button>
        )}
        <Button onPress={() => onShow('draft')}>{say('showDraft')}</Button>
      </div>
    </Card>
  );
};

const useVersionColumns = (): readonly Column<Version>[] => {
  const say = useMessages(dataMessages);
  const { dateTime } = useFormats();
  return useMemo(
    () => [
      { id: 'version', title: say('version'), width: 120, render: ({ version }) => say('versionNumber', { version }) },
      { id: 'at', title: say('publishedAt'), width: 200, render: ({ publishedAt }) => dateTime(publishedAt) },
      { id: 'by', title: say('publishedBy'), render: ({ publishedBy }) => <CellText text={subjectOf(publishedBy)} /> },
      {
        id: 'state',
        title: say('state'),
        width: 160,
        render: ({ isPublished }) => isPublished && <Badge tone="success">{say('published')}</Badge>,
      },
      { id: 'digest', title: say('digest'), render: ({ digest }) => <code>{digest.slice(0, 12)}</code> },
    ],
    [say, dateTime],
  );
};
