/** One storage: its facets as trees and lists, and a search over all of them. */
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { PageHead } from '../../ui/page-head.js';
import { Select } from '../../ui/select.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import { CallFault } from '../faults/call-fault.js';
import { useMay } from '../session/me.js';
import { viewsQuery } from './content-queries.js';
import { CopyAddress } from './copy-address.js';
import { ElementTable } from './element-table.js';
import { ElementTree } from './element-tree.js';
import { MomentButton, MomentNotice } from './moment.js';
import { definedName } from './names.js';
import { wholeTreeView, type ChangeSearch, type FacetPlace, type StoragePlace, type StorageSearch } from './place.js';
import styles from './processes.module.css';
import { SearchBox, SearchResults } from './search-results.js';
import { CultureSelect, StorageFrame } from './storage-frame.js';
import { findFacet, useViewpoint } from './viewpoint.js';

export type StoragePageProps = {
  readonly place: StoragePlace;
  readonly search: StorageSearch;
  readonly onSearch: ChangeSearch<StorageSearch>;
  readonly onElement: (facetId: string, elementId: string) => void;
};

export const StoragePage = (props: StoragePageProps) => (
  <StorageFrame place={props.place} search={props.search}>
    <Content {...props} />
  </StorageFrame>
);

const Content = (props: StoragePageProps) => {
  const { search, onSearch } = props;
  const say = useMessages(processesMessages);
  const may = useMay();
  const { storage } = useViewpoint();
  const showMoment = (at: string | undefined): void => onSearch({ at });
  return (
    <>
      <PageHead
        title={storage.title}
        trail={[
          <TextLink key="storages" to="/processes">
            {say('title')}
          </TextLink>,
        ]}
        actions={
          <>
            {may('admin') && (
              <TextLink to="/processes/bin" search={{ storage: `${storage.collection}/${storage.id}` }}>
                {say('bin')}
              </TextLink>
            )}
            <MomentButton onMoment={showMoment} />
            <CopyAddress />
          </>
        }
      />
      <div className={styles['parts']}>
        <MomentNotice onMoment={showMoment} />
        <div className={styles['tools']}>
          <div className={styles['finder']}>
            <SearchBox find={search.find} onFind={(find) => onSearch({ find }, { replace: true })} />
          </div>
          <div className={styles['tool']}>
            <CultureSelect onSelect={(culture) => onSearch({ culture })} />
          </div>
        </div>
        {search.find === undefined ? <Facets {...props} /> : <SearchResults find={search.find} />}
      </div>
    </>
  );
};

const Facets = ({ place, search, onSearch, onElement }: StoragePageProps) => {
  const say = useMessages(processesMessages);
  const { storage, culture } = useViewpoint();
  const facet = findFacet(storage, search.facet);
  if (facet === undefined) return null;
  const facetPlace = { ...place, facetId: facet.name };
  return (
    <Tabs
      label={say('facets')}
      selected={facet.name}
      onSelect={(name) => onSearch({ facet: name, view: undefined, open: undefined })}
      tabs={storage.facets.map(({ name, displayNames }) => ({
        id: name,
        label: definedName(name, displayNames, culture),
        content: (
          <FacetView
            place={facetPlace}
            search={search}
            onSearch={onSearch}
            onElement={(elementId) => onElement(facet.name, elementId)}
          />
        ),
      }))}
    />
  );
};

type FacetViewProps = Pick<StoragePageProps, 'search' | 'onSearch'> & {
  readonly place: FacetPlace;
  readonly onElement: (elementId: string) => void;
};

const FacetView = ({ place, search, onSearch, onElement }: FacetViewProps) => {
  const say = useMessages(processesMessages);
  const { culture, asOf } = useViewpoint();
  const views = useQuery(viewsQuery(place));
  if (views.isPending) return <Skeleton shape="box" lines={2} />;
  if (views.isError) return <CallFault error={views.error} onRetry={() => void views.refetch()} />;
  // Of two views with one name an address means the first.
  const options = views.data.values.filter(({ name }, at, all) => all.findIndex((view) => view.name === name) === at);
  const view = options.find(({ name }) => name === (search.view ?? wholeTreeView)) ?? options[0];
  if (view === undefined) return null;
  const shown = { ...place, viewId: view.name, asOf };
  return (
    <div className={styles['parts']}>
      <div className={styles['tools']}>
        <div className={styles['tool']}>
          <Select
            label={say('view')}
            options={options.map(({ name, displayNames, isHierarchical }) => ({
              id: name,
              label: definedName(name, displayNames, culture),
              description: say(isHierarchical ? 'asTree' : 'asList'),
            }))}
            selected={view.name}
            onSelect={(name) => onSearch({ view: name === wholeTreeView ? undefined : name, open: undefined })}
          />
        </div>
      </div>
      {view.isHierarchical ? (
        <ElementTree
          place={shown}
          open={search.open}
          onOpen={(open) => onSearch({ open }, { replace: true })}
          onElement={onElement}
        />
      ) : (
        <ElementTable place={shown} onElement={onElement} />
      )}
    </div>
  );
};
