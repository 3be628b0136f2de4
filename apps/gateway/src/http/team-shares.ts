/**
 * Fair shares of teams: of the memory that answers hold until their readers have taken them, of the long requests on
 * their way to services, which wait here rather than in front of others on the connection to NATS, and of the parts of batches.
 */
import type { ByteReply } from '@tessera/contracts';
import { fail, type Result, succeed } from '@tessera/failures';
import { KeyedQueue, QueueRefusal, type Release, waitForEventLoopTurn } from '@tessera/fair-queue';
import { windowBytes } from '@tessera/messaging';
import type { ServerResponse } from 'node:http';

/** Units are bytes, keys are teams. */
const answerMemory = new KeyedQueue({ limit: 256 * 1024 * 1024, limitPerKey: 128 * 1024 * 1024 });
/** Shorter answers are little, and mostly gone at once. */
const shortBytes = 64 * 1024;

/** The whole, or what may be under way of its pieces; events wait in the service. */
const bytesHeldBy = ({ body, contentType }: ByteReply): number => {
  if (body instanceof Uint8Array) return body.length;
  return contentType.startsWith('text/event-stream') ? shortBytes : windowBytes;
};

/** Takes room for an answer until `raw` has done with it; false when the share of the team is used up. */
export const reserveAnswerMemory = (team: string, raw: ServerResponse, reply: ByteReply): boolean => {
  const bytes = bytesHeldBy(reply);
  if (bytes < shortBytes || raw.destroyed) return true;
  const release = answerMemory.tryAcquire(team, bytes);
  if (release) raw.once('close', release);
  else if (!(reply.body instanceof Uint8Array)) void reply.body[Symbol.asyncIterator]().return?.();
  return release !== undefined;
};

export const answerMemoryExhausted = fail(
  'SERVICE_UNAVAILABLE',
  'The team has as many answers under way as it may have; read them, and send fewer requests at the same time.',
  { retryAfterSeconds: 1 },
).failure;

/** Keys are teams. */
const longRequests = new KeyedQueue({ limit: 16, limitPerKey: 4, reserve: 4 });
const longBytes = 64 * 1024;
const waitMs = 15_000;

/**
 * The turn of a long request, from before its body is parsed until its service has begun to answer: what is made of a body takes many
 * times its bytes. Failure: SERVICE_UNAVAILABLE, when the turn does not come.
 */
export const acquireLongRequestSlot = async (
  team: string,
  bodyBytes: number,
  signal: AbortSignal,
): Promise<Result<Release>> => {
  if (bodyBytes < longBytes) return succeed(() => undefined);
  try {
    return succeed(await longRequests.acquire(team, { signal, timeoutMs: waitMs }));
  } catch (error) {
    if (error instanceof QueueRefusal) return teamBusy;
    throw error;
  }
};

const teamBusy = fail(
  'SERVICE_UNAVAILABLE',
  'The team has as many long requests under way as it may have; send fewer at the same time.',
  { retryAfterSeconds: 1 },
);

/** Parts of batches that a team has under way, in one batch or several. */
export const batchPartsPerTeam = 8;

/** Keys are teams. */
const batchParts = new KeyedQueue({ limit: 32, limitPerKey: batchPartsPerTeam, reserve: 8 });

/**
 * The turn of a part of a batch, which ends with `release`, in an iteration of the event loop of its own. Failure:
 * SERVICE_UNAVAILABLE, when it does not come before the deadline.
 */
export const acquireBatchPartSlot = async (
  team: string,
  signal: AbortSignal,
  deadlineMs: number,
): Promise<Result<Release>> => {
  try {
    const release = await batchParts.acquire(team, { signal, timeoutMs: Math.max(0, deadlineMs - Date.now()) });
    await waitForEventLoopTurn(team);
    if (!signal.aborted && Date.now() < deadlineMs) return succeed(release);
    release();
  } catch (error) {
    if (!(error instanceof QueueRefusal)) throw error;
  }
  return batchBusy;
};

const batchBusy = fail(
  'SERVICE_UNAVAILABLE',
  'The part did not begin before the deadline of its batch; send fewer parts at the same time.',
  { retryAfterSeconds: 1 },
);
