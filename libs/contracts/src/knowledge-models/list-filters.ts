/** The filters of a model that its caller may use. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { FilterResultPage, listFailures, listOptions, modelPath, modelPrefix } from './parts.js';

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
