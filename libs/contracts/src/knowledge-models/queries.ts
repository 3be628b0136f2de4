import { z } from 'zod';
import { operation, renderedReply } from '../operation.js';
import { evidenceHeaders, evidenceParameter } from '../preferences.js';
import {
  dataParameters,
  KmQueryDataRequest,
  KmQueryRecordDataRequest,
  kpiParameters,
  modelQueryFailureCodes,
  modelPathParameters,
  modelByIdPrefix,
  QueryResultPageDTO,
  queryFailureCodes,
  recordQueryFailureCodes,
  recordPathParameters,
  recordByIdPrefix,
  representationOptions,
  representationHeaders,
  representationMediaTypes,
  RecordResultPageDTO,
  RecordSummaryResultPageDTO,
  summaryParameters,
} from './parts.js';

/** Of all but the summary. */
const rowsOptions = { ...representationOptions, ...evidenceParameter };
const rowsHeaders = { ...representationHeaders, ...evidenceHeaders };
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
  request: z.strictObject({ ...modelPathParameters, ...rowsOptions, ...dataParameters, ...kpiParameters }),
  reply: renderedReply(QueryResultPageDTO, representationMediaTypes),
  failures: modelQueryFailureCodes,
  http: { group: 'D', method: 'get', path: `${modelByIdPrefix}/query`, headers: rowsHeaders },
});

export const postModelQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.postQuery',
  summary: 'Query a knowledge model (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPathParameters, ...rowsOptions, query: KmQueryDataRequest }),
  reply: renderedReply(QueryResultPageDTO, representationMediaTypes),
  failures: modelQueryFailureCodes,
  http: { group: 'D', method: 'post', path: `${modelByIdPrefix}/query`, body: 'query', headers: rowsHeaders },
});

export const readModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.data',
  summary: 'Read data of a knowledge model',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPathParameters, ...rowsOptions, ...dataParameters, ...kpiParameters }),
  reply: renderedReply(RecordResultPageDTO, representationMediaTypes),
  failures: modelQueryFailureCodes,
  http: { group: 'D', method: 'get', path: `${modelByIdPrefix}/data`, headers: rowsHeaders },
});

export const queryModelData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.queryData',
  summary: 'Read data of a knowledge model (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...modelPathParameters, ...rowsOptions, query: KmQueryDataRequest }),
  reply: renderedReply(RecordResultPageDTO, representationMediaTypes),
  failures: modelQueryFailureCodes,
  http: { group: 'D', method: 'post', path: `${modelByIdPrefix}/data`, body: 'query', headers: rowsHeaders },
});

export const readRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.query',
  summary: 'Query a record',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPathParameters, ...rowsOptions, ...dataParameters }),
  reply: renderedReply(QueryResultPageDTO, representationMediaTypes),
  failures: recordQueryFailureCodes,
  http: { group: 'D', method: 'get', path: `${recordByIdPrefix}/query`, headers: rowsHeaders },
});

export const postRecordQuery = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.postQuery',
  summary: 'Query a record (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPathParameters, ...rowsOptions, query: KmQueryRecordDataRequest }),
  reply: renderedReply(QueryResultPageDTO, representationMediaTypes),
  failures: recordQueryFailureCodes,
  http: {
    group: 'D',
    method: 'post',
    path: `${recordByIdPrefix}/query`,
    body: 'query',
    headers: rowsHeaders,
  },
});

export const readRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.data',
  summary: 'Read data of a record',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPathParameters, ...rowsOptions, ...dataParameters }),
  reply: renderedReply(RecordResultPageDTO, representationMediaTypes),
  failures: recordQueryFailureCodes,
  http: { group: 'D', method: 'get', path: `${recordByIdPrefix}/data`, headers: rowsHeaders },
});

export const queryRecordData = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.queryData',
  summary: 'Read data of a record (advanced)',
  description: rowsDescription,
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPathParameters, ...rowsOptions, query: KmQueryRecordDataRequest }),
  reply: renderedReply(RecordResultPageDTO, representationMediaTypes),
  failures: recordQueryFailureCodes,
  http: { group: 'D', method: 'post', path: `${recordByIdPrefix}/data`, body: 'query', headers: rowsHeaders },
});

export const summariseRecord = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.summary',
  summary: 'Summarise a record',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 25_000,
  request: z.strictObject({ ...recordPathParameters, ...summaryParameters }),
  reply: renderedReply(RecordSummaryResultPageDTO),
  failures: ['KM_RECORD_NOTFOUND', ...queryFailureCodes],
  http: { group: 'D', method: 'get', path: `${recordByIdPrefix}/summary` },
});
