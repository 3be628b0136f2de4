/** Statistics of the attributes of a record, and a sample of its rows. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { questionFailures, recordPath, recordPrefix, RecordSummaryResultPageDTO, summaryParameters } from './parts.js';

export const summariseRecord = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.summary',
  summary: 'Summarise a record',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...summaryParameters }),
  reply: rendered(RecordSummaryResultPageDTO),
  failures: ['KM_RECORD_NOTFOUND', ...questionFailures],
  http: { group: 'D', method: 'get', path: `${recordPrefix}/summary` },
});
