import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { operationSubjectOf, type ByteReply, type CallFrame, type RequestOf } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { waitUntil, advanceSystemClock, startTestNats, type TestNats } from '@tessera/testing';
import {
  throwingOperation,
  bytesOperation,
  echoOperation,
  refusingOperation,
  statusReplyOperation,
  unservedOperation,
  waitingOperation,
} from './testing/operations.js';
import {
  createCallFrame,
  handlerRecord,
  startTestClient,
  startTestService,
  type TestService,
} from './testing/test-service.js';

const textOf = (result: Result<ByteReply>): string => {
  if (!result.ok) throw new Error(`failed: ${result.failure.code} ${result.failure.detail}`);
  if (!(result.value.body instanceof Uint8Array)) throw new Error('chunked');
  return Buffer.from(result.value.body).toString();
};
const codeOf = (result: Result<ByteReply>): string => (result.ok ? 'ok' : result.failure.code);

describe('calls between services', () => {
  let nats: TestNats;
  let service: TestService;
  let caller: Awaited<ReturnType<typeof startTestClient>>;
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    service = await startTestService(nats.urlFor('content-repo'), log);
    caller = await startTestClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  it('passes the request, the caller and the frame to the handler and returns its value as JSON', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const sent = createCallFrame({ traceparent });
    const result = await caller.client.call(echoOperation, { word: 'Grüße', count: 2 }, sent);
    expect(JSON.parse(textOf(result))).toEqual({ text: 'GrüßeGrüße' });
    const context = handlerRecord.contexts.at(-1);
    expect(context?.caller).toEqual(sent.caller);
    expect(context?.requestId).toBe('request-1');
    expect(context?.publicUrl).toBe('http://gateway.example');
    expect(context?.traceparent).toBe(traceparent);
    expect(context?.deadlineMs).toBeLessThanOrEqual(Date.now() + echoOperation.timeoutMs);
  });

  it('returns bytes with their media type and headers unchanged', async () => {
    const result = await caller.client.call(bytesOperation, { word: 'whole', count: 1000 }, createCallFrame());
    expect(textOf(result)).toHaveLength(1000);
    expect(result).toMatchObject({
      value: { contentType: 'application/octet-stream', headers: { 'x-total-count': '1000' } },
    });
  });

  it('returns 304 without a body', async () => {
    const result = await caller.client.call(bytesOperation, { word: 'unchanged', count: 0 }, createCallFrame());
    expect(result).toMatchObject({ value: { status: 304, headers: { etag: '"1"' } } });
    expect(textOf(result)).toBe('');
  });

  it('returns the HTTP status and headers of a reply, also without a body', async () => {
    const spoken = await caller.client.call(statusReplyOperation, { word: 'no', count: 404 }, createCallFrame());
    expect(textOf(spoken)).toBe('no');
    expect(spoken).toMatchObject({
      value: {
        status: 404,
        headers: { 'mcp-protocol-version': '2026-07-28', 'www-authenticate': 'Bearer a="b", c="d"' },
      },
    });
    const taken = await caller.client.call(statusReplyOperation, { word: 'empty', count: 202 }, createCallFrame());
    expect(taken).toMatchObject({ value: { status: 202, contentType: '' } });
    expect(textOf(taken)).toBe('');
    expect(
      await caller.client.call(statusReplyOperation, { word: 'a', count: 200 }, createCallFrame()),
    ).not.toHaveProperty('value.status');
  });

  it('refuses an invalid request, naming every fault and its path', async () => {
    const wrong: RequestOf<typeof echoOperation> = JSON.parse('{"word":"","count":"seven","more":1}');
    const result = await caller.client.call(echoOperation, wrong, createCallFrame());
    expect(result).toMatchObject({
      ok: false,
      failure: {
        code: 'GENERAL_CONSTRAINT_VIOLATION',
        faults: expect.arrayContaining([
          expect.objectContaining({ in: 'path', path: 'word' }),
          expect.objectContaining({ in: 'query', path: 'count' }),
        ]),
      },
    });
    expect(result.ok || result.failure.faults).toHaveLength(3);
  });

  it('returns a failure unchanged', async () => {
    expect(await caller.client.call(refusingOperation, { word: 'element', count: 1 }, createCallFrame())).toEqual({
      ok: false,
      failure: { code: 'CONTENT_NOTFOUND', detail: 'There is no element.' },
    });
  });

  it('returns an error thrown by a handler as an internal error without details', async () => {
    const result = await caller.client.call(throwingOperation, { word: 'a', count: 1 }, createCallFrame());
    expect(codeOf(result)).toBe('ADMIN_FATAL_ERROR');
    expect(JSON.stringify(result)).not.toContain('secrets');
  });

  it('fails at once when no service serves an operation', async () => {
    const result = await caller.client.call(unservedOperation, { word: 'a', count: 1 }, createCallFrame());
    // The word of NATS itself: after a silence or at the deadline the detail is another one.
    expect(result).toMatchObject({
      failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('not running'), retryAfterSeconds: 1 },
    });
  });

  /** A call whose handler runs, and would for as long as the spec lasts. */
  const startWaiting = async (more: Partial<CallFrame> = {}, signal?: AbortSignal) => {
    const { running, aborted } = handlerRecord;
    const call = caller.client.call(
      waitingOperation,
      { word: 'a', count: waitingOperation.timeoutMs * 2 },
      createCallFrame(more),
      signal,
    );
    await waitUntil(() => handlerRecord.running > running);
    return { call, isAborted: () => handlerRecord.aborted > aborted };
  };
  const late = { failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('late') } };

  it.each([
    ['its own deadline', {}, waitingOperation.timeoutMs],
    [
      'the deadline of the frame when it is the earlier one',
      { deadlineMs: Date.now() + waitingOperation.timeoutMs / 2 },
      waitingOperation.timeoutMs / 2,
    ],
  ])('ends a call at %s and aborts the handler', async (_, more, waitMs) => {
    const { call, isAborted } = await startWaiting(more);
    const setRight = advanceSystemClock(waitMs);
    try {
      expect(await call).toMatchObject(late);
      await waitUntil(isAborted);
    } finally {
      setRight();
    }
  });

  it('does not run a call that arrives after its deadline', async () => {
    const before = handlerRecord.contexts.length;
    const result = await caller.client.call(
      echoOperation,
      { word: 'late', count: 1 },
      createCallFrame({ deadlineMs: Date.now() - 1 }),
    );
    expect(codeOf(result)).toBe('SERVICE_UNAVAILABLE');
    // What was sent first has arrived first.
    expect(codeOf(await caller.client.call(echoOperation, { word: 'a', count: 1 }, createCallFrame()))).toBe('ok');
    expect(handlerRecord.contexts).toHaveLength(before + 1);
  });

  it('aborts the handler as soon as the caller leaves, long before the deadline', async () => {
    const leaving = new AbortController();
    const { call, isAborted } = await startWaiting({}, leaving.signal);
    leaving.abort();
    expect(await call).toMatchObject({ failure: { detail: 'The caller has left.' } });
    await waitUntil(isAborted);
  });

  it('refuses a caller without the scope of the operation, naming it', async () => {
    const result = await caller.client.call(
      echoOperation,
      { word: 'a', count: 1 },
      createCallFrame({ caller: { team: 'meridian', subject: 'x', scopes: ['tools:execute'] } }),
    );
    expect(result).toMatchObject({
      failure: { code: 'ADMIN_ACCESS_ERROR', detail: expect.stringContaining('content:read') },
    });
  });

  it('refuses a request without identity and says so in the log', async () => {
    const reply = `${caller.link.inboxPrefix}.r.raw`;
    const answers: string[] = [];
    caller.link.connection?.subscribe(reply, { callback: (_error, message) => void answers.push(message.string()) });
    const half = headers();
    half.append('Tessera-Request-Id', 'r');
    for (const more of [{}, { headers: half }])
      caller.link.connection?.publish(operationSubjectOf(echoOperation), '{"word":"a"}', { reply, ...more });
    await waitUntil(() => answers.length === 2);
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ code: 'ADMIN_ACCESS_ERROR' });
    expect(log.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('without identity'));
  });

  it('refuses a request that is larger than a message may be', async () => {
    const result = await caller.client.call(
      echoOperation,
      { word: 'a'.repeat(1_100_000), count: 1 },
      createCallFrame(),
    );
    expect(codeOf(result)).toBe('GENERAL_BODY_TOOLARGE');
  });
});
