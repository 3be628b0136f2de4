/** The tools of an agent as an OpenAPI document, for its caller. */
import { z } from 'zod';
import { operation, rendered } from '../operation.js';
import { agentPath, agentPrefix, draft } from './parts.js';

export const specVersions = ['3.0', '3.1'] as const;

export const specifyTools = operation({
  owner: 'agents',
  name: 'agents.tools.spec',
  summary: "Read the OpenAPI specification of an agent's tools",
  description: 'One POST operation for each tool, with the schemas that it has for its caller.',
  scope: 'agents:execute',
  effect: 'read',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...agentPath,
    draft,
    version: z.enum(specVersions).default('3.0').describe('Of OpenAPI: 3.0 (3.0.3) or 3.1 (3.1.1).'),
  }),
  reply: rendered(z.record(z.string(), z.unknown())),
  failures: ['AGENT_NOTFOUND'],
  http: { group: 'C', method: 'get', path: `${agentPrefix}/tools/spec` },
});
