/** Rows over the records of a model, without headers. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { dataParameters, kpiParameters, modelFailures, modelPath, modelPrefix, QueryResultPageDTO } from './parts.js';

export const readModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.query',
  summary: 'Query a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...dataParameters, ...kpiParameters }),
  reply: rendered(QueryResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/query` },
});
