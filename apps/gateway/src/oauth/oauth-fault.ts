/** What OAuth answers in place of a token (RFC 6749, 5.2). Never holds anything of the request. */
import type { Failure } from '@tessera/failures';
import { toHttpStatus } from '@tessera/failures';
import type { FastifyReply } from 'fastify';
import { markup, nothing, type Html, type HtmlPage } from '../http/html-page.js';
import { destinationOf } from './redirect-address.js';

export type OAuthErrorCode =
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'insufficient_scope'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

type FaultOptions = { readonly status?: number; readonly retryAfterSeconds?: number | undefined };

export class OAuthFault extends Error {
  override readonly name = 'OAuthFault';
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  /** `description`: for who writes the client; without quotes and backslashes, as the RFC has it. */
  constructor(
    readonly error: OAuthErrorCode,
    readonly description: string,
    { status, retryAfterSeconds }: FaultOptions = {},
  ) {
    super(error);
    this.status = status ?? (error === 'invalid_client' || error === 'invalid_token' ? 401 : 400);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Of what keeps any request from its answer: too long, too many, something that is away. */
export const toOAuthFault = (failure: Failure): OAuthFault => {
  const status = toHttpStatus(failure);
  return status >= 500 || status === 429
    ? new OAuthFault('temporarily_unavailable', 'The request cannot be answered at the moment.', {
        status,
        retryAfterSeconds: failure.retryAfterSeconds ?? 1,
      })
    : new OAuthFault('invalid_request', failure.detail.replaceAll(/["\\]/g, "'"), { status });
};

export const sendOAuthFault = (reply: FastifyReply, fault: OAuthFault): FastifyReply => {
  const { error, description, status, retryAfterSeconds } = fault;
  const challenge = challengeOf(fault);
  if (challenge !== undefined) void reply.header('www-authenticate', challenge);
  if (status === 413) void reply.header('connection', 'close');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  return reply.code(status).header('cache-control', 'no-store').send({ error, error_description: description });
};

/** For the person whose browser a client has sent here. `back`: where the client wants to hear of it, if the person goes there. */
export const faultPage = (description: string, code: string, back?: string): HtmlPage => ({
  title: 'This does not go on',
  content: markup`<p>${description}</p>
<p>Go back to the application and connect again. <small>(${code})</small></p>
${back === undefined ? nothing : waysBack(back)}`,
});

const waysBack = (address: string): Html =>
  markup`<p>It wants to be told at <strong>${destinationOf(address)}</strong>, which nobody here has checked. <a href="${address}">Go there</a></p>`;

/** How to ask again: with a client, or with a token. */
const challengeOf = ({ error, status }: OAuthFault): string | undefined => {
  if (error === 'invalid_token' || error === 'insufficient_scope') return `Bearer realm="tessera", error="${error}"`;
  return status === 401 ? 'Basic realm="tessera", charset="UTF-8"' : undefined;
};
