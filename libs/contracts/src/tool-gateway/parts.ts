/** The pieces that the operations of agent tools share. Refuses: operations (one file each). */
import { z } from 'zod';
import { teamId } from '../gateway/parts.js';

export const mcpPrefix = '/studio-copilot/api/v1/mcp-servers/mcp';

export const assetPath = { asset_id: z.string().min(1).max(200).describe('The id of the asset.') };
export const draft = z.boolean().default(false).describe('The draft of the asset instead of what is published.');

export const teamPath = { team: teamId };
export const assetsPrefix = '/admin/teams/{team}/tools';

/** What keeps a call from its tool, or its result from the caller. */
export const toolCallFailures = [
  'TOOL_ASSET_NOTFOUND',
  'TOOL_NOTFOUND',
  'TOOL_ARGUMENTS_INVALID',
  'TOOL_FAILED',
  'TOOL_RESULT_INVALID',
  'LIMIT_ASSET_EXCEEDED',
] as const;
