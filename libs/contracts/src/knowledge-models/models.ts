import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import {
  FilterResultPage,
  KnowledgeModelDetailedDTO,
  KnowledgeModelResultPage,
  KpiSchemaResultPage,
  listFailures,
  listOptions,
  modelPath,
  modelPrefix,
  modelsPrefix,
  RecordDTO,
  recordPath,
  recordPrefix,
  RecordSchemaResultPage,
  sortFailures,
} from './parts.js';

export const listModels = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.list',
  summary: 'List the knowledge models',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...listOptions }),
  reply: rendered(KnowledgeModelResultPage),
  failures: sortFailures,
  http: { group: 'D', method: 'get', path: modelsPrefix },
});

export const readModel = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.read',
  summary: 'Read a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPath }),
  reply: rendered(KnowledgeModelDetailedDTO),
  failures: ['KM_MODEL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: modelPrefix },
});

export const listRecords = operation({
  owner: 'knowledge-models',
  name: 'knowledge.records.list',
  summary: 'List the records of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPath, ...listOptions }),
  reply: rendered(RecordSchemaResultPage),
  failures: listFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/records` },
});

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

export const listKpis = operation({
  owner: 'knowledge-models',
  name: 'knowledge.kpis.list',
  summary: 'List the KPIs of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPath, ...listOptions }),
  reply: rendered(KpiSchemaResultPage),
  failures: listFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/kpis` },
});

export const listFilters = operation({
  owner: 'knowledge-models',
  name: 'knowledge.filters.list',
  summary: 'List the filters of a knowledge model',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ ...modelPath, ...listOptions }),
  reply: rendered(FilterResultPage),
  failures: listFailures,
  http: { group: 'D', method: 'get', path: `${modelPrefix}/filters` },
});

export const generateSpec = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.spec',
  summary: 'Generate the OpenAPI document of a knowledge model',
  description: 'JSON, or YAML when `Accept` prefers it.',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...modelPath,
    curated: z.boolean().default(false).describe('Only records that are marked as curated.'),
    accept: z.string().max(2_000).optional(),
  }),
  reply: rendered(z.looseObject({ openapi: z.string() }).meta({ id: 'openApiSpecDTO' }), [
    'application/json; charset=utf-8',
    'application/yaml; charset=utf-8',
  ]),
  failures: ['KM_MODEL_NOTFOUND'],
  http: { group: 'D', method: 'get', path: `${modelPrefix}/spec`, headers: { accept: 'accept' } },
});
