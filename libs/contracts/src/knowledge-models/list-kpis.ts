/** The KPIs of a model that its caller may use. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KpiSchemaResultPage, listFailures, listOptions, modelPath, modelPrefix } from './parts.js';

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
