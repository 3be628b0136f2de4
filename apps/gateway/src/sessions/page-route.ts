/**
 * Routes of pages for people: what is asked for in the query, forms that come from these pages alone, and a page for whatever goes wrong.
 * They are public: nobody is signed in yet.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { toHttpStatus, type Failure } from '@tessera/failures';
import { toOutageFailure } from '@tessera/persistence';
import type { Log } from '@tessera/service-kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, cookieValuesIn, originFault } from '../auth/session-cookie.js';
import { FailureException } from '../http/catch-failures.js';
import { publicUrlOf } from '../http/exchange.js';
import { markup, nothing, sendPage } from '../http/html-page.js';
import { getFormValue, readForm, findRepeatedName } from '../http/read-form.js';
import { correlationIdsOf } from '../http/request-recorder.js';
import { localPathOf } from './local-path.js';
import { attemptIn } from './sign-on-attempt.js';
import { SignOnFault } from './sign-on-fault.js';

export const signInPath = '/sign-in';
export const signOutPath = '/sign-out';

const bodyBytesMax = 16 * 1024;
const formLifeSeconds = 3_600;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** Ends a request with a page. */
export class PageFault extends Error {
  override readonly name = 'PageFault';

  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(title);
  }
}

export const faultOfFailure = (failure: Failure): PageFault =>
  new PageFault(
    toHttpStatus(failure),
    failure.retryAfterSeconds === undefined ? 'This is not possible' : 'This is not possible at the moment',
    failure.detail ?? '',
    failure.retryAfterSeconds,
  );

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

export const addPage = (
  fastify: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  handle: Handle,
  log: Log,
): void =>
  void fastify.route({
    ...{ url, method, bodyLimit: bodyBytesMax },
    handler: async (request, reply) => {
      // Pages begin and end things: who asks for the head alone does neither.
      if (request.method === 'HEAD') return sendPage(reply, { title: 'Sign in', content: nothing });
      await handle(request, reply);
      return reply;
    },
    errorHandler: (error, request, reply) => void sendFault(reply, request, faultOf(error, request, log)),
  });

const faultOf = (error: unknown, { exchange }: FastifyRequest, log: Log): PageFault => {
  if (error instanceof PageFault) return error;
  if (error instanceof SignOnFault) {
    log.warn({ ...correlationIdsOf(exchange), reason: error.reason }, 'a sign-in at the issuer came to nothing');
    return new PageFault(error.status, 'The sign-in did not work', error.detail);
  }
  if (error instanceof FailureException) return faultOfFailure(error.failure);
  const outage = toOutageFailure(error);
  if (outage) return faultOfFailure(outage);
  log.error({ err: error, ...correlationIdsOf(exchange) }, 'a bug ended a request');
  return new PageFault(500, 'Something went wrong', 'The request ended in an internal error.');
};

const sendFault = (reply: FastifyReply, request: FastifyRequest, fault: PageFault): FastifyReply => {
  const { status, title, detail, retryAfterSeconds } = fault;
  if (status === 413) void reply.header('connection', 'close');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  const again = `${signInPath}?next=${encodeURIComponent(nextOf(request))}`;
  const content = markup`<p role="alert">${detail}</p>
    <p><a href="${again}">Sign in again</a></p>
    <p>Request <code>${request.exchange.requestId}</code></p>`;
  return sendPage(reply, { title, content }, status);
};

export const queryOf = ({ raw }: FastifyRequest): URLSearchParams => {
  const { url = '' } = raw;
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
};

/** Where the person wants to go, also when the issuer sends the person back. */
export const nextOf = (request: FastifyRequest): string =>
  localPathOf(queryOf(request).get('next') ?? attemptIn(request)?.next);

export const seeOther = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).header('location', address).header('cache-control', 'no-store').send();

/** Whether another site has led the browser here: it keeps the cookie of the session back then. */
export const comesFromElsewhere = ({ headers }: FastifyRequest): boolean => {
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
};

/** For a form of the answer: one for all that the browser has open, in a cookie as well. */
export const formTokenFor = (request: FastifyRequest, reply: FastifyReply): string => {
  const [kept = ''] = cookieValuesIn(request, 'form');
  const token = secretPattern.test(kept) ? kept : randomBytes(32).toString('base64url');
  addCookie(reply, cookieOf(publicUrlOf(request), 'form', token, { maxAgeSeconds: formLifeSeconds }));
  return token;
};

export const addCookie = (reply: FastifyReply, cookie: string): void => void reply.header('set-cookie', cookie);

/** `isOurs`: whether the form is one of a page that this browser got from here. Throws a PageFault for what is none at all. */
export const formOf = async (
  request: FastifyRequest,
): Promise<{ readonly form: URLSearchParams; readonly isOurs: boolean }> => {
  const fault = originFault(request);
  if (fault) throw new PageFault(403, 'This form comes from elsewhere', fault.detail ?? '');
  const form = await readForm(request);
  if (!form || findRepeatedName(form) !== undefined)
    throw new PageFault(400, 'This is no form of ours', 'Expected a form in UTF-8 with each field once.');
  const given = Buffer.from(getFormValue(form, 'formToken') ?? '');
  const isOurs = cookieValuesIn(request, 'form').some((kept) => {
    const expected = Buffer.from(kept);
    return secretPattern.test(kept) && expected.length === given.length && timingSafeEqual(expected, given);
  });
  return { form, isOurs };
};
