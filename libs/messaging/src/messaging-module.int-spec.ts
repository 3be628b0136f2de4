/** The client of operations as Nest registers and injects it. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import type { Operation } from '@tessera/contracts';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { firstValueFrom } from 'rxjs';
import { connectNats, MessagingModule, NatsLink, OperationClient, silentLog } from './index.js';
import { bytesOperation, echoOperation, refusingOperation, waitingOperation } from './testing/operations.js';
import {
  connectTimeoutMs,
  createCallFrame,
  megabyte,
  handlerRecord,
  startTestService,
  type TestService,
} from './testing/test-service.js';

@Injectable()
class Caller {
  constructor(readonly client: OperationClient) {}
}

describe('MessagingModule', () => {
  let nats: TestNats;
  let service: TestService;
  let link: NatsLink;
  let module: TestingModule;
  let client: OperationClient;
  const called = jest.fn();

  beforeAll(async () => {
    nats = await startTestNats();
    service = await startTestService(nats.urlFor('content-repo'));
    link = connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log: silentLog });
    const messaging = MessagingModule.forRoot({ link, observer: { called, served: jest.fn() } });
    module = await Test.createTestingModule({ imports: [messaging], providers: [Caller] }).compile();
    client = module.get(Caller).client;
    await link.whenConnected(connectTimeoutMs);
  });
  afterAll(async () => {
    await link.close();
    await service.stop();
    await nats.stop();
  });
  const send = (operation: Operation, word: string, count = 1) =>
    client.send(operation, { request: { word, count }, frame: createCallFrame() });

  it('injects the client of the process and its link', async () => {
    expect(client).toBeInstanceOf(OperationClient);
    expect(module.get(OperationClient)).toBe(client);
    expect(module.get(NatsLink)).toBe(link);
    expect((await client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame())).ok).toBe(true);
    expect(called).toHaveBeenCalledWith('trial.echo', 'ok', expect.any(Number));
    expect(await firstValueFrom(client.status)).toBe('connected');
  });

  it('sends an operation as a Nest message pattern and emits its reply, or its failure as an error', async () => {
    expect(await firstValueFrom(send(echoOperation, 'Hi', 2))).toMatchObject({ body: Buffer.from('{"text":"HiHi"}') });
    await expect(firstValueFrom(send(refusingOperation, 'book'))).rejects.toMatchObject({ code: 'CONTENT_NOTFOUND' });
  });

  it('keeps reading a chunked reply after the observable completes', async () => {
    const { body } = await firstValueFrom(send(bytesOperation, 'pieces', megabyte));
    let read = 0;
    for await (const chunk of body) read += chunk.length;
    expect(read).toBe(megabyte);
  });

  it('cancels a call after the last unsubscribe', async () => {
    const before = handlerRecord.aborted;
    const subscription = send(waitingOperation, 'a', 600_000).subscribe();
    await waitUntil(() => handlerRecord.running > 0);
    subscription.unsubscribe();
    await waitUntil(() => handlerRecord.aborted > before);
  });

  it('refuses events and patterns that are not operations', async () => {
    await expect(firstValueFrom(client.send('trial.echo', {}))).rejects.toThrow(/is its operation/);
    await expect(firstValueFrom(client.emit(echoOperation, {}))).rejects.toThrow(/outbox/);
  });

  it('closes the client with the application', async () => {
    await module.close();
    expect(await client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame())).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE' },
    });
  });
});
