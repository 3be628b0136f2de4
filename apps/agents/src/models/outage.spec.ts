import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil, type FakeModel, type ScriptedAnswer, startFakeModel } from '@tessera/testing';
import {
  answerModes,
  createEndpointDefinition,
  createTextCollector,
  testApiKey,
  createTestModel,
  createModelUnavailableResult,
} from './testing/test-models.js';

let endpoint: FakeModel;
beforeEach(async () => {
  endpoint = await startFakeModel();
});
afterEach(() => endpoint.stop());

const answers = (...scripted: readonly ScriptedAnswer[]): void => {
  endpoint.script = (_, callNumber) => scripted[Math.min(callNumber, scripted.length) - 1] ?? {};
};

const call = { tool: 'read-weather' };

describe.each(answerModes)('a model that answers %s', (_, listening) => {
  it.each<readonly [string, ScriptedAnswer]>([
    ['busy', { status: 429 }],
    ['too slow for itself', { status: 408 }],
    ['broken', { status: 500, body: '<html>' }],
    ['away', { status: 503 }],
    ['talking nonsense', { garbage: '<html>It works!</html>' }],
    ['silent', {}],
    ['breaking its answer off', { pieces: ['', 'lost'], disconnects: true }],
    ['ending for a reason that nobody knows', { calls: [call], finish: 'because' }],
    ['calling a tool without a name', { calls: [{ tool: '' }] }],
  ])('is retried while its endpoint is %s', async (_, scripted) => {
    answers(scripted, scripted, { text: 'Yes.' });
    const { answer, logged } = createTestModel(endpoint.address);
    expect((await answer(listening())).text).toBe('Yes.');
    expect(endpoint.requests).toHaveLength(3);
    expect(logged).toEqual([]);
  });

  it.each<readonly [ScriptedAnswer, string]>([
    [{ status: 500 }, 'is out of order'],
    [{ status: 429 }, 'is busy'],
    [{ garbage: '{"choices":' }, 'answered what cannot be understood'],
    [{}, 'answered what cannot be understood'],
  ])('is not tried a fourth time: %j', async (scripted, why) => {
    answers(scripted);
    const { ask, logged } = createTestModel(endpoint.address);
    expect(await ask(listening())).toMatchObject({
      failure: { detail: expect.stringMatching(why), retryAfterSeconds: 5 },
    });
    expect(endpoint.requests).toHaveLength(3);
    expect(logged).toMatchObject([{ team: 'meridian', host: 'llm.example', model: 'small', attempts: 3 }]);
  });

  it.each([
    [401, 'refused the credential of the agent'],
    [403, 'refused the credential of the agent'],
    [404, 'refused the request'],
    [422, 'refused the request'],
    [204, 'answered what cannot be understood'],
  ])('is not retried after %s', async (status, why) => {
    const isNonsense = status === 204;
    answers({ status, body: isNonsense ? '' : `{"error": {"message": "No such key: ${testApiKey}"}}` });
    const { ask, logged } = createTestModel(endpoint.address);
    const failed = await ask(listening());
    expect(failed).toEqual(createModelUnavailableResult(why, { retryAfterSeconds: isNonsense ? 5 : 60 }));
    expect(endpoint.requests).toHaveLength(isNonsense ? 3 : 1);
    expect(logged).toMatchObject([{ status }]);
    expect(JSON.stringify(logged)).not.toContain(testApiKey);
  });

  it('waits as long as Retry-After says', async () => {
    answers({ status: 429, headers: { 'retry-after': '1' } }, { text: 'Yes.' });
    const { answer } = createTestModel(endpoint.address);
    const begun = Date.now();
    expect((await answer(listening())).text).toBe('Yes.');
    expect(Date.now() - begun).toBeGreaterThan(900);
  });

  it.each([
    ['more time than anybody has', '30', 60_000],
    ['more time than the turn has', '9', 5_000],
  ])('is not retried when Retry-After is %s', async (_, seconds, roomMs) => {
    answers({ status: 503, headers: { 'retry-after': seconds } });
    const { ask } = createTestModel(endpoint.address);
    const failed = await ask({ ...listening(), deadlineMs: Date.now() + roomMs });
    expect(failed).toEqual(createModelUnavailableResult('is out of order', { retryAfterSeconds: Number(seconds) }));
    expect(endpoint.requests).toHaveLength(1);
  });

  it('waits until the date of Retry-After', async () => {
    const at = new Date(Date.now() + 100_000).toUTCString();
    answers({ status: 429, headers: { 'retry-after': at } });
    const failed = await createTestModel(endpoint.address).ask(listening());
    if (failed.ok) throw new Error('It was to fail.');
    expect(failed.failure.retryAfterSeconds).toBeGreaterThan(10);
    expect(failed.failure.retryAfterSeconds).toBeLessThanOrEqual(100);
  });

  it('is reported as unreachable when nothing listens at its address', async () => {
    const gone = await startFakeModel();
    await gone.stop();
    const { ask, logged } = createTestModel(gone.address);
    expect(await ask(listening())).toEqual(
      createModelUnavailableResult('could not be reached', { retryAfterSeconds: 5 }),
    );
    expect(logged).toMatchObject([{ kind: 'unreachable', attempts: 3 }]);
    expect(JSON.stringify(logged)).not.toContain('127.0.0.1');
  });

  it.each<ScriptedAnswer>([{ hang: 'before' }, { pieces: ['', ''], hang: 'within' }])(
    'is given up when it says nothing any more: %j',
    async (scripted) => {
      answers(scripted);
      const { ask, logged } = createTestModel(endpoint.address, createEndpointDefinition(), { silenceMs: 50 });
      expect(await ask(listening())).toEqual(
        createModelUnavailableResult('did not answer in time', { retryAfterSeconds: 5 }),
      );
      await endpoint.requests[0]?.disconnected;
      expect(logged).toMatchObject([{ kind: 'silent', attempts: 1 }]);
    },
  );

  it('fails at the deadline', async () => {
    answers({ hang: 'before' });
    const { ask, logged } = createTestModel(endpoint.address);
    const failed = await ask({ ...listening(), deadlineMs: Date.now() + 200 });
    expect(failed).toEqual(createModelUnavailableResult('did not answer in time', { retryAfterSeconds: 5 }));
    expect(logged).toMatchObject([{ kind: 'too-late' }]);
    expect(await ask({ ...listening(), deadlineMs: Date.now() - 1 })).toMatchObject({ ok: false });
  });

  it.each<ScriptedAnswer>([{ hang: 'before' }, { pieces: ['', ''], hang: 'within' }])(
    'is left at once when nobody waits: %j',
    async (scripted) => {
      answers(scripted);
      const { ask, logged } = createTestModel(endpoint.address);
      const leaving = new AbortController();
      const asked = ask({ ...listening(), signal: leaving.signal });
      await waitUntil(() => endpoint.requests.length === 1);
      leaving.abort();
      expect(await asked).toEqual(createModelUnavailableResult('was not waited for', { retryAfterSeconds: 5 }));
      await endpoint.requests[0]?.disconnected;
      expect(logged).toEqual([]);
    },
  );

  it('is not called when the caller has disconnected', async () => {
    const { ask } = createTestModel(endpoint.address);
    expect(await ask({ ...listening(), signal: AbortSignal.abort() })).toMatchObject({ ok: false });
    expect(endpoint.requests).toHaveLength(0);
  });

  it('stops waiting for a retry when the caller disconnects', async () => {
    answers({ status: 429, headers: { 'retry-after': '9' } });
    const { ask } = createTestModel(endpoint.address);
    const leaving = new AbortController();
    const asked = ask({ ...listening(), signal: leaving.signal });
    await waitUntil(() => endpoint.requests.length === 1);
    leaving.abort();
    const begun = Date.now();
    expect(await asked).toMatchObject({ ok: false });
    expect(Date.now() - begun).toBeLessThan(8_000);
  });

  it('does not follow redirects', async () => {
    const other = await startFakeModel();
    answers({ status: 307, headers: { location: `${other.address}/v1/chat/completions` } });
    const { ask } = createTestModel(endpoint.address);
    const failed = await ask(listening());
    expect(failed).toEqual(
      createModelUnavailableResult('answered with another address, which is not followed', { retryAfterSeconds: 60 }),
    );
    expect([endpoint.requests.length, other.requests.length]).toEqual([1, 0]);
    await other.stop();
  });

  it('limits the size of a body', async () => {
    answers({ garbage: `data: ${'x'.repeat(9 * 1024 * 1024)}` });
    const { ask } = createTestModel(endpoint.address);
    expect(await ask(listening())).toEqual(
      createModelUnavailableResult('answered more than fits', { retryAfterSeconds: 60 }),
    );
    expect(endpoint.requests).toHaveLength(1);
  });

  it('rejects a compressed body', async () => {
    answers({ text: 'Yes.', headers: { 'content-encoding': 'gzip' } });
    const { ask } = createTestModel(endpoint.address);
    expect(await ask(listening())).toMatchObject({
      failure: { detail: expect.stringMatching(/cannot be understood/) },
    });
    expect(endpoint.requests[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('a streamed model', () => {
  it.each<readonly [ScriptedAnswer, string]>([
    [{ pieces: ['First', ' second'], disconnects: true }, 'broke its answer off'],
    [{ pieces: ['First', ' second'], finish: 'because' }, 'answered what cannot be understood'],
  ])('is not retried once text was streamed: %j', async (scripted, why) => {
    answers(scripted);
    const { received, onText } = createTextCollector();
    const { ask } = createTestModel(endpoint.address);
    expect(await ask({ onText })).toEqual(createModelUnavailableResult(why, { retryAfterSeconds: 5 }));
    expect(received[0]).toBe('First');
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is retried when its endpoint fails at the start of the stream', async () => {
    answers({ garbage: 'data: {"error": {"message": "Overloaded"}}\n\n' }, { text: 'Yes.' });
    const { received, onText } = createTextCollector();
    expect((await createTestModel(endpoint.address).answer({ onText })).text).toBe('Yes.');
    expect(received).toEqual(['Yes.']);
  });
});
