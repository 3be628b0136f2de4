/** The content of a version as a diagram: what is in it, in which order, and what it stands for. */
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { operationQuery } from '../../../api/queries.js';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { readOnlyElement } from '../content-element.js';
import { wholeTreeView, type FacetPlace } from '../place.js';
import { diagramOf, expandedRelations } from './diagram-model.js';
import type { LinkProps } from './symbol-link.js';

const DiagramView = lazy(async () => ({ default: (await import('./diagram-view.js')).DiagramView }));

export type ElementDiagramProps = LinkProps & {
  readonly place: FacetPlace;
  /** The version (`versionId`), or the element where its type has no versions. */
  readonly elementId: string;
  /** The moment that is shown; now when left out. */
  readonly asOf?: string;
  /** In which names are shown where there is one, e.g. `1031`. */
  readonly culture: string;
};

export const ElementDiagram = ({ place, elementId, asOf, culture, hrefOf, onOpen }: ElementDiagramProps) => {
  const say = useMessages(processesEditingMessages);
  const { content, error, retry } = useContent(place, elementId, asOf);
  const diagram = useMemo(() => content && diagramOf(content, culture), [content, culture]);
  if (error !== null) return <CallFault error={error} onRetry={retry} />;
  if (diagram === undefined) return <Skeleton shape="box" label={say('drawing')} />;
  if (diagram.symbols.length + diagram.lanes.length === 0)
    return <EmptyState title={say('noDiagram')}>{say('noDiagramText')}</EmptyState>;
  return (
    <Suspense fallback={<Skeleton shape="box" label={say('drawing')} />}>
      <DiagramView diagram={diagram} hrefOf={hrefOf} onOpen={onOpen} />
    </Suspense>
  );
};

/** With what its symbols stand for. */
const useContent = ({ collectionId, storageId, facetId }: FacetPlace, elementId: string, asOf: string | undefined) => {
  const types = useQuery(operationQuery('listTypes', { collectionId, storageId, facetId }));
  const element = useQuery({
    ...operationQuery('readElement', {
      ...{ collectionId, storageId, facetId, elementId, viewId: wholeTreeView },
      $resources: ['attributes', 'related', 'content', 'displayNames'],
      $expandRelated: [...expandedRelations(types.data?.values ?? [])],
      ...(asOf !== undefined && { asOf }),
    }),
    enabled: types.isSuccess,
    select: readOnlyElement,
  });
  return {
    content: element.data?.content,
    error: types.error ?? element.error,
    retry: () => void (types.isError ? types : element).refetch(),
  };
};
