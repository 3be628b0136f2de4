/** An operation that the trial process serves and the specs call. */
import { operation } from '@tessera/contracts';
import { z } from 'zod';

export const slowOperation = operation({
  owner: 'agents',
  name: 'trial.slow',
  summary: 'Answers when the parent process says so',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 600_000,
  request: z.strictObject({}),
  reply: z.object({ text: z.string() }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/trial' },
});
