/** A record with the fields that its caller may see; `sort` orders the lists of fields. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { listFailures, listOptions, RecordDTO, recordPath, recordPrefix } from './parts.js';

export const readRecord = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.read',
  summary: 'Read a record of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...recordPath, sort: listOptions.sort }),
  reply: rendered(RecordDTO),
  failures: ['KM_RECORD_NOTFOUND', ...listFailures],
  http: { group: 'D', method: 'get', path: recordPrefix },
});
