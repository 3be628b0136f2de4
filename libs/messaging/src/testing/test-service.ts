/** A service of the specs: Nest with the real strategy on a real NATS, handlers that behave and misbehave. */
import { Controller, Module, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ByteReply, CallFrame, RequestOf } from '@tessera/contracts';
import { fail, succeed, type Result } from '@tessera/failures';
import {
  connectNats,
  NatsOperations,
  type ServerOptions,
  OperationClient,
  Serves,
  silentLog,
  type MessagingLog,
  type NatsLink,
} from '../index.js';
import type { AnnouncingContext, OperationContext } from '../serves.js';
import {
  announcedOperation,
  throwingOperation,
  brokenStreamOperation,
  bytesOperation,
  echoOperation,
  endlessReplyOperation,
  refusingOperation,
  statusReplyOperation,
  keyedStoringOperation,
  waitingOperation,
} from './operations.js';

/** What the handlers saw, for the specs to look at. */
export const handlerRecord = { aborted: 0, returned: 0, produced: 0, running: 0, contexts: [] as OperationContext[] };

type Step = (word: string) => Promise<void>;
const doNothing: Step = async () => {};

/** The calls of `act` that began, the effects that they had, and what a spec lets them wait for on the way. */
export const announcedCalls = { begun: [] as string[], effects: [] as string[], before: doNothing, after: doNothing };

/** What was stored under which key, and how often a call that comes next is told that its key is held. */
export const recordedStoreCalls = { stored: [] as string[], asked: [] as number[], heldTimes: 0 };

export const resetRecordedStoreCalls = (): void =>
  void Object.assign(recordedStoreCalls, { stored: [], asked: [], heldTimes: 0 });

export const resetAnnouncedCalls = (): void =>
  void Object.assign(announcedCalls, { begun: [], effects: [], before: doNothing, after: doNothing });

export const megabyte = 1024 * 1024;

const pieces = async function* (totalBytes: number, pieceBytes: number, signal: AbortSignal) {
  try {
    for (let sent = 0; sent < totalBytes; sent += pieceBytes) {
      if (signal.aborted) return;
      const piece = Buffer.alloc(Math.min(pieceBytes, totalBytes - sent));
      for (let at = 0; at < piece.length; at += 64) piece.writeUInt32LE((sent + at) >>> 0, at);
      handlerRecord.produced += piece.length;
      yield piece;
    }
  } finally {
    handlerRecord.returned += 1;
  }
};

const pause = (waitMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    signal.addEventListener('abort', () => {
      handlerRecord.aborted += 1;
      clearTimeout(timer);
      resolve();
    });
  });

type Request = RequestOf<typeof echoOperation>;

@Controller()
class TestController {
  @Serves(echoOperation)
  async echo({ word, count }: Request, context: OperationContext) {
    handlerRecord.contexts.push(context);
    return succeed({ text: word.repeat(count) });
  }

  @Serves(refusingOperation)
  async refuse({ word }: Request) {
    return fail('CONTENT_NOTFOUND', `There is no ${word}.`);
  }

  @Serves(throwingOperation)
  async breakDown(): Promise<never> {
    throw new Error('select * from secrets');
  }

  @Serves(waitingOperation)
  async wait({ word, count }: Request, { signal }: OperationContext) {
    handlerRecord.running += 1;
    await pause(count, signal);
    handlerRecord.running -= 1;
    return succeed({ text: word });
  }

  @Serves(announcedOperation)
  async act({ word }: Request, { announceEffect }: AnnouncingContext) {
    announcedCalls.begun.push(word);
    await announcedCalls.before(word);
    await announceEffect();
    announcedCalls.effects.push(word);
    await announcedCalls.after(word);
    return succeed({ text: word });
  }

  /** Its key stands for the effect, as in a service. */
  @Serves(keyedStoringOperation)
  async storeOnce({ word, idempotencyKey = '' }: RequestOf<typeof keyedStoringOperation>) {
    recordedStoreCalls.asked.push(Date.now());
    if (recordedStoreCalls.heldTimes-- > 0)
      return fail('GENERAL_IDEMPOTENCY_RUNNING', 'A call with this Idempotency-Key is at work.', {
        retryAfterSeconds: 1,
      });
    if (!recordedStoreCalls.stored.includes(idempotencyKey)) recordedStoreCalls.stored.push(idempotencyKey);
    return succeed({ text: word });
  }

