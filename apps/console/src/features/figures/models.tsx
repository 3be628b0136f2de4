/** The knowledge models of the person. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useFormats, useMessages } from '../../language/language-provider.js';
import { figuresMessages } from '../../messages/figures/catalogue.js';
import { CardGrid } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { TileLink } from '../../ui/navigation-link.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { area } from './area.js';

const modelsMax = 1_000;

export const Models = () => {
  const say = useMessages(figuresMessages);
  return (
    <>
      <PageHead title={say('title')}>{say('lead')}</PageHead>
      <ModelTiles />
    </>
  );
};

const ModelTiles = () => {
  const say = useMessages(figuresMessages);
  const { dateTime } = useFormats();
  const models = useQuery(operationQuery('listModels', { pageSize: modelsMax, sort: 'name' }));
  if (models.isPending) return <Skeleton shape="box" lines={2} />;
  if (models.isError) return <CallFault error={models.error} onRetry={() => void models.refetch()} />;
  const { content } = models.data;
  if (content.length === 0) return <EmptyState title={say('noModels')}>{say('noModelsText')}</EmptyState>;
  return (
    <CardGrid>
      {content.map(({ id, name, published }) => (
        <TileLink key={id} path={`${area.path}/${encodeURIComponent(id)}`} icon="chart" title={name}>
          <bdi>{id}</bdi> · {say('publishedAt', { time: dateTime(`${published.replace(' ', 'T')}Z`) })}
        </TileLink>
      ))}
    </CardGrid>
  );
};
