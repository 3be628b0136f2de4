/** An operation that the trial process serves and the specs call. */
import { operation } from '@tessera/contracts';
import { z } from 'zod';

export const slowOperation = operation({
  owner: 'agents',
  name: 'trial.slow',
  summary: 'Answers after a while',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 10_000,
  request: z.strictObject({ waitMs: z.int() }),
  reply: z.object({ text: z.string() }),
  failures: [],
  http: { group: 'admin', method: 'get', path: '/trial' },
});
