/** Rows of a record, with headers. The fields have to be named. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { dataParameters, recordFailures, recordPath, recordPrefix, RecordResultPageDTO } from './parts.js';

export const readRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.data',
  summary: 'Read data of a record',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...dataParameters }),
  reply: rendered(RecordResultPageDTO),
  failures: recordFailures,
  http: { group: 'D', method: 'get', path: `${recordPrefix}/data` },
});
