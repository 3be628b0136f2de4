/** A model goes with its draft and its versions. */
import { z } from 'zod';
import { definitionId } from '../../definition-parts.js';
import { operation } from '../../operation.js';
import { definitionsPrefix, teamPath } from './admin-parts.js';

export const deleteModel = operation({
  owner: 'knowledge-models',
  name: 'knowledge.models.delete',
  summary: 'Delete a knowledge model',
  description: 'Refused while another model extends it.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPath, modelId: definitionId.describe('The model.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'delete', path: `${definitionsPrefix}/{modelId}` },
});
