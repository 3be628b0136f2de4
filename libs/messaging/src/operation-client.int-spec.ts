import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import { subjectOf, type ByteReply, type RequestOf } from '@tessera/contracts';
import type { Result } from '@tessera/failures';
import { testNats, type TestNats } from '@tessera/testing';
import { breakDown, bytes, echo, refuse, unserved, wait, waitShort } from './testing/operations.js';
import {
  eventually,
  frame,
  seen,
  startTrialClient,
  startTrialService,
  type TrialService,
} from './testing/trial-service.js';

const textOf = (result: Result<ByteReply>): string => {
  if (!result.ok) throw new Error(`failed: ${result.failure.code} ${result.failure.detail}`);
  if (!(result.value.body instanceof Uint8Array)) throw new Error('chunked');
  return Buffer.from(result.value.body).toString();
};
const codeOf = (result: Result<ByteReply>): string => (result.ok ? 'ok' : result.failure.code);

describe('calls between services', () => {
  let nats: TestNats;
  let service: TrialService;
  let caller: Awaited<ReturnType<typeof startTrialClient>>;
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

  beforeAll(async () => {
    nats = await testNats();
  });
  afterAll(() => nats.stop());
  beforeEach(async () => {
    service = await startTrialService(nats.urlFor('content-repo'), log);
    caller = await startTrialClient(nats.urlFor('gateway'));
  });
  afterEach(async () => {
    await caller.stop();
    await service.stop();
  });

  it('brings the handler the request, the caller and the frame, and its value back as JSON', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const sent = frame({ traceparent });
    const result = await caller.client.call(echo, { word: 'Grüße', count: 2 }, sent);
    expect(JSON.parse(textOf(result))).toEqual({ text: 'GrüßeGrüße' });
    const context = seen.contexts.at(-1);
    expect(context?.caller).toEqual(sent.caller);
    expect(context?.requestId).toBe('request-1');
    expect(context?.publicUrl).toBe('http://gateway.example');
    expect(context?.traceparent).toBe(traceparent);
    expect(context?.deadlineMs).toBeLessThanOrEqual(Date.now() + echo.timeoutMs);
  });

  it('answers bytes with their media type and headers, untouched', async () => {
    const result = await caller.client.call(bytes, { word: 'whole', count: 1000 }, frame());
    expect(textOf(result)).toHaveLength(1000);
    expect(result).toMatchObject({
      value: { contentType: 'application/octet-stream', headers: { 'x-total-count': '1000' } },
    });
  });

  it('refuses a request that does not fit, naming every fault and where it is', async () => {
    const wrong: RequestOf<typeof echo> = JSON.parse('{"word":"","count":"seven","more":1}');
    const result = await caller.client.call(echo, wrong, frame());
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

  it('brings a failure back as the value it was', async () => {
    expect(await caller.client.call(refuse, { word: 'element', count: 1 }, frame())).toEqual({
      ok: false,
      failure: { code: 'CONTENT_NOTFOUND', detail: 'There is no element.' },
    });
  });

  it('answers a bug in a handler as an internal error without a word of it', async () => {
    const result = await caller.client.call(breakDown, { word: 'a', count: 1 }, frame());
    expect(codeOf(result)).toBe('ADMIN_FATAL_ERROR');
    expect(JSON.stringify(result)).not.toContain('secrets');
  });

  it('says at once that nobody serves an operation', async () => {
    const startedAt = Date.now();
    const result = await caller.client.call(unserved, { word: 'a', count: 1 }, frame());
    expect(result).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
    expect(Date.now() - startedAt).toBeLessThan(200);
  });

  it('ends a call at its deadline and aborts the handler', async () => {
    const aborted = seen.aborted;
    const startedAt = Date.now();
    const result = await caller.client.call(waitShort, { word: 'a', count: 5000 }, frame());
    expect(result).toMatchObject({ failure: { code: 'SERVICE_UNAVAILABLE', detail: expect.stringContaining('late') } });
    expect(Date.now() - startedAt).toBeLessThan(600);
    await eventually(() => seen.aborted > aborted);
  });

  it('takes the deadline of the frame when it is the earlier one', async () => {
    const startedAt = Date.now();
    await caller.client.call(wait, { word: 'a', count: 5000 }, frame({ deadlineMs: Date.now() + 200 }));
    expect(Date.now() - startedAt).toBeLessThan(500);
  });

  it('does not run what comes after its deadline', async () => {
    const before = seen.contexts.length;
    const result = await caller.client.call(echo, { word: 'a', count: 1 }, frame({ deadlineMs: Date.now() - 1 }));
    expect(codeOf(result)).toBe('SERVICE_UNAVAILABLE');
    expect(seen.contexts).toHaveLength(before);
  });

  it('aborts the handler within 100 ms when the caller leaves', async () => {
    const leaving = new AbortController();
    const running = caller.client.call(wait, { word: 'a', count: 20_000 }, frame(), leaving.signal);
    await eventually(() => seen.running > 0);
    const aborted = seen.aborted;
    leaving.abort();
    const leftAt = Date.now();
    await eventually(() => seen.aborted > aborted);
    expect(Date.now() - leftAt).toBeLessThan(100);
    expect(codeOf(await running)).toBe('SERVICE_UNAVAILABLE');
  });

  it('refuses a caller without the scope of the operation, naming it', async () => {
    const result = await caller.client.call(
      echo,
      { word: 'a', count: 1 },
      frame({ caller: { team: 'meridian', subject: 'x', scopes: ['tools:execute'] } }),
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
      caller.link.connection?.publish(subjectOf(echo), '{"word":"a"}', { reply, ...more });
    await eventually(() => answers.length === 2);
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ code: 'ADMIN_ACCESS_ERROR' });
    expect(log.warn).toHaveBeenCalledWith(expect.anything(), expect.stringContaining('without identity'));
  });

  it('refuses a request that is larger than a message may be', async () => {
    const result = await caller.client.call(echo, { word: 'a'.repeat(1_100_000), count: 1 }, frame());
    expect(codeOf(result)).toBe('GENERAL_BODY_TOOLARGE');
  });
});
