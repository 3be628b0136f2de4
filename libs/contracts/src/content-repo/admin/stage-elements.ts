/** A step of an import: elements in the order of the files, at most a request's size at once. Sending it again is harmless. */
import { z } from 'zod';
import { idempotencyHeaders, idempotent } from '../../idempotency.js';
import { operation } from '../../operation.js';
import { ElementDocument } from '../definitions.js';
import { importPath, importsPrefix } from './admin-parts.js';

export const stagedElementsMax = 5_000;

export const stageElements = operation({
  owner: 'content-repo',
  name: 'content.imports.stage',
  summary: 'Stage elements of an import',
  scope: 'admin',
  effect: 'write',
  timeoutMs: 20_000,
  request: z.strictObject({
    ...importPath,
    ...idempotent,
    batch: z
      .strictObject({
        firstOrdinal: z
          .int()
          .min(0)
          .max(1_000_000_000)
          .describe('The place of the first element in the whole import, from 0.'),
        elements: z.array(ElementDocument).min(1).max(stagedElementsMax),
      })
      .meta({ id: 'StageElements' }),
  }),
  reply: z.object({ staged: z.int().min(0).max(stagedElementsMax) }),
  failures: ['CONTENT_NOTFOUND', 'GENERAL_CONSTRAINT_VIOLATION', 'CONTENT_CONFLICT'],
  http: {
    group: 'admin',
    method: 'post',
    path: `${importsPrefix}/{importId}/elements`,
    body: 'batch',
    headers: idempotencyHeaders,
  },
});
