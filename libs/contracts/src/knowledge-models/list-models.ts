/** The published models of a team. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KnowledgeModelResultPage, listOptions, modelsPrefix, sortFailures } from './parts.js';

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
