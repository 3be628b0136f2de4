/** The service document: the entity sets of a model. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { odataFailures, odataPrefix, representationHeaders, serviceMediaTypes, servicePath } from './odata-parts.js';

export const readODataService = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.service',
  summary: 'Read the OData service document',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(servicePath),
  reply: rendered(
    z
      .looseObject({ value: z.array(z.object({ name: z.string(), kind: z.literal('EntitySet'), url: z.string() })) })
      .meta({ id: 'odataServiceDocument' }),
    serviceMediaTypes,
  ),
  failures: odataFailures,
  http: { group: 'D', method: 'get', path: odataPrefix, headers: representationHeaders, isOData: true },
});
