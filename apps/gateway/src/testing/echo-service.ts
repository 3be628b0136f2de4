/**
 * Services of the specs: on real NATS, their operations answer what they were asked. `meridian` is the only team that has
 * anything.
 */
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ByteReply, Operation } from '@tessera/contracts';
import { fail, succeed, type FailureCode, type Result } from '@tessera/failures';
import { connectNats, jsonType, NatsOperations, Serves, silentLog, type OperationContext } from '@tessera/messaging';

/** What the handlers saw. */
export const handlerCounts = { left: 0, produced: 0, served: 0, writing: 0, writingMost: 0 };

export const echoRequest = (
  operation: string,
  request: object,
  context: OperationContext,
  headers = {},
  nothing: FailureCode = 'CONTENT_NOTFOUND',
): Result<ByteReply> => {
  handlerCounts.served++;
  const { caller, requestId, traceparent, deadlineMs, publicUrl } = context;
  const frame = { caller, requestId, traceparent, deadlineMs, publicUrl };
  if (caller.team !== 'meridian') return fail(nothing, `storage of team ${caller.team} is none`);
  const body = Buffer.from(JSON.stringify({ operation, request, frame }));
  return succeed({ contentType: jsonType, headers, body });
};

/** A controller whose operations tell what they were asked, and nothing else. */
export const echoController = (operations: readonly Operation[], nothing?: FailureCode): Type => {
  @Controller()
  class TellingController {}
  for (const each of operations) {
    const descriptor = {
      value: async (request: object, context: OperationContext) =>
        echoRequest(each.name, request, context, {}, nothing),
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
