/** Sends again what can be sent twice without harm: while the server says when, and a few times when no answer came. */
import { CallError } from '../../../api/failures.js';

const attemptsMax = 5;
const pauseMs = 500;
/** Who has to wait longer is told so. */
const waitSecondsMax = 30;

/** How long to wait after so many attempts; undefined when another one makes no sense. */
export const pauseAfter = (error: unknown, attempts: number): number | undefined => {
  if (!(error instanceof CallError) || attempts >= attemptsMax) return undefined;
  const { failure } = error;
  if (failure.kind === 'unreachable') return pauseMs * 2 ** (attempts - 1);
  if (failure.kind !== 'refused' || (failure.status !== 429 && failure.status !== 503)) return undefined;
  const { retryAfterSeconds = 0 } = failure;
  return retryAfterSeconds > waitSecondsMax ? undefined : Math.max(pauseMs * attempts, retryAfterSeconds * 1_000);
};

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

/** Throws the reason of the signal. */
export const waitFor: Wait = async (ms, signal) => {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const leave = (): void => resolve();
  signal.addEventListener('abort', leave, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', leave);
  signal.throwIfAborted();
};

export const retryTransient = async <Value>(
  act: () => Promise<Value>,
  signal: AbortSignal,
  wait: Wait = waitFor,
): Promise<Value> => {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await act();
    } catch (error) {
      const pause = signal.aborted ? undefined : pauseAfter(error, attempts);
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
};
