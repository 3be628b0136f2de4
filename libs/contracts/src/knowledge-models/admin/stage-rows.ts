/** A step of a load: whole lines of the file, at most a request's size at once. Sending it again is harmless. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { loadPath, loadsPrefix } from './admin-parts.js';

export const stageRows = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.stage',
  summary: 'Stage rows of a load',
  description: 'The lines of a batch are stored together or not at all; a bad value is told with its line and column.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...loadPath,
    ...idempotent,
    batch: z
      .strictObject({
        ordinal: z
          .int()
          .min(0)
          .max(100_000_000)
          .describe('The place of the batch in the load, from 0; batches may come at once.'),
        firstLine: z
          .int()
          .min(1)
          .max(Number.MAX_SAFE_INTEGER)
          .describe('The line of the file at which the text begins.'),
        text: z.string().min(1).max(1_000_000).describe('Lines without the header, each with its end.'),
      })
      .meta({ id: 'StageRows' }),
  }),
  reply: z.object({ rows: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'GENERAL_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${loadsPrefix}/{loadId}/rows`,
    body: 'batch',
    headers: idempotencyHeaders,
  },
});
