import { expect, it } from '@jest/globals';
import { CallError } from './failures.js';
import { createQueryClient, isWorthRetrying, retryDelayMs } from './query-client.js';

const refused = (status: number, retryAfterSeconds?: number) =>
  new CallError({
    ...{ kind: 'refused', status, code: '', title: '', detail: '', faults: [] },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

it.each([
  ['503 with a short wait', refused(503, 1), true],
  ['429 with a short wait', refused(429, 10), true],
  ['429 until the end of the hour', refused(429, 1_800), false],
  ['503 that does not say when', refused(503), false],
  ['a refusal', refused(403, 1), false],
  ['a fault of the request', refused(400), false],
  ['no answer', new CallError({ kind: 'unreachable' }), false],
  ['a bug', new Error(), false],
])('%s: is sent again: %s', (_, error, expected) => {
  expect(isWorthRetrying(0, error)).toBe(expected);
});

it('nothing is sent more than three times', () => {
  expect([1, 2].map((failures) => isWorthRetrying(failures, refused(503, 1)))).toEqual([true, false]);
});

it('waits as long as the server says', () => {
  expect(retryDelayMs(1, refused(503, 4))).toBe(4_000);
});

it('asks for nothing by itself when a window is looked at, and works without the internet', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions();
  expect(queries).toMatchObject({ refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' });
  expect(mutations).toMatchObject({ retry: false, networkMode: 'always' });
});
