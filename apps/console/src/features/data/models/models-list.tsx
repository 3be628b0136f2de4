import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerFor } from '../../../api/operations.js';
import { operationQuery } from '../../../api/queries.js';
import { useFormats, useMessages } from '../../../language/language-provider.js';
import { dataMessages } from '../../../messages/data/catalogue.js';
import { Badge } from '../../../ui/badge.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { Table, type Column } from '../../../ui/table.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMe } from '../../session/me.js';
import { CellText } from '../cell-text.js';

type ListedModel = AnswerFor<'exportModelDefinitions'>['models'][number];

const idOfModel = ({ id }: ListedModel): string => id;

export const ModelsList = ({ onOpen }: { readonly onOpen: (modelId: string) => void }) => {
  const say = useMessages(dataMessages);
  const { team } = useMe();
  const columns = useModelColumns();
  const found = useQuery(operationQuery('exportModelDefinitions', { team }));
  if (found.isPending) return <Skeleton lines={6} />;
  if (found.isError) return <CallFault error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <Table
      label={say('models')}
      columns={columns}
      rows={found.data.models}
      idOf={idOfModel}
      onOpen={onOpen}
      empty={<EmptyState title={say('noModels')}>{say('noModelsText')}</EmptyState>}
    />
  );
};

const useModelColumns = (): readonly Column<ListedModel>[] => {
  const say = useMessages(dataMessages);
  const { dateTime } = useFormats();
  return useMemo(
    () => [
      { id: 'model', title: say('model'), width: '2fr', render: ({ id }) => <CellText text={id} /> },
      {
        id: 'name',
        title: say('name'),
        width: '2fr',
        render: ({ definition, draft }) => <CellText text={definition?.name ?? draft?.name ?? ''} />,
      },
      {
        id: 'extends',
        title: say('extends'),
        render: ({ definition, draft }) => <CellText text={(definition ?? draft)?.extends ?? ''} />,
      },
      {
        id: 'version',
        title: say('version'),
        align: 'end',
        width: 110,
        render: ({ version }) => (version === undefined ? '' : String(version)),
      },
      {
        id: 'published',
        title: say('publishedAt'),
        width: 200,
        render: ({ publishedAt }) => (publishedAt === undefined ? say('never') : dateTime(publishedAt)),
      },
      {
        id: 'draft',
        title: say('draft'),
        width: 150,
        render: ({ draft }) => draft !== undefined && <Badge tone="warning">{say('hasDraft')}</Badge>,
      },
    ],
    [say, dateTime],
  );
};
