/** What a knowledge model has, as its caller sees it: the result of get-knowledge-model, and what tools' schemas are made of. */
import { z } from 'zod';
import { innerOperation } from '../../operation.js';
import { toolModel, ToolModel } from './tool-parts.js';

export const describeForTools = innerOperation({
  owner: 'knowledge-models',
  name: 'knowledge.tools.describe',
  summary: 'Describe a knowledge model for tools',
  scope: 'knowledge-models:read',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...toolModel,
    known: z.string().max(200).optional().describe('The key of a description that the caller has.'),
  }),
  reply: z.object({
    key: z.string().describe('The same for callers that see the same of the same version of the model.'),
    model: ToolModel.optional().describe('Absent when `known` is its key.'),
  }),
  failures: ['KM_MODEL_NOTFOUND'],
});
