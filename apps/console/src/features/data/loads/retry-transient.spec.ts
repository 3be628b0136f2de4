import { describe, expect, it } from '@jest/globals';
import { CallError } from '../../../api/failures.js';
import { pauseAfter, retryTransient, waitFor } from './retry-transient.js';

const refused = (status: number, retryAfterSeconds?: number): CallError =>
  new CallError({
    ...{ kind: 'refused', status, code: '', title: '', detail: '', faults: [] },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
const unreachable = new CallError({ kind: 'unreachable' });

it.each([
  ['no answer', unreachable, 1, 500],
  ['no answer for the third time', unreachable, 3, 2_000],
  ['no answer for the last time', unreachable, 5, undefined],
  ['busy, with a time', refused(503, 4), 1, 4_000],
  ['busy, without a time', refused(503), 2, 1_000],
  ['too many requests', refused(429, 10), 1, 10_000],
  ['too many requests in this hour', refused(429, 1_800), 1, undefined],
  ['refused', refused(400), 1, undefined],
  ['a bug', new Error(), 1, undefined],
])('after %s', (_, error, attempts, expected) => {
  expect(pauseAfter(error, attempts)).toBe(expected);
});

describe('what can be sent again', () => {
  const neverAborted = new AbortController().signal;

  it('is, until it succeeds', async () => {
    const waited: number[] = [];
    let attempts = 0;
    const act = () => (++attempts < 3 ? Promise.reject(unreachable) : Promise.resolve('done'));
    const wait = (ms: number) => Promise.resolve(void waited.push(ms));
    expect([await retryTransient(act, neverAborted, wait), waited]).toEqual(['done', [500, 1_000]]);
  });

  it('fails with what is no use to repeat', async () => {
    let attempts = 0;
    const act = () => Promise.reject((attempts++, refused(400)));
    await expect(retryTransient(act, neverAborted)).rejects.toThrow(CallError);
    expect(attempts).toBe(1);
  });

  it('waits no longer once it is aborted', async () => {
    const controller = new AbortController();
    const waiting = waitFor(60_000, controller.signal);
    controller.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await expect(waitFor(0, controller.signal)).rejects.toThrow('left');
    await waitFor(1, neverAborted);
  });
});
