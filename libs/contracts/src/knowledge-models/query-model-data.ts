/** As the data of a model; the question is in the body. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KmQueryDataRequest, modelFailures, modelPath, modelPrefix, RecordResultPageDTO } from './parts.js';

export const queryModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.queryData',
  summary: 'Read data of a knowledge model (advanced)',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, query: KmQueryDataRequest }),
  reply: rendered(RecordResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'post', path: `${modelPrefix}/data`, body: 'query' },
});
