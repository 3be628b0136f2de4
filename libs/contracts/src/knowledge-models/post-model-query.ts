/** As the query of a model; the question is in the body. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KmQueryDataRequest, modelFailures, modelPath, modelPrefix, QueryResultPageDTO } from './parts.js';

export const postModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.postQuery',
  summary: 'Query a knowledge model (advanced)',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, query: KmQueryDataRequest }),
  reply: rendered(QueryResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'post', path: `${modelPrefix}/query`, body: 'query' },
});
