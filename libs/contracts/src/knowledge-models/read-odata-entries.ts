/** Rows of a record as an OData entity set, page by page. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  dataMediaTypes,
  entitySetPath,
  entitySetPrefix,
  entriesOptions,
  odataFailures,
  representationHeaders,
} from './odata-parts.js';
import { questionFailures, sortFailures } from './parts.js';

export const readODataEntries = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.entries',
  summary: 'Read the entries of an OData entity set',
  description: 'A page that ends early has `@odata.nextLink`.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...entitySetPath, ...entriesOptions }),
  reply: rendered(
    z.looseObject({ value: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'odataEntries' }),
    dataMediaTypes,
  ),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', ...questionFailures, ...sortFailures],
  http: {
    group: 'D',
    method: 'get',
    path: entitySetPrefix,
    headers: { ...representationHeaders, prefer: 'prefer' },
    isOData: true,
  },
});
