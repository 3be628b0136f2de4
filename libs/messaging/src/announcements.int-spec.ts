import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { operationSubjectOf } from '@tessera/contracts';
import { waitUntil, startTestNats, type TestNats } from '@tessera/testing';
import { firstValueFrom } from 'rxjs';
import { EffectRefusedError } from './announcements.js';
import { UncaughtExceptionFilter } from './serves.js';
import { announcedOperation } from './testing/operations.js';
import {
  announcedCalls,
  createCallFrame,
  resetAnnouncedCalls,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';
import { cancelMessage, decodeText, encodeFrame, encodeText, headerNames, proceedMessage } from './wire.js';

describe('an announced effect', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    resetAnnouncedCalls();
    service = await startTestService(nats.urlFor('content-repo'));
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  const ask = (word: string, signal?: AbortSignal) =>
    caller.client.call(announcedOperation, { word, count: 1 }, createCallFrame(), signal);
  const connectionOf = ({ link }: Pick<TestService, 'link'>): NatsConnection => {
    if (link.connection === undefined) throw new Error('not connected');
    return link.connection;
  };
  /** Holds the handlers of these words at one of their steps until they are let go. */
  const hold = (step: 'before' | 'after', ...words: readonly string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    announcedCalls[step] = (word) => (words.includes(word) ? promise : Promise.resolve());
    return resolve;
  };

  it('begins when its caller confirms it, and is answered', async () => {
    expect(await ask('a')).toMatchObject({ ok: true });
    expect(announcedCalls.effects).toEqual(['a']);
  });

  it('does not happen twice when its replica dies; a call without an announced effect is sent to another replica', async () => {
    const letGo = [hold('before', 'silent'), hold('after', 'announced')];
    const calls = [ask('silent'), ask('announced')];
    await waitUntil(() => announcedCalls.begun.length === 2 && announcedCalls.effects.length === 1);
    // The other replica holds nothing up.
    Object.assign(announcedCalls, { before: async () => {} });
    const other = await startTestService(nats.urlFor('content-repo'));
    await service.link.close();
    const [silent, announced] = await Promise.all(calls);
    expect(silent).toMatchObject({ ok: true });
    expect(announced).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('stopped') },
    });
    expect(announcedCalls.begun.toSorted()).toEqual(['announced', 'silent', 'silent']);
    letGo.forEach((go) => go());
    await service.operations.close();
    expect(announcedCalls.effects).toEqual(['announced', 'silent']);
    await other.stop();
  });

  it('is refused to a replica that resumes after its call was sent to another replica', async () => {
    const sleeping = await startTestClient(nats.urlFor('content-repo'), undefined, 'content-repo');
    const connection = connectionOf(sleeping);
    const swallowed: Msg[] = [];
    connection.subscribe(operationSubjectOf(announcedOperation), {
      queue: 'content-repo',
      max: 1,
      callback: (_, message) => void swallowed.push(message),
    });
    await connection.flush();
    const calls: ReturnType<typeof ask>[] = [];
    await waitUntil(() => {
      if (swallowed.length === 0) calls.push(ask('a'));
      return swallowed.length === 1;
    });
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: true });
    expect(announcedCalls.effects).toHaveLength(calls.length);

    const words: string[] = [];
    const control = `${sleeping.link.inboxPrefix}.c.1`;
    connection.subscribe(control, { callback: (_, message) => void words.push(decodeText(message.data)) });
    const announcement = headers();
    announcement.append(headerNames.working, '1');
    announcement.append(headerNames.effect, control);
    connection.publish(swallowed[0]?.reply ?? '', undefined, { headers: announcement });
    await waitUntil(() => words.length > 0);
    expect(words).toEqual([cancelMessage]);
    await sleeping.stop();
  });

  it('does not begin when its caller has disconnected', async () => {
    const letGo = hold('before', 'a');
    const leaving = new AbortController();
    const call = ask('a', leaving.signal);
    await waitUntil(() => announcedCalls.begun.length === 1);
    leaving.abort();
    expect(await call).toMatchObject({ failure: { detail: 'The caller has left.' } });
    // What was sent first has arrived first.
    expect(await ask('b')).toMatchObject({ ok: true });
    letGo();
    expect(await ask('c')).toMatchObject({ ok: true });
    expect(announcedCalls.effects).toEqual(['b', 'c']);
  });

  /** A caller that hears announcements and leaves it to the spec to answer them. */
  const askByHand = async (word: string) => {
    const connection = connectionOf(caller);
    const heard: Msg[] = [];
    const inbox = createInbox(`${caller.link.inboxPrefix}.s`);
    connection.subscribe(inbox, { callback: (_, message) => void heard.push(message) });
    const { deadlineMs } = createCallFrame();
    const payload = encodeText(JSON.stringify({ word, count: 1 }));
    connection.publish(operationSubjectOf(announcedOperation), payload, {
      reply: inbox,
      headers: encodeFrame(createCallFrame(), deadlineMs, undefined),
    });
    const controlOf = () => heard.map((message) => message.headers?.get(headerNames.effect)).find((control) => control);
    await waitUntil(() => controlOf() !== undefined);
    return { heard, control: controlOf() ?? '' };
  };

  it('waits for the confirmation of its caller', async () => {
    const { heard, control } = await askByHand('a');
    expect(announcedCalls).toMatchObject({ begun: ['a'], effects: [] });
    connectionOf(caller).publish(control, proceedMessage);
    await waitUntil(() => heard.some((message) => decodeText(message.data).includes('"text"')));
    expect(announcedCalls.effects).toEqual(['a']);
  });

  it('does not begin when its caller has no such pending call', async () => {
    const { heard, control } = await askByHand('a');
    connectionOf(caller).publish(control, cancelMessage);
    expect(await ask('b')).toMatchObject({ ok: true });
    expect(announcedCalls.effects).toEqual(['b']);
    expect(heard.map(({ data }) => decodeText(data)).join('')).toBe('');
  });

  it('is not logged as a bug when the handler rethrows its refusal', async () => {
    const answer = new UncaughtExceptionFilter().catch(
      new EffectRefusedError(announcedOperation.name),
      new ExecutionContextHost([]),
    );
    expect(await firstValueFrom(answer)).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('does not begin when the connection is lost, and its caller gets a failure', async () => {
    const { heard } = await askByHand('a');
    await connectionOf(service).reconnect();
    await waitUntil(() => heard.some((message) => message.headers?.get(headerNames.failure) === 'SERVICE_UNAVAILABLE'));
    expect(announcedCalls).toMatchObject({ begun: ['a'], effects: [] });
  });
});
