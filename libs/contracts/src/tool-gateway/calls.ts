/** The log of calls of tools: of a team for its administrators, of a caller for itself. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { assetsPrefix, teamPathParameters } from './tools.js';

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

const callFilter = {
  assetId: z.string().min(1).max(200).optional().describe('Only calls of this asset.'),
  toolId: z.string().min(1).max(200).optional().describe('Only calls of this tool.'),
  outcome: z.string().min(1).max(100).optional().describe('Only calls that ended so.'),
  from: z.iso.datetime().optional().describe('From this instant on, UTC.'),
  to: z.iso.datetime().optional().describe('Before this instant, UTC.'),
  pageSize: z.int().min(1).max(1000).default(100).describe('Calls in a page; the newest come first.'),
  after: z.guid().optional().describe('Continues after the page that answered this as `next`.'),
};

const callPage = z.object({
  calls: z.array(ToolCall),
  next: z.guid().optional().describe('There is more: ask for it with `after`.'),
});

export const listCalls = operation({
  owner: 'tool-gateway',
  name: 'tools.calls.list',
  summary: 'List the calls of tools',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({
    ...teamPathParameters,
    subject: z.string().min(1).max(512).optional().describe('Only calls by this caller.'),
    ...callFilter,
  }),
  reply: callPage,
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: `${assetsPrefix}/calls` },
});

export const listOwnCalls = operation({
  owner: 'tool-gateway',
  name: 'tools.calls.listOwn',
  summary: "List one's own calls of tools",
  description: 'Over HTTP, over MCP and by agents that the caller talks to, as long as the log keeps them.',
  scope: 'tools:execute',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(callFilter),
  reply: callPage,
  failures: [],
  http: { group: 'B', method: 'get', path: '/studio-copilot/api/v1/tool-calls' },
});
