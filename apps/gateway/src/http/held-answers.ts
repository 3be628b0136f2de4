/** What answers hold in this process until their readers have taken them, shared fairly among the teams of the callers. */
import type { ByteReply } from '@tessera/contracts';
import { KeyedQueue } from '@tessera/fair-queue';
import { fail } from '@tessera/failures';
import { windowBytes } from '@tessera/messaging';
import type { ServerResponse } from 'node:http';

/** Units are bytes, keys are teams. */
const queue = new KeyedQueue({ limit: 256 * 1024 * 1024, limitPerKey: 128 * 1024 * 1024 });
/** Shorter answers are little, and mostly gone at once. */
const shortBytes = 64 * 1024;

/** The whole, or what may be under way of its pieces; events wait in the service. */
const bytesHeldBy = ({ body, contentType }: ByteReply): number => {
  if (body instanceof Uint8Array) return body.length;
  return contentType.startsWith('text/event-stream') ? shortBytes : windowBytes;
};

/** Takes room for an answer until `raw` has done with it; false when the share of the team is used up. */
export const takeShare = (team: string, raw: ServerResponse, reply: ByteReply): boolean => {
  const bytes = bytesHeldBy(reply);
  if (bytes < shortBytes || raw.destroyed) return true;
  const release = queue.tryAcquire(team, bytes);
  if (release) raw.once('close', release);
  else if (!(reply.body instanceof Uint8Array)) void reply.body[Symbol.asyncIterator]().return?.();
  return release !== undefined;
};

export const shareUsedUp = fail(
  'SERVICE_UNAVAILABLE',
  'The team has as many answers under way as it may have; read them, and send fewer requests at the same time.',
  { retryAfterSeconds: 1 },
).failure;
