/** The form of a version, with what it has now. It is read anew when the form opens, and not again while somebody types. */
import { useQuery } from '@tanstack/react-query';
import { useMessages } from '../../../language/language-provider.js';
import { processesEditingMessages } from '../../../messages/processes-editing/catalogue.js';
import { EmptyState } from '../../../ui/empty-state.js';
import { Skeleton } from '../../../ui/skeleton.js';
import { CallFault } from '../../faults/call-fault.js';
import { useMay } from '../../session/me.js';
import { readOnlyElement } from '../content-element.js';
import { typesQuery } from '../content-queries.js';
import { useLabelOf } from '../element-name.js';
import type { FacetPlace } from '../place.js';
import { useViewpoint } from '../viewpoint.js';
import { editedQuery } from './edited-element.js';
import { fieldsOf, type TypeDescription } from './editor-fields.js';
import { EditorForm } from './editor-form.js';

export type ElementEditorProps = {
  readonly place: FacetPlace;
  /** The version (`versionId`), or the element where its type has no versions. */
  readonly elementId: string;
  /** In which names are shown where there is one, e.g. `1031`. */
  readonly culture: string;
  /** It is saved, or left without saving: the page shows the element again. */
  readonly onClose: () => void;
};

export const ElementEditor = (props: ElementEditorProps) => {
  const say = useMessages(processesEditingMessages);
  const may = useMay();
  const { collectionId, storageId, facetId } = props.place;
  const types = useQuery(typesQuery({ collectionId, storageId, facetId }));
  if (!may('content:write')) return <EmptyState title={say('mayNotWrite')}>{say('mayNotWriteText')}</EmptyState>;
  if (types.isError) return <CallFault error={types.error} onRetry={() => void types.refetch()} />;
  if (types.isPending) return <Skeleton lines={8} />;
  return <LoadedEditor {...props} types={types.data.values} />;
};

const LoadedEditor = (props: ElementEditorProps & { readonly types: readonly TypeDescription[] }) => {
  const { place, elementId, culture, types, onClose } = props;
  const say = useMessages(processesEditingMessages);
  const { cultures } = useViewpoint();
  const labelOf = useLabelOf();
  const query = editedQuery(place, elementId, types);
  const read = useQuery({ ...query, staleTime: 0, refetchOnMount: 'always' });
  if (read.isError && !read.isFetching) return <CallFault error={read.error} onRetry={() => void read.refetch()} />;
  if (read.data === undefined || !read.isFetchedAfterMount) return <Skeleton lines={8} />;
  const element = readOnlyElement(read.data.value);
  const type = types.find(({ name }) => name === element?.type);
  if (element === undefined || type === undefined) return <EmptyState title={say('typeIsGone')} />;
  return (
    <EditorForm
      key={elementId}
      {...{ place, culture, query, onClose }}
      fields={fieldsOf(type, element, { cultures, labelOf })}
      initial={{ element, etag: read.data.head.etag }}
    />
  );
};
