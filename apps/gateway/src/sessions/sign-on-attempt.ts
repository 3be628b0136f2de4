/** What the browser keeps while the person is at the issuer, as a cookie that the way back from there carries. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { cookieOf, cookieValuesIn } from '../auth/session-cookie.js';
import { publicUrlOf } from '../http/exchange.js';
import { localPathOf } from './local-path.js';

export const attemptSeconds = 600;

const SignOnAttempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string().transform(localPathOf),
  startedAtMs: z.number(),
});
export type SignOnAttempt = z.output<typeof SignOnAttempt>;

/** `Set-Cookie`. */
export const attemptCookieOf = (request: FastifyRequest, attempt: SignOnAttempt): string => {
  const text = Buffer.from(JSON.stringify(attempt)).toString('base64url');
  return cookieOf(publicUrlOf(request), 'attempt', text, { maxAgeSeconds: attemptSeconds, sameSite: 'Lax' });
};

export const endedAttemptCookieOf = (request: FastifyRequest): string =>
  cookieOf(publicUrlOf(request), 'attempt', '', { maxAgeSeconds: 0, sameSite: 'Lax' });

/** Undefined when there is none, or when it began too long ago. */
export const attemptIn = (request: FastifyRequest): SignOnAttempt | undefined => {
  const [text, ...others] = cookieValuesIn(request, 'attempt');
  if (text === undefined || others.length > 0) return undefined;
  try {
    const attempt = SignOnAttempt.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return Date.now() - attempt.startedAtMs <= attemptSeconds * 1_000 ? attempt : undefined;
  } catch {
    return undefined;
  }
};
