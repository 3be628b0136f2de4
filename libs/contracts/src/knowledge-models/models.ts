import { z } from 'zod';
import { conditionalHeaders, conditionalParameters, operation, renderedReply } from '../operation.js';
import {
  FilterResultPage,
  KnowledgeModelDetailedDTO,
  KnowledgeModelResultPage,
  KpiSchemaResultPage,
  modelListFailureCodes,
  listOptions,
  modelPathParameters,
  modelByIdPrefix,
  modelsPrefix,
  RecordDTO,
  recordPathParameters,
  recordByIdPrefix,
  RecordSchemaResultPage,
  sortFailureCodes,
} from './parts.js';

export const listModels = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.list',
  summary: 'List the knowledge models',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...listOptions }),
  reply: renderedReply(KnowledgeModelResultPage),
  failures: sortFailureCodes,
  http: { group: 'D', method: 'get', path: modelsPrefix },
});

export const readModel = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.read',
  summary: 'Read a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPathParameters }),
  reply: renderedReply(KnowledgeModelDetailedDTO),
  failures: ['KM_MODEL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: modelByIdPrefix },
});

export const listRecords = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.list',
  summary: 'List the records of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPathParameters, ...listOptions }),
  reply: renderedReply(RecordSchemaResultPage),
  failures: modelListFailureCodes,
  http: { group: 'D', method: 'get', path: `${modelByIdPrefix}/records` },
});

export const readRecord = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.read',
  summary: 'Read a record of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...recordPathParameters, sort: listOptions.sort }),
  reply: renderedReply(RecordDTO),
  failures: ['KM_RECORD_NOTFOUND', ...modelListFailureCodes],
  http: { group: 'D', method: 'get', path: recordByIdPrefix },
});

export const listKpis = operation({
  owner: 'knowledge-models',
  name: 'knowledge.kpis.list',
  summary: 'List the KPIs of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPathParameters, ...listOptions }),
  reply: renderedReply(KpiSchemaResultPage),
  failures: modelListFailureCodes,
  http: { group: 'D', method: 'get', path: `${modelByIdPrefix}/kpis` },
});

export const listFilters = operation({
  owner: 'knowledge-models',
  name: 'knowledge.filters.list',
  summary: 'List the filters of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPathParameters, ...listOptions }),
  reply: renderedReply(FilterResultPage),
  failures: modelListFailureCodes,
  http: { group: 'D', method: 'get', path: `${modelByIdPrefix}/filters` },
});

export const generateModelSpec = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.spec',
  summary: 'Generate the OpenAPI document of a knowledge model',
  description: 'JSON, or YAML when `Accept` prefers it.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPathParameters,
    curated: z.boolean().default(false).describe('Only records that are marked as curated.'),
    accept: z.string().max(2_000).optional(),
    ...conditionalParameters,
  }),
  reply: renderedReply(z.looseObject({ openapi: z.string() }).meta({ id: 'openApiSpecDTO' }), [
    'application/json; charset=utf-8',
    'application/yaml; charset=utf-8',
  ]),
  failures: ['KM_MODEL_NOTFOUND'],
  http: {
    group: 'D',
    method: 'get',
    path: `${modelByIdPrefix}/spec`,
    headers: { accept: 'accept', ...conditionalHeaders },
  },
});
