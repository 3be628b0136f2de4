/** Issues an API key. */
import { z } from 'zod';
import { operation } from '../operation.js';
import { keyId, NewKey } from './parts.js';

export const createKey = operation({
  owner: 'gateway',
  name: 'gateway.keys.create',
  summary: 'Issue an API key',
  description:
    'The key is in this answer and nowhere else; several keys of a team may live at once, so that they can be rotated.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ key: NewKey }),
  reply: z.object({ keyId, key: z.string().describe('The whole key; it cannot be had again.') }),
  failures: ['GENERAL_NOTFOUND'],
  http: { group: 'admin', method: 'post', path: '/admin/keys', body: 'key' },
});
