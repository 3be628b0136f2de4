import { z } from 'zod';
import {
  applyResultMembers,
  applyModeParameter,
  applyOperationDescription,
  exportedDefinitionSchema,
} from '../definition-parts.js';
import { idempotencyHeaders, idempotencyParameter, operation } from '../operation.js';
import { AgentToolsAssetDefinition } from './definitions.js';
import { assetsPrefix, teamPathParameters } from './tools.js';

export const AppliedAsset = z
  .object({ kind: z.literal('AgentToolsAsset'), ...applyResultMembers })
  .meta({ id: 'AppliedAsset' });
export type AppliedAsset = z.output<typeof AppliedAsset>;

export const applyAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.apply',
  summary: 'Apply definitions of agent-tools assets',
  description: applyOperationDescription,
  scope: 'admin',
  effect: 'write',
  timeoutMs: 25_000,
  request: z.strictObject({
    ...teamPathParameters,
    ...idempotencyParameter,
    apply: z
      .strictObject({
        definitions: z.array(AgentToolsAssetDefinition).min(1).max(500),
        mode: applyModeParameter('assets'),
      })
      .meta({ id: 'ApplyAssets' }),
  }),
  reply: z.object({ definitions: z.array(AppliedAsset) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: assetsPrefix,
    body: 'apply',
    hasLargeBody: true,
    headers: idempotencyHeaders,
  },
});

export const exportAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.export',
  summary: 'Export the definitions of agent-tools assets',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPathParameters),
  reply: z.object({
    assets: z.array(exportedDefinitionSchema(AgentToolsAssetDefinition)),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: assetsPrefix },
});

/** An asset goes with its draft and its versions; the log of its calls stays. */
export const deleteAsset = operation({
  owner: 'tool-gateway',
  name: 'tools.assets.delete',
  summary: 'Delete an agent-tools asset',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ ...teamPathParameters, assetId: z.string().min(1).max(200).describe('The asset.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${assetsPrefix}/assets/{assetId}` },
});
