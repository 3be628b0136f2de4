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
  RecordResultPageDTO,
  RecordSummaryResultPageDTO,
  summaryParameters,
} from './parts.js';

export const readModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.query',
  summary: 'Query a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, ...dataParameters, ...kpiParameters }),
  reply: rendered(QueryResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/query` },
});

export const postModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.postQuery',
  summary: 'Query a knowledge model (advanced)',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPath, query: KmQueryDataRequest }),
  reply: rendered(QueryResultPageDTO),
  failures: modelFailures,
  http: { group: 'D', method: 'post', path: `${modelPrefix}/query`, body: 'query' },
});

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
