/** Assets of a team as its files say them: all of a request take effect, or none. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { DefinitionChange } from '../../knowledge-models/admin/admin-parts.js';
import { applyModes } from '../../knowledge-models/admin/apply-definitions.js';
import { operation } from '../../operation.js';
import { AgentToolsAssetDefinition } from '../definitions.js';
import { assetsPrefix, teamPath } from '../parts.js';

export const AppliedAsset = z
  .object({
    kind: z.literal('AgentToolsAsset'),
    id: z.string(),
    state: z.enum(['created', 'changed', 'unchanged']),
    version: z.int().min(1).optional().describe('The published version; absent for a draft.'),
    changes: z.array(DefinitionChange).describe('At most 200.'),
  })
  .meta({ id: 'AppliedAsset' });
export type AppliedAsset = z.output<typeof AppliedAsset>;

export const applyAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.apply',
  summary: 'Apply definitions of agent-tools assets',
  description:
    'Every fault is told at once, with the path in its definition: `definitions.<index>.<member>`. A definition that is there as it is stays untouched, so a second time changes nothing.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPath,
    ...idempotent,
    apply: z
      .strictObject({
        definitions: z.array(AgentToolsAssetDefinition).min(1).max(500),
        mode: z
          .enum(applyModes)
          .default('publish')
          .describe(
            '`draft` stores assets without publishing them; `check` tells what would happen and changes nothing.',
          ),
      })
      .meta({ id: 'ApplyAssets' }),
  }),
  reply: z.object({ definitions: z.array(AppliedAsset) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: assetsPrefix, body: 'apply', headers: idempotencyHeaders },
});
