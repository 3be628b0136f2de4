/** Knowledge models and tables of a team as its files say them: all of a request take effect, or none. */
import { z } from 'zod';
import { applyMode, applyRule } from '../../definition-parts.js';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { KnowledgeModelDefinition } from '../definitions.js';
import { TableDefinition } from '../table-definition.js';
import { AppliedDefinition, definitionsPrefix, teamPath } from './admin-parts.js';

export const applyDefinitions = operation({
  owner: 'knowledge-models',
  name: 'knowledge.definitions.apply',
  summary: 'Apply definitions of knowledge models and tables',
  description: applyRule,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPath,
    ...idempotent,
    apply: z
      .strictObject({
        definitions: z
          .array(z.discriminatedUnion('kind', [KnowledgeModelDefinition, TableDefinition]))
          .min(1)
          .max(500),
        mode: applyMode('models'),
        againstDatabase: z
          .boolean()
          .default(false)
          .describe('Compares tables and columns with those of the database, too.'),
      })
      .meta({ id: 'ApplyDefinitions' }),
  }),
  reply: z.object({
    definitions: z.array(AppliedDefinition),
    breaks: z
      .array(z.object({ id: z.string(), message: z.string() }))
      .describe(
        'Published models that would not fit any more; a request that breaks some is refused unless it checks.',
      ),
  }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: definitionsPrefix, body: 'apply', headers: idempotencyHeaders },
});
