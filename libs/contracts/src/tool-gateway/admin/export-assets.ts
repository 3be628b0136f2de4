/** What a team has: every asset as it was applied. */
import { z } from 'zod';
import { exported } from '../../definition-parts.js';
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
    assets: z.array(exported(AgentToolsAssetDefinition)),
  }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: assetsPrefix },
});
