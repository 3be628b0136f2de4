import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  dataParameters,
  KmQueryDataRequest,
  KmQueryRecordDataRequest,
  kpiParameters,
  modelFailures,
  modelPath,
  modelPrefix,
  QueryResultPageDTO,
  queryFailures,
  recordFailures,
  recordPath,
  recordPrefix,
  representation,
  representationHeaders,
  representationTypes,
  RecordResultPageDTO,
  RecordSummaryResultPageDTO,
  summaryParameters,
} from './parts.js';

/** Of all but the summary. */
const rowsDescription =
  'JSON, or CSV for `$format=csv` and `Accept: text/csv`: a line of ids, then all rows, or the page that is asked for.';

export const readModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.query',
  summary: 'Query a knowledge model',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...representation, ...dataParameters, ...kpiParameters }),
  reply: rendered(QueryResultPageDTO, representationTypes),
  failures: modelFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/query`, headers: representationHeaders },
});

export const postModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.postQuery',
  summary: 'Query a knowledge model (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...representation, query: KmQueryDataRequest }),
  reply: rendered(QueryResultPageDTO, representationTypes),
  failures: modelFailures,
  http: { group: 'D', method: 'post', path: `${modelPrefix}/query`, body: 'query', headers: representationHeaders },
});

export const readModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.data',
  summary: 'Read data of a knowledge model',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...representation, ...dataParameters, ...kpiParameters }),
  reply: rendered(RecordResultPageDTO, representationTypes),
  failures: modelFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/data`, headers: representationHeaders },
});

export const queryModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.queryData',
  summary: 'Read data of a knowledge model (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...representation, query: KmQueryDataRequest }),
  reply: rendered(RecordResultPageDTO, representationTypes),
  failures: modelFailures,
  http: { group: 'D', method: 'post', path: `${modelPrefix}/data`, body: 'query', headers: representationHeaders },
});

export const readRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.query',
  summary: 'Query a record',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...representation, ...dataParameters }),
  reply: rendered(QueryResultPageDTO, representationTypes),
  failures: recordFailures,
  http: { group: 'D', method: 'get', path: `${recordPrefix}/query`, headers: representationHeaders },
});

export const postRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.postQuery',
  summary: 'Query a record (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...representation, query: KmQueryRecordDataRequest }),
  reply: rendered(QueryResultPageDTO, representationTypes),
  failures: recordFailures,
  http: { group: 'D', method: 'post', path: `${recordPrefix}/query`, body: 'query', headers: representationHeaders },
});

export const readRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.data',
  summary: 'Read data of a record',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...representation, ...dataParameters }),
  reply: rendered(RecordResultPageDTO, representationTypes),
  failures: recordFailures,
  http: { group: 'D', method: 'get', path: `${recordPrefix}/data`, headers: representationHeaders },
});

export const queryRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.queryData',
  summary: 'Read data of a record (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...representation, query: KmQueryRecordDataRequest }),
  reply: rendered(RecordResultPageDTO, representationTypes),
  failures: recordFailures,
  http: { group: 'D', method: 'post', path: `${recordPrefix}/data`, body: 'query', headers: representationHeaders },
});

export const summariseRecord = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.summary',
  summary: 'Summarise a record',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPath, ...summaryParameters }),
  reply: rendered(RecordSummaryResultPageDTO),
  failures: ['KM_RECORD_NOTFOUND', ...queryFailures],
  http: { group: 'D', method: 'get', path: `${recordPrefix}/summary` },
});
