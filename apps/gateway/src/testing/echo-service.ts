/**
 * Services of the specs: on real NATS, their operations answer what they were asked. `meridian` is the only team that has
 * anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ByteReply, Operation } from '@tessera/contracts';
import { fail, succeed, type FailureCode, type Result } from '@tessera/failures';
import {
  connectNats,
  jsonContentType,
  NatsOperations,
  Serves,
  silentLog,
  type OperationContext,
} from '@tessera/messaging';

/** What the handlers saw. */
export const echoHandlerCounts = { left: 0, produced: 0, served: 0, writing: 0, writingMost: 0 };

export const createEchoReply = (
  operation: string,
  request: object,
  context: OperationContext,
  headers = {},
  nothing: FailureCode = 'CONTENT_NOTFOUND',
): Result<ByteReply> => {
  echoHandlerCounts.served++;
  const { caller, requestId, traceparent, deadlineMs, publicUrl } = context;
  const frame = { caller, requestId, traceparent, deadlineMs, publicUrl };
  if (caller.team !== 'meridian') return fail(nothing, `storage of team ${caller.team} is none`);
  const body = Buffer.from(JSON.stringify({ operation, request, frame }));
  return succeed({ contentType: jsonContentType, headers, body });
};

export const pieceBytes = 64 * 1024;

/** Counts how many were produced and how many replies were left, by their end or before. */
export const streamReplyPieces = async function* (count: number, { signal }: OperationContext, isBroken = false) {
  try {
    for (let sent = 0; sent < count && !signal.aborted; sent++) {
      echoHandlerCounts.produced++;
      yield Buffer.alloc(pieceBytes, 'x');
    }
    if (isBroken) throw new Error('the cursor of schema content_repo is lost');
  } finally {
    echoHandlerCounts.left++;
  }
};

/** Resolves when nothing was produced for a while. */
export const waitUntilNothingIsProduced = async (): Promise<void> => {
  let before = echoHandlerCounts.produced;
  for (let still = 0; still < 20;) {
    await sleep(25);
    still = echoHandlerCounts.produced === before ? still + 1 : 0;
    before = echoHandlerCounts.produced;
  }
};

/** A controller whose operations tell what they were asked, and nothing else. */
export const createEchoController = (operations: readonly Operation[], nothing?: FailureCode): Type => {
  @Controller()
  class TellingController {}
  for (const each of operations) {
    const descriptor = {
      value: async (request: object, context: OperationContext) =>
        createEchoReply(each.name, request, context, {}, nothing),
      configurable: true,
    };
    Object.defineProperty(TellingController.prototype, each.name, descriptor);
    Serves(each)(TellingController.prototype, each.name, descriptor);
  }
  return TellingController;
};

export type TestService = { readonly stop: () => Promise<void> };

export const startTestService = async (
  url: string,
  service: 'content-repo' | 'knowledge-models' | 'tool-gateway' | 'agents',
  controllers: readonly Type[],
): Promise<TestService> => {
  @Module({ controllers: [...controllers] })
  class TrialModule {}
  const link = connectNats({ url, service, log: silentLog });
  const strategy = new NatsOperations({ link, service, log: silentLog });
  const app = await NestFactory.createMicroservice(TrialModule, { strategy, logger: false });
  await app.listen();
  await link.whenConnected(60_000);
  await link.connection?.flush();
  return {
    stop: async () => {
      await strategy.close();
      await link.close();
      await app.close();
    },
  };
};
