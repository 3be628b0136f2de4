/** Assets of a team as its files say them: all of a request take effect, or none. */
import { z } from 'zod';
import { applied, applyMode, applyRule } from '../../definition-parts.js';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { AgentToolsAssetDefinition } from '../definitions.js';
import { assetsPrefix, teamPath } from '../parts.js';

export const AppliedAsset = z.object({ kind: z.literal('AgentToolsAsset'), ...applied }).meta({ id: 'AppliedAsset' });
export type AppliedAsset = z.output<typeof AppliedAsset>;

export const applyAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.apply',
  summary: 'Apply definitions of agent-tools assets',
  description: applyRule,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPath,
    ...idempotent,
    apply: z
      .strictObject({
        definitions: z.array(AgentToolsAssetDefinition).min(1).max(500),
        mode: applyMode('assets'),
      })
      .meta({ id: 'ApplyAssets' }),
  }),
  reply: z.object({ definitions: z.array(AppliedAsset) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: { group: 'admin', method: 'post', path: assetsPrefix, body: 'apply', headers: idempotencyHeaders },
});
