import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Controller, Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Operation, RequestOf } from '@tessera/contracts';
import { succeed, type Result } from '@tessera/failures';
import { startTestNats, type TestNats } from '@tessera/testing';
import {
  connectNats,
  getCurrentRequestScope,
  NatsOperations,
  OperationClient,
  Serves,
  silentLog,
  type NatsLink,
} from './index.js';
import { refusingOperation, unservedOperation, waitingOperation, echoOperation } from './testing/operations.js';
import { connectTimeoutMs, createCallFrame } from './testing/test-service.js';

type Request = RequestOf<typeof echoOperation>;

class OnlyAlpha implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToRpc().getData<Request>().word === 'alpha';
  }
}

@Controller()
class GuardedController {
  @Serves(echoOperation)
  @UseGuards(OnlyAlpha)
  async echo(_request: Request) {
    const { requestId, team } = getCurrentRequestScope() ?? {};
    return succeed({ text: `${requestId} ${team}` });
  }

  @Serves(unservedOperation)
  unserved(): Promise<Result<{ text: string }>> {
    return Promise.resolve(JSON.parse('"no result"'));
  }
}

@Module({ controllers: [GuardedController] })
class GuardedModule {}

@Controller()
class FirstController {
  @Serves(refusingOperation)
  async first() {
    return succeed({ text: '1' });
  }
}
@Controller()
class SecondController {
  @Serves(refusingOperation)
  async second() {
    return succeed({ text: '2' });
  }
}
@Module({ controllers: [FirstController, SecondController] })
class TwiceModule {}

const foreign: Operation = { ...waitingOperation, owner: 'agents' };
@Controller()
class ForeignController {
  @Serves(foreign)
  async answer(): Promise<never> {
    throw new Error('never called');
  }
}
@Module({ controllers: [ForeignController] })
class ForeignModule {}

describe('operations served by Nest', () => {
  let nats: TestNats;
  let links: NatsLink[];
  let operations: NatsOperations;
  let client: OperationClient;
  const served = jest.fn();
  const called = jest.fn();
  const log = { ...silentLog, error: jest.fn() };

  const create = (module: new () => object, link: NatsLink) => {
    operations = new NatsOperations({ link, service: 'content-repo', log, observer: { served, called } });
    return NestFactory.createMicroservice(module, { strategy: operations, logger: false, abortOnError: false });
  };

  beforeAll(async () => {
    nats = await startTestNats();
    links = [
      connectNats({ url: nats.urlFor('content-repo'), service: 'content-repo', log: silentLog }),
      connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log: silentLog }),
    ];
    const [serving, calling] = links;
    if (serving === undefined || calling === undefined) throw new Error('no links');
    await (await create(GuardedModule, serving)).listen();
    client = new OperationClient({ link: calling, observer: { served, called } });
    await Promise.all(links.map((link) => link.whenConnected(connectTimeoutMs)));
    await serving.connection?.flush();
  });
  afterAll(async () => {
    await operations.close();
    await Promise.all(links.map((link) => link.close()));
    await nats.stop();
  });
  const ask = (word: string, operation = echoOperation) =>
    client.call(operation, { word, count: 1 }, createCallFrame());

  it('run behind Nest’s guards, whose denial becomes 403', async () => {
    expect((await ask('alpha')).ok).toBe(true);
    expect(await ask('beta')).toMatchObject({ failure: { code: 'ADMIN_ACCESS_ERROR' } });
  });

  it('provide the request id and team to log lines', async () => {
    const result = await ask('alpha');
    if (!result.ok || !(result.value.body instanceof Uint8Array)) throw new Error('failed');
    expect(Buffer.from(result.value.body).toString()).toBe('{"text":"request-1 meridian"}');
  });

  it('answer an internal error, and log it, when a handler returns no result', async () => {
    expect(await ask('a', unservedOperation)).toMatchObject({ failure: { code: 'ADMIN_FATAL_ERROR' } });
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ operation: 'trial.unserved' }),
      expect.any(String),
    );
  });

  it('are counted with their outcome by client and server', async () => {
    served.mockClear();
    called.mockClear();
    await ask('alpha');
    await ask('beta');
    const expected = [
      ['trial.echo', 'ok', expect.any(Number)],
      ['trial.echo', 'ADMIN_ACCESS_ERROR', expect.any(Number)],
    ];
    expect(served.mock.calls).toEqual(expected);
    expect(called.mock.calls).toEqual(expected);
  });

  it('fail at start when two handlers serve the same operation', async () => {
    const [link] = links;
    if (link === undefined) throw new Error('no link');
    const before = operations;
    await expect(create(TwiceModule, link).then((app) => app.listen())).rejects.toThrow(/Two handlers/);
    operations = before;
  });

  it('fail at start when they belong to another service', async () => {
    const [link] = links;
    if (link === undefined) throw new Error('no link');
    const before = operations;
    await expect(create(ForeignModule, link).then((app) => app.listen())).rejects.toThrow(
      /no operation of content-repo/,
    );
    operations = before;
  });
});
