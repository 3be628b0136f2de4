/** The entity data model (CSDL) of a knowledge model, as its caller sees it. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { metadataMediaTypes, odataFailures, odataPrefix, representationHeaders, servicePath } from './odata-parts.js';

export const readODataMetadata = operation({
  owner: 'knowledge-models',
  name: 'knowledge.odata.metadata',
  summary: 'Read the OData metadata',
  description: 'CSDL as XML, or as JSON when `$format` or `Accept` says so.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(servicePath),
  reply: rendered(z.looseObject({ $Version: z.string() }).meta({ id: 'odataMetadata' }), metadataMediaTypes),
  failures: odataFailures,
  http: { group: 'D', method: 'get', path: `${odataPrefix}/$metadata`, headers: representationHeaders, isOData: true },
});
