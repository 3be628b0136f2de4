/** One element, or one version of it: now or at an earlier moment. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import { useMessages } from '../../language/language-provider.js';
import { processesMessages } from '../../messages/processes/catalogue.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PageHead } from '../../ui/page-head.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { TextLink } from '../../ui/text-link.js';
import { AttributeList } from './attribute-list.js';
import { chooseAttributes, type TypeDescription } from './attributes.js';
import { ContentFault } from './content-fault.js';
import { readOnlyElement, type ContentElement } from './content-element.js';
import { elementQuery, typesQuery } from './content-queries.js';
import type { ElementDiagramProps } from './diagram/element-diagram.js';
import { ElementHead, VersionNotice } from './element-head.js';
import { useLabelOf } from './element-name.js';
import styles from './element.module.css';
import { keyFiguresOf } from './figures.js';
import { MomentNotice } from './moment.js';
import { facetPlaceOf, type ChangeSearch, type ElementPlace, type ElementSearch, type ElementTab } from './place.js';
import { Children, Relations } from './related-elements.js';
import { StorageFrame } from './storage-frame.js';
import { useViewpoint } from './viewpoint.js';

// What most who come here do not open, and most elements do not have, is loaded when it is shown.
const ElementDiagram = lazy(async () => ({ default: (await import('./diagram/element-diagram.js')).ElementDiagram }));
const ElementFigures = lazy(async () => ({ default: (await import('./element-figures.js')).ElementFigures }));
const ElementEditor = lazy(async () => ({ default: (await import('./editing/element-editor.js')).ElementEditor }));
const ElementVersions = lazy(async () => ({ default: (await import('./element-versions.js')).ElementVersions }));

export type ElementPageProps = {
  readonly place: ElementPlace;
  readonly search: ElementSearch;
  readonly onSearch: ChangeSearch<ElementSearch>;
  /** Of the page of another element. */
  readonly hrefOf: ElementDiagramProps['hrefOf'];
  readonly onElement: ElementDiagramProps['onOpen'];
  /** The element is gone: what is left is its facet. */
  readonly onFacet: () => void;
};

export const ElementPage = (props: ElementPageProps) => (
  <StorageFrame place={props.place} search={props.search}>
    <Content {...props} />
  </StorageFrame>
);

const Content = (props: ElementPageProps) => {
  const { place, search, onSearch } = props;
  const say = useMessages(processesMessages);
  const { asOf, search: viewpointSearch } = useViewpoint();
  const types = useQuery(typesQuery(place));
  const relations = useRelationNames(types.data?.values);
  const shown = { ...place, elementId: search.version ?? place.elementId };
  const read = useQuery({
    ...elementQuery(shown, asOf, relations),
    select: readOnlyElement,
    enabled: types.data !== undefined,
  });
  // What is there stays when asking again fails: somebody may be editing it.
  const failed = [types, read].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined)
    return (
      <>
        <PageHead title={say('title')} />
        <MomentNotice onMoment={(at) => onSearch({ at })} />
        <ContentFault
          error={failed.error}
          onRetry={() => void failed.refetch()}
          action={
            <TextLink
              to="/processes/$collectionId/$storageId"
              params={place}
              search={{ ...viewpointSearch, at: undefined, facet: place.facetId }}
            >
              {say('toFacet')}
            </TextLink>
          }
        />
      </>
    );
  if (read.isPending) return <Skeleton lines={9} />;
  if (read.data === undefined)
    return <EmptyState title={say('elementNotFound')}>{say('elementNotFoundDetail')}</EmptyState>;
  const type = types.data?.values.find(({ name }) => name === read.data?.type);
  return <Element {...props} element={read.data} type={type} relations={relations} />;
};

/** All that elements of a facet may lead to. */
const useRelationNames = (types: readonly TypeDescription[] | undefined): readonly string[] =>
  useMemo(() => {
    const named = types?.flatMap(({ relations }) => relations.map(({ name }) => name)) ?? [];
    return [...new Set(named)].filter((name) => name !== 'releaseHistory');
  }, [types]);

type ElementProps = ElementPageProps & {
  readonly element: ContentElement;
  readonly type: TypeDescription | undefined;
  readonly relations: readonly string[];
};

const Element = (props: ElementProps) => {
  const { place, search, onSearch, element } = props;
  const say = useMessages(processesMessages);
  const { culture, asOf } = useViewpoint();
  const isEdited = search.tab === 'edit' && asOf === undefined;
  const tabs = useTabs(props);
  const selected = tabs.find(({ id }) => id === search.tab)?.id ?? 'overview';
  return (
    <>
      <ElementHead {...props} isEdited={isEdited} />
      <div className={styles['parts']}>
        <MomentNotice onMoment={(at) => onSearch({ at })} />
        {search.version !== undefined && !isEdited && <VersionNotice element={element} onSearch={onSearch} />}
        {isEdited ? (
          <Later>
            <ElementEditor
              place={facetPlaceOf(place)}
              elementId={element.versionId ?? element.id}
              culture={culture}
              onClose={() => onSearch({ tab: undefined })}
            />
          </Later>
        ) : (
          <Tabs
            label={say('parts')}
            selected={selected}
            onSelect={(tab) => onSearch({ tab: tab === 'overview' ? undefined : tab })}
            tabs={tabs}
          />
        )}
      </div>
    </>
  );
};

/** For what is loaded when it is opened. */
const Later = ({ children }: { readonly children: ReactNode }) => (
  <Suspense fallback={<Skeleton lines={6} />}>{children}</Suspense>
);

/** A type without content has no diagram, one without versions no list of them. */
const useTabs = (props: ElementProps) => {
  const { place, search, onSearch, element, type, relations, hrefOf, onElement } = props;
  const say = useMessages(processesMessages);
  const { culture, asOf } = useViewpoint();
  const tabs: { readonly id: ElementTab; readonly label: string; readonly content: ReactNode }[] = [
    { id: 'overview', label: say('overview'), content: <Overview {...props} /> },
  ];
  if (type !== undefined && type.contentTypes.length > 0)
    tabs.push({
      ...{ id: 'diagram', label: say('diagram') },
      content: (
        <Later>
          <ElementDiagram
            {...{ place: facetPlaceOf(place), asOf, culture, hrefOf }}
            elementId={element.versionId ?? element.id}
            onOpen={onElement}
          />
        </Later>
      ),
    });
  if (type?.versioned === true)
    tabs.push({
      ...{ id: 'versions', label: say('versions') },
      content: (
        <Later>
          <ElementVersions {...{ place, type, relations, search, onSearch }} />
        </Later>
      ),
    });
  return tabs;
};

const Overview = ({ element, type, search, onSearch }: ElementProps) => {
  const labelOf = useLabelOf();
  const attributes = useMemo(() => chooseAttributes(element, type, labelOf), [element, type, labelOf]);
  const figures = useMemo(() => keyFiguresOf(element), [element]);
  return (
    <div className={styles['parts']}>
      {figures.length > 0 && (
        <Later>
          <ElementFigures figures={figures} model={search.model} onModel={(model) => onSearch({ model })} />
        </Later>
      )}
      <AttributeList attributes={attributes} />
      <Relations element={element} type={type} />
      <Children elements={element.children} />
    </div>
  );
};
