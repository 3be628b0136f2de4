/** An OpenAPI 3.0.3 document of one model, as its caller sees it. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { modelPath, modelPrefix } from './parts.js';

export const generateSpec = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.spec',
  summary: 'Generate the OpenAPI document of a knowledge model',
  description: 'JSON, or YAML when `Accept` prefers it.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPath,
    curated: z.boolean().default(false).describe('Only records that are marked as curated.'),
    accept: z.string().max(2_000).optional(),
  }),
  reply: rendered(z.looseObject({ openapi: z.string() }).meta({ id: 'openApiSpecDTO' }), [
    'application/json; charset=utf-8',
    'application/yaml; charset=utf-8',
  ]),
  failures: ['KM_MODEL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: `${modelPrefix}/spec`, headers: { accept: 'accept' } },
});