  /** `count` bytes: as one body for the word `whole`, else in pieces of 100 KB; none for `unchanged`. */
  @Serves(bytesOperation)
  async bytes({ word, count }: Request, { signal }: OperationContext): Promise<Result<ByteReply>> {
    if (word === 'unchanged')
      return succeed({ status: 304, contentType: 'text/plain', headers: { etag: '"1"' }, body: new Uint8Array(0) });
    const body = pieces(count, word === 'whole' ? Math.max(count, 1) : 100_000, signal);
    const headers = { 'x-total-count': String(count) };
    if (word !== 'whole') return succeed({ contentType: 'application/octet-stream', headers, body });
    const { value } = await body.next();
    return succeed({ contentType: 'application/octet-stream', headers, body: value ?? new Uint8Array(0) });
  }

  @Serves(statusReplyOperation)
  async speak({ word, count }: Request): Promise<Result<ByteReply>> {
    if (word === 'empty') return succeed({ status: count, contentType: '', body: new Uint8Array(0) });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'www-authenticate': 'Bearer a="b", c="d"' };
    return succeed({ status: count, contentType: 'text/plain', headers, body: Buffer.from(word) });
  }

  @Serves(endlessReplyOperation)
  async endless(_request: Request, { signal }: OperationContext) {
    signal.addEventListener('abort', () => (handlerRecord.aborted += 1));
    return succeed({ contentType: 'text/plain', body: pieces(Number.MAX_SAFE_INTEGER, 64 * 1024, signal) });
  }

  @Serves(brokenStreamOperation)
  async broken({ count }: Request, { signal }: OperationContext) {
    const body = async function* () {
      yield* pieces(count, 64 * 1024, signal);
      throw new Error('cursor lost in schema secrets');
    };
    return succeed({ contentType: 'text/plain', body: body() });
  }
}

@Module({ controllers: [TestController] })
class TestModule {}

/** Ends what hangs. */
export const connectTimeoutMs = 60_000;

export type TestService = {
  readonly link: NatsLink;
  readonly operations: NatsOperations;
  readonly stop: () => Promise<void>;
};

type TestServiceOptions = Pick<ServerOptions, 'drainMs' | 'failureOf' | 'observer'> & { readonly waitMs?: number };

export const startTestService = async (
  url: string,
  log: MessagingLog = silentLog,
  { waitMs = connectTimeoutMs, drainMs = 3000, ...told }: TestServiceOptions = {},
): Promise<TestService> => {
  const link = connectNats({ url, service: 'content-repo', log });
  const operations = new NatsOperations({ link, service: 'content-repo', log, drainMs, ...told });
  const app: INestMicroservice = await NestFactory.createMicroservice(TestModule, {
    strategy: operations,
    logger: false,
  });
  await app.listen();
  await link.whenConnected(waitMs);
  await link.connection?.flush();
  return {
    link,
    operations,
    stop: async () => {
      await operations.close();
      await link.close();
      await app.close();
    },
  };
};

export const startTestClient = async (url: string, log: MessagingLog = silentLog, service = 'gateway') => {
  const link = connectNats({ url, service, log });
  const client = new OperationClient({ link });
  await link.whenConnected(connectTimeoutMs);
  return {
    link,
    client,
    stop: async () => {
      await client.close(0);
      await link.close();
    },
  };
};

export const createCallFrame = (more: Partial<CallFrame> = {}): CallFrame => ({
  caller: { team: 'meridian', subject: 'user-1', scopes: ['content:read'], attributes: { unit: 'Köln' } },
  requestId: 'request-1',
  deadlineMs: Date.now() + 600_000,
  publicUrl: 'http://gateway.example',
  ...more,
});

/** The bytes that `pieces` makes, to compare with. */
export const createExpectedBytes = (totalBytes: number, pieceBytes: number): Buffer => {
  const whole = Buffer.alloc(totalBytes);
  for (let start = 0; start < totalBytes; start += pieceBytes)
    for (let at = 0; at < Math.min(pieceBytes, totalBytes - start); at += 64)
      if (start + at + 4 <= totalBytes) whole.writeUInt32LE((start + at) >>> 0, start + at);
  return whole;
};
