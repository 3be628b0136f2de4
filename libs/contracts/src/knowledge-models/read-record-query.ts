/** Rows of a record, without headers; all fields when none is named. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { dataParameters, recordFailures, recordPath, recordPrefix, QueryResultPageDTO } from './parts.js';

export const readRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.query',
  summary: 'Query a record',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...dataParameters }),
  reply: rendered(QueryResultPageDTO),
  failures: recordFailures,
  http: { group: 'D', method: 'get', path: `${recordPrefix}/query` },
});
