/** The records of a model. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { listFailures, listOptions, modelPath, modelPrefix, RecordSchemaResultPage } from './parts.js';

export const listRecords = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.list',
  summary: 'List the records of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPath, ...listOptions }),
  reply: rendered(RecordSchemaResultPage),
  failures: listFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/records` },
});
