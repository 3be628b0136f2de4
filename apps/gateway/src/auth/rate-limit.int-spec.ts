import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openDataSource } from '@tessera/persistence/data-source';
import { createApiKey, gatewayEntities } from '@tessera/persistence/gateway';
import { avoidHourBoundary } from '@tessera/testing';
import { openTestPool, type TestGateway } from '../testing/test-gateway.js';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let second: TestGateway;
beforeAll(async () => {
  stack = await openTestStack();
  second = await stack.startGateway();
});
afterAll(() => stack?.stop());
beforeEach(avoidHourBoundary);

const facets = contentRestPath('/facets');

const newKey = async (hourlyLimit: number): Promise<string> => {
  const pool = openTestPool(stack.database);
  const { key } = await createApiKey(openDataSource(pool, gatewayEntities), {
    team: 'meridian',
    name: 'limit',
    scopes: ['content:read'],
    hourlyLimit,
  });
  await pool.end();
  return key;
};

/** The statuses of `count` requests, `width` at a time, alternating between the gateways. */
const hammer = async (key: string, count: number, width: number): Promise<readonly number[]> => {
  const statuses: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const gateway = next++ % 2 === 0 ? stack.gateway : second;
      statuses.push((await stack.request(facets, { key, gateway })).status);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return statuses;
};

describe('the rate limit', () => {
  it('admits exactly 5 requests at a limit of 5 and tells all others when to retry', async () => {
    const key = await newKey(5);
    const remaining: (string | null)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const { status, headers } = await stack.request(facets, { key });
      expect(status).toBe(200);
      remaining.push(headers.get('x-ratelimit-remaining'));
    }
    expect(remaining).toEqual(['4', '3', '2', '1', '0']);
    const beforeMs = Date.now();
    const { status, headers, body } = await stack.request(facets, { key });
    const afterMs = Date.now();
    expect(status).toBe(429);
    expect(body).toMatchObject({ output: 'Dialog', type: 'Error', data: { error: 'LIMIT_RATE_EXCEEDED' } });
    expect(headers.get('x-ratelimit-limit')).toBe('5');
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    const reset = headers.get('x-ratelimit-reset') ?? '';
    expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/);
    const askedMs = Date.parse(reset) - Number(headers.get('retry-after')) * 1000;
    expect(askedMs).toBeGreaterThan(beforeMs - 1000);
    expect(askedMs).toBeLessThanOrEqual(afterMs);
  });

  it('admits exactly 5 requests at a limit of 5 through two gateways at once', async () => {
    const statuses = await hammer(await newKey(5), 60, 20);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(55);
  });

  it('is exact for a larger limit of which two gateways lease shares', async () => {
    const statuses = await hammer(await newKey(1500), 3000, 24);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1500);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1500);
  });

  it('is stated on every answer to an authenticated caller and on no other', async () => {
    const told = async (path: string, key: string | undefined) => {
      const { status, headers } = await stack.request(path, { key });
      return [
        status,
        headers.has('x-ratelimit-limit') && headers.has('x-ratelimit-remaining') && headers.has('x-ratelimit-reset'),
      ];
    };
    expect(await told(facets, stack.keys.meridian)).toEqual([200, true]);
    expect(await told(`${facets}?api-version=7`, stack.keys.meridian)).toEqual([400, true]);
    expect(await told(facets, stack.keys.northgate)).toEqual([404, true]);
    expect(await told(facets, stack.keys.reader)).toEqual([403, true]);
    expect(await told(facets, undefined)).toEqual([401, false]);
  });

  it('counts each credential separately', async () => {
    const [one, other] = [await newKey(1), await newKey(1)];
    expect((await stack.request(facets, { key: one })).status).toBe(200);
    expect((await stack.request(facets, { key: one })).status).toBe(429);
    expect((await stack.request(facets, { key: other })).status).toBe(200);
  });
});
