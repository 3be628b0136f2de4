/**
 * The key under which a writing POST may be sent again: every such operation adds `...idempotent` to its request and
 * `idempotencyHeaders` to its HTTP binding. The key is no part of what is asked for.
 * Refuses: to look into keys; they are text of the caller's choice.
 */
import { z } from 'zod';
import type { HttpOperation } from './operation.js';

export const idempotencyHeader = 'idempotency-key';
/** On an answer that was kept: nothing was done again. */
export const replayedHeader = 'idempotency-replayed';

const idempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/, 'expected 1 to 255 printable ASCII characters')
  .describe(
    'Makes it safe to send the request again: for 24 hours the same key and request get the same answer, and nothing is done twice; another request under the same key gets 422. Random text that nobody can guess, e.g. a UUID, new for each request.',
  );

/** The member of a request. */
export const idempotent = { idempotencyKey: idempotencyKey.optional() };
/** Where it travels. */
export const idempotencyHeaders = { idempotencyKey: idempotencyHeader } as const;

/** Whether calls of the operation may carry a key. */
export const takesIdempotencyKey = ({ http }: Pick<HttpOperation, 'http'>): boolean =>
  Object.values(http.headers ?? {}).includes(idempotencyHeader);
