/**
 * `@Op(operation)`: a controller method becomes the route of an operation, behind its guards. The method gets the parsed
 * request, the frame and a signal that the client has left; what it answers goes out as bytes or as the failure of the
 * route's group.
 */
import { applyDecorators, Delete, Get, Post, Put, Req, Res, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ByteReply, CallFrame, HttpOperation, ReplyOf, RequestOf } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import type { Release } from '@tessera/fair-queue';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CredentialGuard } from '../auth/credential.guard.js';
import { ScopeGuard } from '../auth/scope.guard.js';
import { SignInGuard } from '../auth/sign-in.guard.js';
import { RateLimitGuard } from '../auth/rate-limit.guard.js';
import { OriginGuard } from '../mcp/origin.guard.js';
import { ApiContract } from '../openapi/document.js';
import { createRequestBuilder } from './build-request.js';
import { FailureException } from './catch-failures.js';
import { isBatchPart } from './edge-checks.js';
import { acquireLongRequestSlot, answerMemoryExhausted, reserveAnswerMemory } from './team-shares.js';
import { readBody } from './read-body.js';
import { toNestPath } from './router-path.js';
import { sendFailure } from './send-failure.js';
import { createJsonByteReply, createDisconnectSignal, sendByteReply } from './send-reply.js';

const decoratorByMethod = { get: Get, post: Post, put: Put, delete: Delete };

type Method<O extends HttpOperation> = (
  input: RequestOf<O>,
  frame: CallFrame,
  leaving: AbortSignal,
  /** For what makes further requests of it. */
  request: FastifyRequest,
) => Promise<Result<ByteReply | ReplyOf<O>>>;

export const OperationRoute =
  <O extends HttpOperation>(operation: O) =>
  <M extends Method<O>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    const method = descriptor.value;
    if (!method) throw new Error(`${key} is no method, so it cannot serve ${operation.name}.`);
    const { http } = operation;
    const build = createRequestBuilder(operation);
    const handle = async function (this: object, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { exchange } = request;
      const { frame } = exchange;
      if (!frame) throw new Error(`${operation.name} was reached without a caller.`);
      const leaving = createDisconnectSignal(reply.raw);
      let endTurn: Release | undefined;
      const awaitTurn = async (bytes: number): Promise<void> => {
        const turn = await acquireLongRequestSlot(frame.caller.team, bytes, leaving);
        if (!turn.ok) throw new FailureException(turn.failure);
        endTurn = turn.value;
      };
      const call = async (): Promise<Result<ByteReply | ReplyOf<O>>> => {
        const body = http.method === 'get' ? undefined : await readBody(request, awaitTurn);
        const built = await build(httpPartsOf(request, body));
        return built.ok ? method.call(this, built.value, frame, leaving, request) : built;
      };
      const result = await call().finally(() => endTurn?.());
      if (!result.ok) return sendFailure(request, reply, result.failure);
      const value = isByteReply(result.value) ? result.value : createJsonByteReply(result.value);
      if (!reserveAnswerMemory(frame.caller.team, reply.raw, value))
        return sendFailure(request, reply, answerMemoryExhausted);
      exchange.outcome = 'ok';
      await sendByteReply(request, reply, value);
    };
    Object.assign(descriptor, { value: handle });
    Req()(target, key, 0);
    Res()(target, key, 1);
    applyDecorators(
      decoratorByMethod[http.method](toNestPath(http.path)),
      RouteConfig({ operation }),
      ApiContract(operation),
      UseGuards(...guardsOf(http)),
    )(target, key, descriptor);
  };

const guardsOf = ({ isMcp, isSignIn }: HttpOperation['http']) =>
  isSignIn ? [SignInGuard] : [...(isMcp ? [OriginGuard] : []), CredentialGuard, RateLimitGuard, ScopeGuard];

const httpPartsOf = (request: FastifyRequest, body: unknown) => ({
  params: request.params as Record<string, string>,
  url: request.raw.url ?? '',
  headers: request.headers,
  body,
  team: request.exchange.frame?.caller.team ?? '',
  isIgnored: request.exchange.edge.isIgnoredParameter,
  isPart: isBatchPart(request.raw),
});

const isByteReply = (value: unknown): value is ByteReply =>
  typeof value === 'object' && value !== null && 'contentType' in value && 'body' in value;
