/**
 * The ids of a request: X-Request-Id and the W3C trace context are taken over when they are well formed, else made.
 * Refuses: to pass on what a log or a header could not carry.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { isTraceparent } from '@tessera/messaging';

const acceptedId = /^[A-Za-z0-9._-]{1,128}$/;

export const requestIdOf = (received: string | string[] | undefined): string =>
  typeof received === 'string' && acceptedId.test(received) ? received : randomUUID();

export const acceptedTraceparent = (received: string | string[] | undefined): string | undefined =>
  typeof received === 'string' && isTraceparent(received) ? received : undefined;

// Random bytes are bought in bulk; one system call for 128 traces.
const traceBytes = 24;
let pool = '';
let used = 0;

/** Of a trace that nobody collects: it holds log lines together. */
export const madeTraceparent = (): string => {
  if (used >= pool.length) {
    pool = randomBytes(traceBytes * 128).toString('hex');
    used = 0;
  }
  const made = `00-${pool.slice(used, used + 32)}-${pool.slice(used + 32, used + 48)}-00`;
  used += traceBytes * 2;
  return made;
};
