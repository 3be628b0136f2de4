/**
 * Long requests on their way to services, shared fairly among teams: they wait here rather than in front of what others send
 * over the same connection to NATS.
 */
import { KeyedQueue, QueueRefusal } from '@tessera/fair-queue';
import { fail, type Result } from '@tessera/failures';

/** Keys are teams. */
const queue = new KeyedQueue({ limit: 16, limitPerKey: 4, reserve: 4 });
const longBytes = 64 * 1024;
const waitMs = 15_000;

/** Runs `call` in the turn of the team when its body is long. Failure: SERVICE_UNAVAILABLE, when its turn does not come. */
export const callInTurn = async <T>(
  team: string,
  bodyBytes: number,
  signal: AbortSignal,
  call: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  if (bodyBytes < longBytes) return call();
  try {
    const endTurn = await queue.acquire(team, { signal, timeoutMs: waitMs });
    return await call().finally(endTurn);
  } catch (error) {
    if (error instanceof QueueRefusal) return busy;
    throw error;
  }
};

const busy = fail(
  'SERVICE_UNAVAILABLE',
  'The team has as many long requests under way as it may have; send fewer at the same time.',
  { retryAfterSeconds: 1 },
);
