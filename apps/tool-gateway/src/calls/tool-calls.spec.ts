import { describe, expect, it } from '@jest/globals';
import { succeed } from '@tessera/failures';
import { runInTime } from './tool-calls.js';

/** What nobody handled while `work` ran and a turn after it. */
const unhandledIn = async (work: () => Promise<unknown>): Promise<readonly unknown[]> => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', note);
  return unhandled;
};

const late = { failure: { code: 'SERVICE_UNAVAILABLE', detail: 'The tool did not answer in time.' } };

describe('runInTime', () => {
  it('resolves and rejects as the tool does', async () => {
    const { signal } = new AbortController();
    const result = succeed({ value: 1 });
    expect(await runInTime(Promise.resolve(result), { signal })).toBe(result);
    await expect(runInTime(Promise.reject(new Error('a bug')), { signal })).rejects.toThrow('a bug');
  });

  it('resolves when the call is aborted, and leaves no rejection unhandled', async () => {
    const before = AbortSignal.abort();
    const during = new AbortController();
    const broken = Promise.withResolvers<never>();
    const unhandled = await unhandledIn(async () => {
      expect(await runInTime(Promise.reject(new Error('a bug')), { signal: before })).toMatchObject(late);
      const running = runInTime(broken.promise, { signal: during.signal });
      during.abort();
      expect(await running).toMatchObject(late);
      broken.reject(new Error('a bug'));
    });
    expect(unhandled).toEqual([]);
  });
});
