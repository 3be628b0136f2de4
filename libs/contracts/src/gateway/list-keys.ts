/** Lists the API keys of a team. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { ApiKey, teamId } from './parts.js';

export const listKeys = operation({
  owner: 'gateway',
  name: 'gateway.keys.list',
  summary: 'List the API keys of a team',
  description: 'The newest first, expired and revoked ones as well.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({ team: teamId }),
  reply: z.object({ team: teamId, keys: z.array(ApiKey) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'get', path: '/admin/keys' },
});
