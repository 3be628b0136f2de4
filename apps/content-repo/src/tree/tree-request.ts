/** The options that reports and lists share -> a scope of rows, what each row holds, and how rows are reshaped. */
import type { ResourceName } from '@tessera/contracts/content-repo';
import { type Result, succeed } from '@tessera/failures';
import type { Snapshot } from '../database/snapshot.js';
import { type ElementReshaper, createReshaper, type ReshapeOptions } from '../elements/reshape.js';
import { resolveResources } from '../elements/resources.js';
import { addressPrefixOf, type FacetView } from '../facets/facet-view.js';
import { compileContentFilter } from '../filter/compile-content-filter.js';
import type { Storage } from '../storage/storage-definitions.js';
import type { RowOptions, TreeScope } from './tree-query.js';
import type { RowSource } from './tree-text.js';
import { readLargeRow } from './tree.repository.js';

export type TreeOptions = ReshapeOptions & {
  readonly $filter?: string | undefined;
  readonly $resources?: readonly ResourceName[] | undefined;
};

export type TreeRequest = {
  readonly scope: TreeScope;
  readonly wanted: RowOptions;
  readonly reshape: ElementReshaper | undefined;
  /** How the rows of a statement become text. */
  readonly source: (batches: RowSource['batches'], wanted?: RowOptions) => RowSource;
};

export const buildTreeRequest = (
  snapshot: Snapshot,
  storage: Storage,
  { facet, view }: FacetView,
  options: TreeOptions,
  publicUrl: string,
): Result<TreeRequest> => {
  const condition =
    options.$filter === undefined ? undefined : compileContentFilter(options.$filter, storage.model, facet);
  if (condition?.ok === false) return condition;
  const resources = resolveResources(options.$resources);
  const wanted: RowOptions = { resources, addressPrefix: addressPrefixOf(storage, facet) };
  const reshape = createReshaper(options, storage.storageId, resources, publicUrl, snapshot);
  return succeed({
    scope: {
      tables: snapshot.tables,
      tenant: snapshot.tenant,
      storageId: storage.storageId,
      facet: facet.name,
      types: view.types,
      shape: view.isHierarchical ? (resources.has('children') ? 'tree' : 'roots') : 'flat',
      condition: condition?.value,
    },
    wanted,
    reshape,
    source: (batches, rows = wanted) => ({
      batches,
      readLarge: (row) => readLargeRow(snapshot, storage, rows, row),
      reshape,
    }),
  });
};
