/** One row of a record by its identifier. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  $expand,
  $select,
  dataMediaTypes,
  entitySetPath,
  entitySetPrefix,
  odataFailures,
  representationHeaders,
} from './odata-parts.js';

export const readODataEntry = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.entry',
  summary: 'Read an entry of an OData entity set by its key',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...entitySetPath,
    key: z.string().min(2).max(4_000).describe("The key in parentheses: `('4711')`, `(ORDER_NO='4711',ITEM_NO=10)`."),
    $select,
    $expand,
  }),
  reply: rendered(z.record(z.string(), z.unknown()).meta({ id: 'odataEntry' }), dataMediaTypes),
  failures: [...odataFailures, 'KM_RECORD_NOTFOUND', 'KM_FIELD_NOTFOUND', 'KM_FILTER_TYPE', 'GENERAL_NOTFOUND'],
  http: {
    group: 'D',
    method: 'get',
    path: `${entitySetPrefix}{key}`,
    headers: representationHeaders,
    isOData: true,
  },
});
