import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { commitImport, exportElements, listStorages } from '@tessera/contracts/content-repo';
import { createKey, listKeys, readPlatformStatus } from '@tessera/contracts/gateway';
import { testKey } from '../testing/run-tessera.js';
import { startFakeGateway, type FakeGateway } from '../testing/fake-gateway.js';
import { Gateway } from './gateway.js';
import { formatFailureLines } from './request-failure.js';

let fake: FakeGateway;
let gateway: Gateway;
let stopping: AbortController;
beforeEach(async () => {
  fake = await startFakeGateway(testKey);
  stopping = new AbortController();
  gateway = new Gateway(
    { value: `${fake.url}/`, origin: 'GATEWAY_URL of the spec' },
    { value: testKey, origin: 'ADMIN_KEY of the spec' },
    stopping.signal,
  );
});
afterEach(() => fake.stop());

const key = { team: 'a', collection: 'b', storage: 'c' };

describe('a request to the gateway', () => {
  it('puts each member into the path, query or body as the contract declares', async () => {
    const answer = await gateway.call(listKeys, { team: 'meridian', pageSize: 10 });
    expect(answer).toMatchObject({ ok: true, value: { team: 'meridian' } });
    expect(fake.calls).toEqual([listKeys.name]);
  });

  it('is retried while the gateway is busy, up to the time limit', async () => {
    fake.script(listStorages, [
      { status: 503, retryAfterSeconds: 0 },
      { status: 429, retryAfterSeconds: 0 },
      undefined,
    ]);
    expect((await gateway.call(listStorages, { team: 'a' })).ok).toBe(true);
    expect(fake.calls).toHaveLength(3);
    fake.script(listStorages, [{ status: 429, title: 'Too many requests', detail: 'Wait.', retryAfterSeconds: 1_800 }]);
    expect(await gateway.call(listStorages, { team: 'a' })).toMatchObject({
      ok: false,
      refusal: { kind: 'refused', problem: { status: 429, retryAfterSeconds: 1_800 } },
    });
    expect(fake.calls).toHaveLength(4);
  });

  it('sends one idempotency key with every attempt, and a new one with the next request', async () => {
    const wanted = { key: { team: 'a', name: 'n', scopes: ['admin' as const] } };
    fake.script(createKey, [{ status: 503, retryAfterSeconds: 0 }, undefined]);
    expect((await gateway.call(createKey, wanted)).ok).toBe(true);
    expect((await gateway.call(createKey, wanted)).ok).toBe(true);
    await gateway.call(listKeys, { team: 'a', pageSize: 10 });
    const [first, second, third, read] = fake.idempotencyKeys;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, read]).toEqual([first, '']);
    expect(third).toMatch(/^[0-9a-f-]{36}$/);
    expect(third).not.toBe(first);
  });

  it('is not retried after a 400', async () => {
    fake.script(commitImport, [{ status: 400, title: 'Constraint violated', detail: 'No.' }]);
    await gateway.call(commitImport, { ...key, importId: '00000000-0000-4000-8000-000000000001' });
    expect(fake.calls).toEqual([commitImport.name]);
  });

  it('ends at once when it is interrupted', async () => {
    stopping.abort();
    expect(await gateway.call(readPlatformStatus, {})).toEqual({ ok: false, refusal: { kind: 'interrupted' } });
  });
});

describe('an error response', () => {
  it('without a readable body is reported by its status', async () => {
    fake.script(readPlatformStatus, [{ status: 502 }]);
    const answer = await gateway.call(readPlatformStatus, {});
    expect(answer.ok ? [] : formatFailureLines(answer.refusal)).toEqual([
      'Status 502: the answer says no more.',
      'Request id: request-1',
    ]);
  });
});

describe('a streamed response', () => {
  it('arrives in chunks, and an aborted stream is not mistaken for a complete one', async () => {
    const read = async () => {
      const answer = await gateway.stream(exportElements, key);
      if (!answer.ok) return 'refused';
      try {
        let text = '';
        for await (const piece of answer.value) text += Buffer.from(piece).toString();
        return text;
      } catch (error) {
        return gateway.refusalOf(error).kind;
      }
    };
    fake.script(exportElements, [{ text: 'a\nb\n' }, 'break', { status: 404 }]);
    expect([await read(), await read(), await read()]).toEqual(['a\nb\n', 'away', 'refused']);
  });
});
