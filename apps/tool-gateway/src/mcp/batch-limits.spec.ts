import { describe, expect, it } from '@jest/globals';
import { type Result, succeed } from '@tessera/failures';
import { type AdmittedBatch, BatchLimiter } from './batch-limits.js';
import type { ToolResult } from '../tools/tool.js';

const never = new AbortController().signal;
const answerOf = (length: number) => async (): Promise<Result<ToolResult>> =>
  succeed({ value: 'x'.repeat(length - 2) });
const kept = async (batch: AdmittedBatch, ...lengths: readonly number[]) => {
  const results: boolean[] = [];
  for (const length of lengths) results.push((await batch.call(answerOf(length))).ok);
  return results;
};
const openIn = async (limiter: BatchLimiter, team: string): Promise<AdmittedBatch> => {
  const opened = await limiter.open(team, never);
  if (!opened.ok) throw new Error(opened.failure.code);
  return opened.value;
};
const whole = async () => ({ contentType: 'application/json', body: Buffer.from('[]') });

describe('BatchLimiter', () => {
  it('limits the size of the answers of one batch, and of all batches until they are read', async () => {
    const limiter = new BatchLimiter({ perBatch: 100, perTeam: 100, total: 150, concurrentCalls: 2 });
    const [one, other] = [await openIn(limiter, 'meridian'), await openIn(limiter, 'northgate')];
    expect(await kept(one, 60, 60, 40)).toEqual([true, false, true]);
    expect(await kept(other, 60, 50)).toEqual([false, true]);
    await one.reply(whole(), never);
    expect(await kept(other, 50)).toEqual([true]);
    expect(await kept(one, 10)).toEqual([false]);
  });

  it('leaves room for other teams', async () => {
    const limiter = new BatchLimiter({ perBatch: 100, perTeam: 120, total: 200, concurrentCalls: 2 });
    expect(await kept(await openIn(limiter, 'meridian'), 100)).toEqual([true]);
    expect(await kept(await openIn(limiter, 'meridian'), 30, 20)).toEqual([false, true]);
    expect(await kept(await openIn(limiter, 'northgate'), 80)).toEqual([true]);
  });

  it('releases the reserved answer size when a stream is read or abandoned, and when there is no reply', async () => {
    const limiter = new BatchLimiter({ perBatch: 100, perTeam: 100, total: 100, concurrentCalls: 2 });
    const streamed = async () => ({
      contentType: 'text/event-stream',
      body: (async function* () {
        yield Buffer.from('a');
      })(),
    });
    const read = await openIn(limiter, 'meridian');
    await kept(read, 100);
    const { body } = await read.reply(streamed(), never);
    expect(await kept(await openIn(limiter, 'meridian'), 10)).toEqual([false]);
    if (body instanceof Uint8Array) throw new Error('no stream');
    for await (const piece of body) expect(piece).toHaveLength(1);

    const left = await openIn(limiter, 'meridian');
    expect(await kept(left, 100)).toEqual([true]);
    const leaving = new AbortController();
    await left.reply(streamed(), leaving.signal);
    leaving.abort();

    const broken = await openIn(limiter, 'meridian');
    expect(await kept(broken, 100)).toEqual([true]);
    await expect(broken.reply(Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
    expect(await kept(await openIn(limiter, 'meridian'), 100)).toEqual([true]);
  });

  it('limits concurrent calls of a batch', async () => {
    const limiter = new BatchLimiter({ perBatch: 100, perTeam: 100, total: 100, concurrentCalls: 2 });
    const batch = await openIn(limiter, 'meridian');
    let [running, most, ended] = [0, 0, 0];
    const call = async (): Promise<Result<ToolResult>> => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      ended++;
      if (ended === 3) throw new Error('a bug');
      return succeed({ value: 1 });
    };
    const calls = await Promise.allSettled(Array.from({ length: 9 }, () => batch.call(call)));
    expect([most, ended, running]).toEqual([2, 9, 0]);
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
  });

  it('limits concurrent batches of a team; further batches wait and are finally rejected', async () => {
    const limiter = new BatchLimiter({ concurrentBatches: { total: 3, perTeam: 2, waiting: 2 }, waitMs: 20 });
    const [first] = [await openIn(limiter, 'meridian'), await openIn(limiter, 'meridian')];
    const waiting = [limiter.open('meridian', never), limiter.open('meridian', never)];
    expect((await limiter.open('meridian', never)).ok).toBe(false);
    expect((await limiter.open('northgate', never)).ok).toBe(true);
    await first.reply(whole(), never);
    const [third, fourth] = await Promise.all(waiting);
    expect(third?.ok).toBe(true);
    expect(fourth).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 } });
  });
});
