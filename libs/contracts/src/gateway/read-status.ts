/** Tells how the platform is. */
import { z } from 'zod';
import { operation } from '../operation.js';

const state = z.enum(['up', 'down']);

export const readStatus = operation({
  owner: 'gateway',
  name: 'gateway.status.read',
  summary: 'Tell how the platform is',
  description: 'The gateway that answers, what it depends on, and the services that answer it at this moment.',
  scope: 'admin',
  effect: 'read',
  timeoutMs: 10_000,
  request: z.strictObject({}),
  reply: z.object({
    version: z.string(),
    uptimeSeconds: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
    dependencies: z.record(z.string(), state),
    services: z.record(z.string(), state),
  }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/admin/status' },
});
