/** How many requests a team makes, over HTTP, on a real PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readUsage } from '@tessera/contracts/gateway';
import { avoidHourBoundary } from '@tessera/testing';
import { openTestStack, contentRestPath, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
beforeAll(async () => void (stack = await openTestStack()));
beforeEach(avoidHourBoundary);
afterAll(() => stack?.stop());

const usageOf = (team: string, key: string) => stack.request(`/admin/teams/${team}/usage`, { key });

describe('the usage of a team', () => {
  it('counts the requests of its credentials, with their limits', async () => {
    for (let count = 0; count < 3; count++)
      await stack.request(contentRestPath('/facets'), { key: stack.keys.meridian });
    await stack.request(contentRestPath('/facets'), { key: stack.keys.northgate });
    const { status, body } = await usageOf('meridian', stack.keys.meridianAdmin);
    expect(status).toBe(200);
    const { hours, credentials } = readUsage.reply.parse(body);
    const [, keyId = ''] = stack.keys.meridian.split('_');
    expect(credentials.find(({ credential }) => credential === `key:${keyId}`)).toMatchObject({
      hourlyLimit: 1_000_000,
    });
    const counted = credentials.reduce((sum, { thisHour }) => sum + thisHour, 0);
    expect(counted).toBeGreaterThanOrEqual(4);
    expect(hours.slice(0, -1).every(({ requests }) => requests === 0)).toBe(true);
    expect(hours.at(-1)?.requests).toBeGreaterThanOrEqual(4);
    const [, northgateId = ''] = stack.keys.northgate.split('_');
    expect(JSON.stringify(body)).not.toContain(northgateId);
  });

  it('is told to its administrators and to the operators', async () => {
    expect((await usageOf('meridian', stack.keys.operator)).status).toBe(200);
    const refused = [
      ['northgate', stack.keys.meridianAdmin, 404],
      ['nowhere', stack.keys.meridianAdmin, 404],
      ['nowhere', stack.keys.operator, 404],
      ['meridian', stack.keys.meridian, 403],
    ] as const;
    for (const [team, key, status] of refused)
      expect([team, (await usageOf(team, key)).status]).toEqual([team, status]);
  });
});
