/**
 * A batch of OData requests: each part goes through the server as a request of its own, with its guards, its place in the rate
 * limit, its bounds and its record. A few parts run side by side within the share of their team, each begins in an iteration
 * of the event loop of its own, and they are answered as they end; the bytes of one that is longer than its buffer wait until
 * it is written. Never goes on when bytes broke off inside a part.
 */
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ByteReply, CallFrame, RequestOf } from '@tessera/contracts';
import { fillPath } from '@tessera/contracts';
import { type BatchPart, odataPrefix, type sendODataBatch } from '@tessera/contracts/knowledge-models';
import { fail, type Failure, type Result, succeed } from '@tessera/failures';
import { settingsToken } from '@tessera/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setMaxListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { RateLimitGuard } from '../auth/rate-limit.guard.js';
import type { GatewayConfiguration } from '../configuration.js';
import { publicUrlOf } from '../http/exchange.js';
import { toFailureAnswer } from '../http/send-failure.js';
import { acquireBatchPartSlot, batchPartsPerTeam } from '../http/team-shares.js';
import {
  type BatchFormat,
  jsonBatchFormat,
  createMultipartBatchFormat,
  type BatchPartAnswer,
} from './batch-formats.js';
import { checkBatch, filterPartHeaders, type ServiceAddress, resolvePartTarget } from './check-batch.js';
import { isMultipart } from './multipart-batch.js';

type BegunAnswer = BatchPartAnswer & {
  /** Gives back the share of the team, and ends what was not read. */
  readonly release: () => void;
};

type AnsweredPart = { readonly part: BatchPart; readonly answer: BegunAnswer };

type BatchRun = {
  readonly request: FastifyRequest;
  readonly team: string;
  readonly service: ServiceAddress;
  readonly format: BatchFormat;
  readonly goesOn: boolean;
  /** Aborted when nobody waits for the answers any more. */
  readonly signal: AbortSignal;
  /** No part begins later. */
  readonly deadlineMs: number;
  /** Outcomes by the ids of parts and groups: true for success. */
  readonly outcomes: Map<string, Promise<boolean>>;
  readonly parts: readonly BatchPart[];
  /** The place of the first part that failed. */
  failedAt: number;
};

type PartRequest = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

const ignoreFailure = (): void => undefined;

const odataGroup = { group: 'D', isOData: true } as const;

@Injectable()
export class ODataBatch {
  readonly #keyHeaders: readonly string[];

  constructor(
    private readonly server: HttpAdapterHost,
    private readonly rateLimit: RateLimitGuard,
    @Inject(settingsToken) { APP_KEY_HEADERS }: GatewayConfiguration,
  ) {
    this.#keyHeaders = APP_KEY_HEADERS.map((name) => name.toLowerCase());
  }

  send(
    { km_id, prefer, batch: { requests: parts } }: RequestOf<typeof sendODataBatch>,
    { caller, deadlineMs }: CallFrame,
    leaving: AbortSignal,
    request: FastifyRequest,
  ): Result<ByteReply> {
    const failure = checkBatch(parts);
    if (failure) return { ok: false, failure };
    const left = new AbortController();
    setMaxListeners(0, left.signal);
    leaving.addEventListener('abort', () => left.abort(), { once: true });
    const goesOn = continuesOnError(prefer);
    const path = fillPath({ path: odataPrefix }, () => encodeURIComponent(km_id));
    const service = { origin: publicUrlOf(request), path };
    const format = isMultipart(request.exchange.contentType) ? createMultipartBatchFormat() : jsonBatchFormat;
    const run: BatchRun = {
      ...{ request, team: caller.team, service, format, goesOn, parts, deadlineMs, signal: left.signal },
      ...{ outcomes: new Map(), failedAt: Number.POSITIVE_INFINITY },
    };
    const version = request.headers['odata-maxversion'] === '4.0' && format !== jsonBatchFormat ? '4.0' : '4.01';
    return succeed({
      contentType: format.contentType,
      headers: { 'odata-version': version, ...(goesOn && { 'preference-applied': 'continue-on-error' }) },
      body: this.#answers(run, () => left.abort()),
    });
  }

  async *#answers(run: BatchRun, end: () => void): AsyncIterableIterator<Uint8Array> {
    const { opening, separator, closing, isOrdered, write } = run.format;
    const waiting = [...run.parts];
    const awaited = new Map<BatchPart, Promise<AnsweredPart>>();
    let before = opening;
    try {
      for (;;) {
        for (const part of waiting.splice(0, batchPartsPerTeam - awaited.size))
          awaited.set(part, this.#begin(run, part));
        if (awaited.size === 0) break;
        const begun = [...awaited.values()];
        const { part, answer } = await Promise.race(isOrdered ? begun.slice(0, 1) : begun);
        awaited.delete(part);
        try {
          yield Buffer.from(before);
          yield* write(part, answer);
        } finally {
          answer.release();
        }
        before = separator;
      }
      yield Buffer.from((run.parts.length === 0 ? opening : '') + closing);
    } finally {
      end();
      for (const begun of awaited.values()) begun.then(({ answer }) => answer.release(), ignoreFailure);
    }
  }

