/** Rows over the records of a model, with headers. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { dataParameters, kpiParameters, modelFailures, modelPath, modelPrefix, RecordResultPageDTO } from './parts.js';

export const readModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.data',
  summary: 'Read data of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...dataParameters, ...kpiParameters }),
  reply: rendered(RecordResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/data` },
});
