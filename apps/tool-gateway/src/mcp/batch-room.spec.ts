import { describe, expect, it } from '@jest/globals';
import { succeed, type Result } from '@tessera/failures';
import type { ToolResult } from '../tools/tool.js';
import { type Batch, BatchRoom } from './batch-room.js';

const never = new AbortController().signal;
const answerOf = (length: number) => async (): Promise<Result<ToolResult>> =>
  succeed({ value: 'x'.repeat(length - 2) });
const kept = async (batch: Batch, ...lengths: readonly number[]) => {
  const results: boolean[] = [];
  for (const length of lengths) results.push((await batch.call(answerOf(length))).ok);
  return results;
};
const openIn = async (room: BatchRoom, team: string): Promise<Batch> => {
  const opened = await room.open(team, never);
  if (!opened.ok) throw new Error(opened.failure.code);
  return opened.value;
};
const whole = async () => ({ contentType: 'application/json', body: Buffer.from('[]') });

describe('the room of batches', () => {
  it('is that of one batch, and of all until they are answered', async () => {
    const room = new BatchRoom({ ofBatch: 100, ofTeam: 100, ofAll: 150, callsAtOnce: 2 });
    const [one, other] = [await openIn(room, 'meridian'), await openIn(room, 'northgate')];
    expect(await kept(one, 60, 60, 40)).toEqual([true, false, true]);
    expect(await kept(other, 60, 50)).toEqual([false, true]);
    await one.reply(whole(), never);
    expect(await kept(other, 50)).toEqual([true]);
    expect(await kept(one, 10)).toEqual([false]);
  });

  it('is not that of one team alone', async () => {
    const room = new BatchRoom({ ofBatch: 100, ofTeam: 120, ofAll: 200, callsAtOnce: 2 });
    expect(await kept(await openIn(room, 'meridian'), 100)).toEqual([true]);
    expect(await kept(await openIn(room, 'meridian'), 30, 20)).toEqual([false, true]);
    expect(await kept(await openIn(room, 'northgate'), 80)).toEqual([true]);
  });

  it('is given back when a stream has been read, when nobody reads it, and when there is no reply', async () => {
    const room = new BatchRoom({ ofBatch: 100, ofTeam: 100, ofAll: 100, callsAtOnce: 2 });
    const streamed = async () => ({
      contentType: 'text/event-stream',
      body: (async function* () {
        yield Buffer.from('a');
      })(),
    });
    const read = await openIn(room, 'meridian');
    await kept(read, 100);
    const { body } = await read.reply(streamed(), never);
    expect(await kept(await openIn(room, 'meridian'), 10)).toEqual([false]);
    if (body instanceof Uint8Array) throw new Error('no stream');
    for await (const piece of body) expect(piece).toHaveLength(1);

    const left = await openIn(room, 'meridian');
    expect(await kept(left, 100)).toEqual([true]);
    const leaving = new AbortController();
    await left.reply(streamed(), leaving.signal);
    leaving.abort();

    const broken = await openIn(room, 'meridian');
    expect(await kept(broken, 100)).toEqual([true]);
    await expect(broken.reply(Promise.reject(new Error('broken')), never)).rejects.toThrow('broken');
    expect(await kept(await openIn(room, 'meridian'), 100)).toEqual([true]);
  });

  it('has calls take turns', async () => {
    const room = new BatchRoom({ ofBatch: 100, ofTeam: 100, ofAll: 100, callsAtOnce: 2 });
    const batch = await openIn(room, 'meridian');
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

  it('is for some batches of a team at a time; others wait, and are refused in the end', async () => {
    const room = new BatchRoom({ batches: { ofAll: 3, ofTeam: 2, waiting: 2 }, waitMs: 20 });
    const [first] = [await openIn(room, 'meridian'), await openIn(room, 'meridian')];
    const waiting = [room.open('meridian', never), room.open('meridian', never)];
    expect((await room.open('meridian', never)).ok).toBe(false);
    expect((await room.open('northgate', never)).ok).toBe(true);
    await first.reply(whole(), never);
    const [third, fourth] = await Promise.all(waiting);
    expect(third?.ok).toBe(true);
    expect(fourth).toMatchObject({ ok: false, failure: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 } });
  });
});
