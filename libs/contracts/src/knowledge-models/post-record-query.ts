/** As the query of a record; the question is in the body. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KmQueryRecordDataRequest, QueryResultPageDTO, recordFailures, recordPath, recordPrefix } from './parts.js';

export const postRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.postQuery',
  summary: 'Query a record (advanced)',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, query: KmQueryRecordDataRequest }),
  reply: rendered(QueryResultPageDTO),
  failures: recordFailures,
  http: { group: 'D', method: 'post', path: `${recordPrefix}/query`, body: 'query' },
});
