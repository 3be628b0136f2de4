import type { OperationName } from '../../../api/operations.js';

/** What a change of content makes stale. */
export const contentReads: readonly OperationName[] = [
  'readElement',
  'describeElement',
  'listElements',
  'listChildren',
  'listVersions',
  'listContent',
  'listAttributes',
  'listRelations',
  'readRelation',
  'listTransitions',
  'reportElement',
  'reportFacet',
  'searchElements',
  'listBin',
];
