/** How many rows of a record match, as a text of digits. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { entitySetPath, entitySetPrefix, filterOptions, odataFailures, representationHeaders } from './odata-parts.js';
import { questionFailures } from './parts.js';

export const countODataEntries = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.count',
  summary: 'Count the entries of an OData entity set',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...entitySetPath, ...filterOptions }),
  reply: rendered(z.int().min(0).meta({ id: 'odataCount' }), ['text/plain; charset=utf-8']),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', ...questionFailures],
  http: {
    group: 'D',
    method: 'get',
    path: `${entitySetPrefix}/$count`,
    headers: representationHeaders,
    isOData: true,
  },
});
