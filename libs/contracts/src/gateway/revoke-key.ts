/** Revokes an API key. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation } from '../operation.js';
import { keyId, teamId } from './parts.js';

export const revokeKey = operation({
  owner: 'gateway',
  name: 'gateway.keys.revoke',
  summary: 'Revoke an API key',
  description:
    'It stops to work at once, in every replica within 60 seconds at the latest. Revoking it again changes nothing.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({
    keyId,
    team: teamId.optional().describe('The team of the key; looked up when absent.'),
    ...idempotent,
  }),
  reply: z.object({ keyId, team: teamId, revoked: z.literal(true) }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: '/admin/keys/{keyId}/revoke', headers: idempotencyHeaders },
});
