/** Issues an API key. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../idempotency.js';
import { operation } from '../operation.js';
import { keyId, NewKey } from './parts.js';

export const createKey = operation({
  owner: 'gateway',
  name: 'gateway.keys.create',
  summary: 'Issue an API key',
  description:
    'The key is in this answer and nowhere else, but for the same answer under an Idempotency-Key, which is kept encrypted under that key: whoever knows it may ask for 24 hours. Several keys of a team may live at once, so that they can be rotated.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ key: NewKey, ...idempotent }),
  reply: z.object({ keyId, key: z.string().describe('The whole key; it cannot be had again.') }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: '/admin/keys', body: 'key', headers: idempotencyHeaders },
});
