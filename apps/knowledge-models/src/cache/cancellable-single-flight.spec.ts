import { describe, expect, it } from '@jest/globals';
import { RequestAbandonedError } from '@tessera/persistence';
import { CancellableSingleFlight } from './cancellable-single-flight.js';

const open = () => {
  const flights = new CancellableSingleFlight<string>();
  const begun: { readonly signal: AbortSignal; readonly end: PromiseWithResolvers<string> }[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    const end = Promise.withResolvers<string>();
    begun.push({ signal, end });
    return end.promise;
  };
  return { begun, join: (signal = new AbortController().signal, key = 'k') => flights.join(key, signal, work) };
};

describe('CancellableSingleFlight', () => {
  it('runs work once for concurrent callers, and again for later ones', async () => {
    const { begun, join } = open();
    const all = [join(), join(), join()];
    const other = join(undefined, 'other');
    expect(begun).toHaveLength(2);
    begun[0]?.end.resolve('once');
    begun[1]?.end.resolve('other');
    expect(await Promise.all([...all, other])).toEqual(['once', 'once', 'once', 'other']);
    const again = join();
    begun[2]?.end.resolve('again');
    expect(await again).toBe('again');
  });

  it('rejects for all callers when the work fails, and does not keep the failure', async () => {
    const { begun, join } = open();
    const all = [join(), join()];
    begun[0]?.end.reject(new Error('down'));
    for (const each of all) await expect(each).rejects.toThrow('down');
    const again = join();
    begun[1]?.end.resolve('up');
    expect(await again).toBe('up');
  });

  it('continues the work while a caller waits, and cancels it once the last one leaves', async () => {
    const { begun, join } = open();
    const [first, second] = [new AbortController(), new AbortController()];
    const waiting = [join(first.signal), join(second.signal)];
    first.abort();
    await expect(waiting[0]).rejects.toBeInstanceOf(RequestAbandonedError);
    expect(begun[0]?.signal.aborted).toBe(false);
    second.abort();
    await expect(waiting[1]).rejects.toBeInstanceOf(RequestAbandonedError);
    expect(begun[0]?.signal.aborted).toBe(true);
    const newcomer = join();
    begun[1]?.end.resolve('anew');
    expect(await newcomer).toBe('anew');
    begun[0]?.end.reject(new RequestAbandonedError());
  });

  it('does not start the work for a caller whose signal is already aborted', async () => {
    const { begun, join } = open();
    await expect(join(AbortSignal.abort())).rejects.toBeInstanceOf(RequestAbandonedError);
    expect(begun).toEqual([]);
  });

  it('still answers the others when one caller leaves', async () => {
    const { begun, join } = open();
    const controller = new AbortController();
    const joined = join(controller.signal);
    begun[0]?.end.resolve('done');
    expect(await joined).toBe('done');
    controller.abort();
    expect(begun[0]?.signal.aborted).toBe(false);
  });
});
