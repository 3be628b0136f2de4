/** As the data of a record; the question is in the body. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KmQueryRecordDataRequest, recordFailures, recordPath, recordPrefix, RecordResultPageDTO } from './parts.js';

export const queryRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.queryData',
  summary: 'Read data of a record (advanced)',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, query: KmQueryRecordDataRequest }),
  reply: rendered(RecordResultPageDTO),
  failures: recordFailures,
  http: { group: 'D', method: 'post', path: `${recordPrefix}/data`, body: 'query' },
});
