import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect, headers as newHeaders, type NatsConnection } from '@nats-io/transport-node';
import { operationSubjectOf } from '@tessera/contracts';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { echoOperation } from './testing/operations.js';
import {
  connectTimeoutMs,
  createCallFrame,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';
import { connectNats, type MessagingLog } from './index.js';

const told: { readonly fields: object; readonly message: string }[] = [];
const note = (fields: object, message: string): void => void told.push({ fields, message });
const log: MessagingLog = { info: () => {}, warn: note, error: note };
const messages = () => told.map(({ message }) => message);

let nats: TestNats;
beforeAll(async () => void (nats = await startTestNats()));
afterAll(() => nats.stop());
beforeEach(() => void (told.length = 0));

describe('a message handler that throws', () => {
  it('is logged, and later messages still arrive on the same connection', async () => {
    const link = connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log });
    await link.whenConnected(connectTimeoutMs);
    const { connection } = link;
    if (connection === undefined) throw new Error('no connection');
    const heard: string[] = [];
    link.subscribe(`${link.inboxPrefix}.trial`, (message) => {
      heard.push(message.string());
      if (message.string() === 'bad') throw new TypeError('what the message held');
    });
    for (const text of ['one', 'bad', 'two', 'bad', 'three']) connection.publish(`${link.inboxPrefix}.trial`, text);
    await waitUntil(() => heard.length === 5);
    expect(heard).toEqual(['one', 'bad', 'two', 'bad', 'three']);
    await connection.flush();
    expect(link.connection).toBe(connection);
    expect(messages()).toEqual(['a message could not be handled', 'a message could not be handled']);
    await link.close();
  });

  it('does not prevent the other listeners of a connection from being called', async () => {
    const link = connectNats({ url: nats.urlFor('gateway'), service: 'gateway', log });
    const heard: string[] = [];
    link.listen({
      connected: () => {
        throw new TypeError('a bug');
      },
    });
    link.listen({ connected: () => void heard.push('connected'), lost: () => void heard.push('lost') });
    expect(await link.whenConnected(connectTimeoutMs)).toBe(true);
    expect(heard).toEqual(['connected']);
    expect(messages()).toEqual(['a listener of the connection failed']);
    await link.close();
  });
});

describe('messages from foreign senders', () => {
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  let stranger: NatsConnection;
  beforeEach(async () => {
    service = await startTestService(nats.urlFor('content-repo'), log);
    caller = await startTestClient(nats.urlFor('gateway'), log);
    const url = new URL(nats.urlFor('gateway'));
    stranger = await connect({ servers: url.host, user: url.username, pass: decodeURIComponent(url.password) });
  });
  afterEach(async () => {
    await stranger.close();
    await caller.stop();
    await service.stop();
  });

  const garbage = ['', 'x', 'k', 'null', '-1', 'NaN', '1e999', '{"a":', '\u0000\uffff', '['.repeat(50_000)];
  const names = [
    'Tessera-Caller',
    'Tessera-Deadline',
    'Tessera-Stream',
    'Tessera-Effect',
    'Tessera-End',
    'Tessera-Failure',
  ];

  it('do not end a service or its client', async () => {
    const subjects = [operationSubjectOf(echoOperation), 'op.content-repo.cancel-call'];
    for (const subject of subjects)
      for (const text of garbage) {
        stranger.publish(subject, text);
        stranger.publish(subject, text, { reply: 'nowhere' });
        stranger.publish(subject, text, { reply: `_INBOX.gateway.x.r.${text.length}` });
        for (const name of names) {
          const made = newHeaders();
          made.append(name, text.replaceAll(/[\r\n]/g, ''));
          for (const reply of [`_INBOX.gateway.x.r.1`, '_INBOX.*', '_INBOX.>'])
            stranger.publish(subject, text, { reply, headers: made });
        }
      }
    await stranger.flush();
    const answer = await caller.client.call(echoOperation, { word: 'a', count: 3 }, createCallFrame());
    expect(answer.ok).toBe(true);
    expect(service.link.connected && caller.link.connected).toBe(true);
    expect(service.operations.runningCount).toBe(0);
  });

  it('to an inbox for replies or flow-control credits do not end a service or its client', async () => {
    const [from, to] = [service.link.connection, caller.link.inboxPrefix];
    const waiting = caller.client.call(echoOperation, { word: 'a', count: 3 }, createCallFrame());
    for (const id of ['9', 'x', 'zz'])
      for (const text of garbage)
        for (const name of names) {
          const made = newHeaders();
          made.append(name, text.slice(0, 100));
          from?.publish(`${to}.r.${id}`, text, { headers: made });
        }
    expect((await waiting).ok).toBe(true);
    const control = service.link.inboxPrefix;
    for (const text of garbage) stranger.publish(`${control}.c.1`, text);
    await stranger.flush();
    expect((await caller.client.call(echoOperation, { word: 'b', count: 1 }, createCallFrame())).ok).toBe(true);
  });
});
