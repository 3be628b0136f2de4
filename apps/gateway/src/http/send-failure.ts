/**
 * A failure as an answer: status, media type and body by the group of the route. Never says in group A what was not found: the
 * message names the path alone, so that another team's element does not differ from one that does not exist.
 */
import { canCall, type HttpBinding } from '@tessera/contracts';
import {
  toCompletionError,
  toErrorDto,
  toODataError,
  fail,
  type Failure,
  toOperationResult,
  toProblem,
  toHttpStatus,
  toValidationErrors,
} from '@tessera/failures';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptsBasicAuth } from '../auth/credential.guard.js';
import { isBrowserPageRequest } from '../auth/session-cookie.js';
import { resourceMetadataUrlOf, resourceScopes } from '../mcp/protected-resource.js';
import { isODataPath } from './edge-checks.js';
import { sendBeforeRequestEnds, sendWholeBody } from './send-reply.js';

type FailureAnswer = { readonly status: number; readonly contentType: string; readonly body: string };

const jsonType = 'application/json; charset=utf-8';
const problemJson = 'application/problem+json; charset=utf-8';

/** Without a binding the path is unknown or public. */
export const toFailureAnswer = (
  failure: Failure,
  http: Pick<HttpBinding, 'group' | 'isOData' | 'isCompletion'> | undefined,
  path: string,
): FailureAnswer => {
  const status = toHttpStatus(failure);
  const answer = (contentType: string, body: unknown): FailureAnswer => ({
    status,
    contentType,
    body: JSON.stringify(body),
  });
  switch (http?.group) {
    case 'A':
      return answer(jsonType, toOperationResult(failure.code === 'CONTENT_NOTFOUND' ? nothingFoundAt(path) : failure));
    case 'D':
      return answer(problemJson, http.isOData ? toODataError(failure) : toErrorDto(failure));
    case 'B':
      return status === 422
        ? answer(jsonType, toValidationErrors(failure))
        : answer(problemJson, toProblem(failure, path));
    case 'C':
      return http.isCompletion
        ? answer(jsonType, toCompletionError(failure))
        : answer(problemJson, toProblem(failure, path));
    case 'admin':
    case undefined:
      return answer(problemJson, toProblem(failure, path));
  }
};

const odataGroup = { group: 'D', isOData: true } as const;

export const sendFailure = (request: FastifyRequest, reply: FastifyReply, failure: Failure): void => {
  const { exchange } = request;
  const served = toHttpStatus(failure) === 405 ? exchange.edge.servedPaths.find(exchange.path) : undefined;
  const http = exchange.operation?.http ?? served?.http ?? (isODataPath(exchange.path) ? odataGroup : undefined);
  const { status, contentType, body } = toFailureAnswer(failure, http, exchange.path);
  const isPlainJson = http?.isOData && /\bapplication\/json\b/i.test(request.headers.accept ?? '');
  exchange.outcome = failure.code;
  const headers: string[] = [];
  const waitSeconds = failure.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (waitSeconds !== undefined) headers.push('Retry-After', String(waitSeconds));
  const challenge = challengeOf(request, status);
  if (challenge !== undefined) headers.push('WWW-Authenticate', challenge);
  if (served) headers.push('Allow', served.methods.join(', '));
  if (http?.isOData) headers.push('OData-Version', request.headers['odata-maxversion'] === '4.0' ? '4.0' : '4.01');
  // Clients of OData that ask for JSON by its name read an error of no other type.
  if (status === 413) headers.push('Connection', 'close');
  const send = isBodyUnread(request) ? sendBeforeRequestEnds : sendWholeBody;
  send(request, reply, status, isPlainJson ? jsonType : contentType, body, headers);
};

const isBodyUnread = ({ raw, headers }: FastifyRequest): boolean =>
  !raw.complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0);

const nothingFoundAt = (path: string): Failure => fail('CONTENT_NOTFOUND', `There is nothing at ${path}`).failure;

const realm = 'realm="tessera"';
const keyChallenge = `AppKey ${realm}`;
const plainChallenge = `Bearer ${realm}, ${keyChallenge}`;
const basicChallenge = `${plainChallenge}, Basic ${realm}, charset="UTF-8"`;

/** The header WWW-Authenticate. Never distinguishes a wrong credential from a missing one. */
const challengeOf = (request: FastifyRequest, status: number): string | undefined => {
  if (status !== 401 && status !== 403) return undefined;
  const { operation, frame } = request.exchange;
  if (!operation?.http.isMcp) {
    if (status !== 401) return undefined;
    // A browser would ask for name and password itself, over the page that can sign in.
    return acceptsBasicAuth(operation?.http) && !isBrowserPageRequest(request) ? basicChallenge : plainChallenge;
  }
  const where = `resource_metadata="${resourceMetadataUrlOf(request, operation.http)}"`;
  if (status === 401) return `Bearer ${realm}, ${where}, scope="${resourceScopes.join(' ')}", ${keyChallenge}`;
  if (frame === undefined || canCall(frame.caller, operation)) return undefined;
  return `Bearer ${realm}, error="insufficient_scope", scope="${operation.scope}", ${where}`;
};
