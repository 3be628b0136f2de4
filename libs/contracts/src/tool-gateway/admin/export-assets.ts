/** What a team has: every asset as it was applied. */
import { z } from 'zod';
import { operation } from '../../operation.js';
import { AgentToolsAssetDefinition } from '../definitions.js';
import { assetsPrefix, teamPath } from '../parts.js';

export const exportAssets = operation({
  owner: 'tool-gateway',
  name: 'tools.definitions.export',
  summary: 'Export the definitions of agent-tools assets',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject(teamPath),
  reply: z.object({
    assets: z.array(
      z.object({
        id: z.string(),
        version: z.int().min(1).optional().describe('The published version; absent when there is a draft only.'),
        digest: z.string().optional().describe('SHA-256 of what is published.'),
        publishedAt: z.iso.datetime().optional(),
        definition: AgentToolsAssetDefinition.optional().describe('As it is published.'),
        draft: AgentToolsAssetDefinition.optional().describe('When it differs from what is published.'),
      }),
    ),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: assetsPrefix },
});