  /** Its outcome is known to those that depend on it as soon as its head is. */
  async #begin(run: BatchRun, part: BatchPart): Promise<AnsweredPart> {
    const answer = this.#answer(run, part);
    noteOutcome(run, part, answer);
    return { part, answer: await answer };
  }

  async #answer(run: BatchRun, part: BatchPart): Promise<BegunAnswer> {
    const missed = await missedDependency(run, part);
    const slot = await acquireBatchPartSlot(run.team, run.signal, run.deadlineMs);
    if (!slot.ok) return this.#refuse(run, part, slot.failure);
    const release = slot.value;
    const resolved = this.#resolve(run, part, missed);
    if (!resolved.ok) return this.#refuse(run, part, resolved.failure, release);
    try {
      const answer = await this.#inject(run, resolved.value, release);
      if (answer.status >= 400) noteFailure(run, part);
      return answer;
    } catch (error) {
      release();
      if (run.signal.aborted) throw error;
      noteFailure(run, part);
      return answerOfFailure(run, brokenOff);
    }
  }

  #resolve(run: BatchRun, part: BatchPart, missed: string | undefined): Result<PartRequest> {
    if (missed !== undefined) return notRun(`${missed} failed, on which it depends`);
    if (run.parts.indexOf(part) > run.failedAt && !run.goesOn)
      return notRun(`${run.parts[run.failedAt]?.id} failed before it began; Prefer: continue-on-error lets it run`);
    const target = resolvePartTarget(part, run.service);
    if (!target.ok) return target;
    const headers = filterPartHeaders(part, this.#keyHeaders, run.request.headers);
    return headers.ok ? succeed({ url: target.value, headers: headers.value }) : headers;
  }

  async #inject(
    { request, signal }: BatchRun,
    { url, headers }: PartRequest,
    release: () => void,
  ): Promise<BegunAnswer> {
    const fastify = this.server.httpAdapter.getInstance<FastifyInstance>();
    // A body that breaks off is how this server learns that the client has left.
    const payload = new PassThrough();
    const leave = (): void => void payload.destroy(new Error('The client of the batch has left.'));
    signal.addEventListener('abort', leave, { once: true });
    const answered = await fastify.inject({
      method: 'GET',
      url,
      headers: { ...this.#ownHeaders(request), ...headers, 'accept-encoding': 'identity' },
      remoteAddress: request.raw.socket.remoteAddress ?? '',
      payload,
      payloadAsStream: true,
    });
    const stream = answered.stream();
    return {
      status: answered.statusCode,
      headers: shownHeaders(answered.headers),
      body: stream,
      release: () => {
        signal.removeEventListener('abort', leave);
        if (!stream.readableEnded) answered.raw.res.destroy();
        release();
      },
    };
  }

  /** The credential, and by what the server is called. */
  #ownHeaders({ headers, exchange }: FastifyRequest): Readonly<Record<string, string>> {
    const names = [
      'authorization',
      ...this.#keyHeaders,
      'host',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
    ];
    const own = names.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return { ...Object.fromEntries(own), 'x-request-id': exchange.requestId, traceparent: exchange.traceparent };
  }

  /** A part that reaches no guard is counted here. */
  async #refuse(run: BatchRun, part: BatchPart, failure: Failure, release?: () => void): Promise<BegunAnswer> {
    noteFailure(run, part);
    const overLimit = await this.rateLimit.count(run.request.exchange);
    return answerOfFailure(run, overLimit ?? failure, release);
  }
}

const answerOfFailure = (run: BatchRun, failure: Failure, release = ignoreFailure): BegunAnswer => {
  const { status, body } = toFailureAnswer(failure, odataGroup, run.service.path);
  const waitSeconds = failure.retryAfterSeconds;
  const headers = {
    ...{ 'content-type': 'application/json;charset=utf-8', 'odata-version': '4.01' },
    ...(waitSeconds !== undefined && { 'retry-after': String(waitSeconds) }),
  };
  return { status, headers, body, release };
};

const noteFailure = (run: BatchRun, part: BatchPart): void => {
  run.failedAt = Math.min(run.failedAt, run.parts.indexOf(part));
};

const { failure: brokenOff } = fail('SERVICE_UNAVAILABLE', 'The answer of the part broke off before it began.', {
  retryAfterSeconds: 1,
});

const continuesOnError = (prefer = ''): boolean =>
  /(?:^|[,;\s])(?:odata\.)?continue-on-error\s*(?:=\s*"?true"?)?\s*(?:$|[,;])/i.test(prefer);

/** A part that nobody waits for any more has failed; a group succeeds when all of its parts do. */
const noteOutcome = ({ outcomes }: BatchRun, { id, atomicityGroup }: BatchPart, answer: Promise<BegunAnswer>): void => {
  const outcome = answer.then(
    ({ status }) => status < 400,
    () => false,
  );
  outcomes.set(id, outcome);
  if (atomicityGroup === undefined) return;
  const before = outcomes.get(atomicityGroup);
  outcomes.set(atomicityGroup, before ? Promise.all([before, outcome]).then((all) => all.every(Boolean)) : outcome);
};

/** The name of the first that failed of those that it depends on, which have all begun before it. */
const missedDependency = async ({ outcomes }: BatchRun, { dependsOn = [] }: BatchPart): Promise<string | undefined> => {
  for (const name of dependsOn) if (!(await outcomes.get(name))) return name;
  return undefined;
};

const notRun = (why: string) => fail('ODATA_PART_NOT_RUN', `The part was not run: ${why}.`);

/** What is about the connection is that of the batch. */
const connectionHeaders: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'vary', 'x-content-type-options'],
]);

const shownHeaders = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (connectionHeaders.has(name) ? [] : [[name, String(value)]])),
  );
