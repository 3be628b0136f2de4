/**
 * The ids of a request: X-Request-Id and the W3C trace context are taken over when they are well formed, else made.
 * Refuses: to pass on what a log or a header could not carry.
 */
import { randomBytes, randomUUID } from 'node:crypto';

const acceptedId = /^[A-Za-z0-9._-]{1,128}$/;
const acceptedTrace = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export const requestIdOf = (received: string | string[] | undefined): string =>
  typeof received === 'string' && acceptedId.test(received) ? received : randomUUID();

/** A made trace is not sampled: only who asks for a trace gets one. */
export const traceparentOf = (received: string | string[] | undefined): string =>
  typeof received === 'string' && acceptedTrace.test(received) ? received : madeTraceparent();

// Random bytes are bought in bulk; one system call for 128 traces.
const traceBytes = 24;
let pool = '';
let used = 0;

const madeTraceparent = (): string => {
  if (used >= pool.length) {
    pool = randomBytes(traceBytes * 128).toString('hex');
    used = 0;
  }
  const made = `00-${pool.slice(used, used + 32)}-${pool.slice(used + 32, used + 48)}-00`;
  used += traceBytes * 2;
  return made;
};
