/**
 * The exception filter: errors of Fastify, of Nest and of bugs become failures of the catalogue. Never shows what was thrown; a
 * bug is logged with its stack under the request id.
 */
import {
  Catch,
  HttpException,
  Inject,
  NotFoundException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { fail, toHttpStatus, type Failure } from '@tessera/failures';
import { ReplyInterruptedError } from '@tessera/messaging';
import { logToken, type Log } from '@tessera/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isODataPath } from './edge-checks.js';
import { correlationIdsOf } from './request-recorder.js';
import { sendFailure } from './send-failure.js';

@Catch()
export class FailureExceptionFilter implements ExceptionFilter {
  constructor(@Inject(logToken) private readonly log: Log) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    sendFailure(request, reply, this.failureOf(error, request));
  }

  /** Also for errors of the router, which reach no filter. */
  failureOf(error: unknown, request: FastifyRequest): Failure {
    if (error instanceof FailureException) return error.failure;
    if (error instanceof ReplyInterruptedError)
      return fail('SERVICE_UNAVAILABLE', 'The answer broke off before it began.', { retryAfterSeconds: 1 }).failure;
    if (error instanceof NotFoundException) return createPathNotFoundFailure(request);
    // Nest wraps what Fastify threw.
    switch (codeOf(error instanceof HttpException ? error.cause : error)) {
      case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
        return notJson;
      case 'FST_ERR_BAD_URL':
        return fail('GENERAL_PARAMETER_ILLEGAL', 'The path is not UTF-8 in percent-encoding.').failure;
      case 'FST_ERR_MAX_PARAM_LENGTH':
        return fail('GENERAL_PARAMETER_ILLEGAL', 'A part of the path is too long.').failure;
    }
    this.log.error({ err: error, ...correlationIdsOf(request.exchange) }, 'a bug ended a request');
    return fail('ADMIN_FATAL_ERROR', 'The request ended in an internal error.').failure;
  }
}

/** A method that the path does not take, or a path that is not served. */
export const createPathNotFoundFailure = ({ exchange, method }: FastifyRequest): Failure => {
  const { path, edge } = exchange;
  const served = edge.servedPaths.find(path);
  if (served && !served.methods.includes(method)) {
    const methods = served.methods.join(', ');
    const detail = served.http?.isMcp ? mcpPostOnly : `${path} takes ${methods}, not ${method}.`;
    return fail('GENERAL_METHOD_NOTALLOWED', detail).failure;
  }
  // HEAD has the headers of GET, that of the length as well.
  const message = `There is no ${method === 'HEAD' ? 'GET' : method} ${path}`;
  return fail('GENERAL_NOTFOUND_PATH', isODataPath(path) ? `${message}; ${odataPathsHint}` : message).failure;
};

const mcpPostOnly = 'An MCP server is spoken to by POST alone; it has no sessions and sends nothing unasked.';

const odataPathsHint =
  'what is there is read by GET: MODEL.svc/, and behind it $metadata, RECORD_entries, RECORD_entries/$count and RECORD_entries(KEY).';

export const { failure: notJson } = fail('GENERAL_MEDIATYPE_UNSUPPORTED', 'The body is not application/json.');

/** What keeps a request from its answer: a guard or a body throws it, `FailureExceptionFilter` sends it. */
export class FailureException extends HttpException {
  constructor(readonly failure: Failure) {
    super(failure.code, toHttpStatus(failure));
  }
}

/** Fastify's errors are no native errors, so only the member tells. */
const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
