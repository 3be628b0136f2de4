/** The first step of a load: what the rows will look like. Nothing changes until the commit. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { LoadStatus, loadsPrefix, tablePath } from './admin-parts.js';

export const beginLoad = operation({
  owner: 'knowledge-models',
  name: 'knowledge.loads.begin',
  summary: 'Begin a load into a table',
  description:
    'Rows go into a new generation of the table, which takes the place of the old one at the commit. A load is kept for 24 hours.',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...tablePath,
    ...idempotent,
    begin: z
      .strictObject({
        format: z.enum(['csv', 'jsonl']),
        columns: z
          .array(z.string().min(1).max(63))
          .min(1)
          .max(1_000)
          .optional()
          .describe('Of a CSV, in the order of its values; those of the definition when absent.'),
        delimiter: z.string().length(1).default(','),
        null: z.string().max(50).default('').describe('The text without quotes that stands for no value in a CSV.'),
        mode: z.enum(['replace', 'append']).default('replace').describe('`append` keeps the rows that are there.'),
      })
      .meta({ id: 'BeginLoad' }),
  }),
  reply: LoadStatus,
  failures: ['GENERAL_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION'],
  http: { group: 'admin', method: 'post', path: loadsPrefix, body: 'begin', headers: idempotencyHeaders },
});
