/** The storages that a person may read, with the tops of their process houses and their facets, and what waits in them. */
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../api/queries.js';
import { useMessages, usePreferences } from '../../language/language-provider.js';
import { homeMessages } from '../../messages/home/catalogue.js';
import { AreaLink } from '../../ui/area-link.js';
import { Badge } from '../../ui/badge.js';
import { Card } from '../../ui/card.js';
import { EmptyState } from '../../ui/empty-state.js';
import { shorten } from '../../ui/foreign-text.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay } from '../session/me.js';
import { nameIn, readEntries, type ContentEntry, type Names } from './content-entries.js';
import styles from './home.module.css';
import { isWaitingState, waitingQuery, type Storage } from './waiting-elements.js';

const storagesMax = 20;
/** Each is a request; of further storages the facets are shown. */
const housesMax = 3;
const areasMax = 24;
const nameLengthMax = 120;

export const ProcessHouse = () => {
  const say = useMessages(homeMessages);
  const mayWrite = useMay()('content:write');
  const storages = useQuery(operationQuery('listReadableStorages', { $pageSize: storagesMax }));
  const found = storages.data?.values ?? [];
  const [first] = found;
  return (
    <>
      {storages.isPending && (
        <Card title={say('processHouse')}>
          <Skeleton lines={5} />
        </Card>
      )}
      {storages.isError && (
        <Card title={say('processHouse')}>
          <CallFault error={storages.error} onRetry={() => void storages.refetch()} />
        </Card>
      )}
      {storages.isSuccess && first === undefined && (
        <Card title={say('processHouse')}>
          <EmptyState title={say('noStorages')}>{say('noStoragesText')}</EmptyState>
        </Card>
      )}
      {found.map((storage, at) => (
        <StorageCard key={`${storage.collection}/${storage.id}`} storage={storage} hasHouse={at < housesMax} />
      ))}
      {first !== undefined && mayWrite && <Waiting storages={found.slice(0, housesMax)} />}
    </>
  );
};

type StorageProps = { readonly storage: Storage };

const StorageCard = ({ storage, hasHouse }: StorageProps & { readonly hasHouse: boolean }) => {
  const say = useMessages(homeMessages);
  const { collection, id, title, facets } = storage;
  return (
    <Card title={title}>
      {hasHouse && <House storage={storage} />}
      <h3 className={styles['label']}>{say('facets')}</h3>
      <ul className={styles['facets']}>
        {facets.map(({ name, displayNames }) => (
          <li key={name}>
            <AreaLink
              path="/processes/$collectionId/$storageId"
              params={{ collectionId: collection, storageId: id }}
              search={{ facet: name }}
            >
              <Name names={displayNames} storage={storage} otherwise={name} />
            </AreaLink>
          </li>
        ))}
      </ul>
    </Card>
  );
};

type NameProps = StorageProps & { readonly names: Names; readonly otherwise: string };

const Name = ({ names, storage, otherwise }: NameProps) => {
  const say = useMessages(homeMessages);
  const { language } = usePreferences();
  const { text, isGap } = nameIn(names, language, storage.defaultCulture);
  const shown = text === '' ? otherwise : text;
  return (
    <>
      <bdi title={shown.length > nameLengthMax ? shown : undefined}>{shorten(shown, nameLengthMax)}</bdi>
      {isGap && text !== '' && <span className={styles['gap']}> ({say('notTranslated')})</span>}
    </>
  );
};

/** What stands at the top of the first facet. */
const House = ({ storage }: StorageProps) => {
  const say = useMessages(homeMessages);
  const { collection, id, facets } = storage;
  const [facet] = facets;
  const roots = useQuery({
    ...operationQuery('listElements', {
      ...{ collectionId: collection, storageId: id, facetId: facet?.name ?? '', viewId: 'reporting' },
      ...{ $pageSize: areasMax, $resources: ['attributes'], $select: ['name'] },
    }),
    enabled: facet !== undefined,
  });
  if (facet === undefined) return null;
  if (roots.isPending) return <Skeleton lines={4} />;
  if (roots.isError) return <CallFault error={roots.error} onRetry={() => void roots.refetch()} />;
  const entries = readEntries(roots.data.elements);
  if (entries.length === 0) return <EmptyState title={say('emptyHouse')}>{say('emptyHouseText')}</EmptyState>;
  return (
    <ul className={styles['house']} aria-label={say('processHouse')}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles['area']}>
          <ElementLink entry={entry} storage={storage} />
        </li>
      ))}
    </ul>
  );
};

const ElementLink = ({ entry: { id, facetName, names }, storage }: StorageProps & { readonly entry: ContentEntry }) => (
  <AreaLink
    path="/processes/$collectionId/$storageId/$facetId/$elementId"
    params={{ collectionId: storage.collection, storageId: storage.id, facetId: facetName, elementId: id }}
  >
    <Name names={names} storage={storage} otherwise={id} />
  </AreaLink>
);

const Waiting = ({ storages }: { readonly storages: readonly Storage[] }) => {
  const say = useMessages(homeMessages);
  const waiting = useQuery(waitingQuery(storages));
  return (
    <Card title={say('waiting')}>
      {waiting.isPending && <Skeleton lines={4} />}
      {waiting.isError && <CallFault error={waiting.error} onRetry={() => void waiting.refetch()} />}
      {waiting.data?.elements.length === 0 && (
        <EmptyState title={say('nothingWaits')}>{say('nothingWaitsText')}</EmptyState>
      )}
      {waiting.data !== undefined && waiting.data.elements.length > 0 && (
        <ul className={styles['list']}>
          {waiting.data.elements.map(({ storage, entry }) => (
            <li key={entry.id} className={styles['entry']}>
              <ElementLink entry={entry} storage={storage} />
              <Badge tone="accent">{isWaitingState(entry.state) ? say(entry.state) : <bdi>{entry.state}</bdi>}</Badge>
            </li>
          ))}
        </ul>
      )}
      {waiting.data?.hasMore === true && <p className={styles['note']}>{say('moreWaits')}</p>}
    </Card>
  );
};
