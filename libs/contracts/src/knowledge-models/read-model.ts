/** What a model is called and which one it extends. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { KnowledgeModelDetailedDTO, modelPath, modelPrefix } from './parts.js';

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
