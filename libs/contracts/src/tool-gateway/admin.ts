import { z } from 'zod';
import { applyResultMembers, applyMode, applyRule, exportedDefinition } from '../definition-parts.js';
import { idempotencyHeaders, idempotent, operation } from '../operation.js';
import { AgentToolsAssetDefinition } from './definitions.js';
import { assetsPrefix, teamPath } from './tools.js';

export const AppliedAsset = z
  .object({ kind: z.literal('AgentToolsAsset'), ...applyResultMembers })
  .meta({ id: 'AppliedAsset' });
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

export const exportAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.export',
  summary: 'Export the definitions of agent-tools assets',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPath),
  reply: z.object({
    assets: z.array(exportedDefinition(AgentToolsAssetDefinition)),
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
  request: z.strictObject({ ...teamPath, assetId: z.string().min(1).max(200).describe('The asset.') }),
  reply: z.object({ deleted: z.string() }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'delete', path: `${assetsPrefix}/assets/{assetId}` },
});

const callDoors = ['http', 'mcp', 'agent'] as const;
export type CallDoor = (typeof callDoors)[number];

export const ToolCall = z
  .object({
    callId: z.guid(),
    startedAt: z.iso.datetime(),
    subject: z.string().describe('Who called.'),
    door: z.enum(callDoors),
    assetId: z.string(),
    version: z.string().describe('The number of the published version, or `draft`.'),
    digest: z.string().describe('SHA-256 of the definition that was called.'),
    toolId: z.string(),
    argumentsDigest: z.string().describe('SHA-256 of the arguments; they themselves are not kept.'),
    durationMs: z.number().min(0).optional().describe('Absent while the call runs, and when its service died.'),
    outcome: z.string().describe('`ok`, `running`, or the code of the failure.'),
    requestId: z.string(),
  })
  .meta({ id: 'ToolCall' });
export type ToolCall = z.output<typeof ToolCall>;

export const listCalls = operation({
  owner: 'tool-gateway',
  name: 'tools.calls.list',
  summary: 'List the calls of tools',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...teamPath,
    assetId: z.string().min(1).max(200).optional().describe('Only calls of this asset.'),
    toolId: z.string().min(1).max(200).optional().describe('Only calls of this tool.'),
    subject: z.string().min(1).max(512).optional().describe('Only calls by this caller.'),
    outcome: z.string().min(1).max(100).optional().describe('Only calls that ended so.'),
    from: z.iso.datetime().optional().describe('From this instant on, UTC.'),
    to: z.iso.datetime().optional().describe('Before this instant, UTC.'),
    pageSize: z.int().min(1).max(1000).default(100).describe('Calls in a page; the newest come first.'),
    after: z.guid().optional().describe('Continues after the page that answered this as `next`.'),
  }),
  reply: z.object({
    calls: z.array(ToolCall),
    next: z.guid().optional().describe('There is more: ask for it with `after`.'),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${assetsPrefix}/calls` },
});
