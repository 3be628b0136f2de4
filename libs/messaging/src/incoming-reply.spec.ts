import { beforeEach, describe, expect, it } from '@jest/globals';
import { IncomingReply, ReplyInterruptedError } from './incoming-reply.js';
import { creditStepBytes } from './stream-limits.js';

const chunk = (bytes: number, fill = 1): Uint8Array => new Uint8Array(bytes).fill(fill);

describe('a chunked reply as its reader receives it', () => {
  let told: string[];
  let reply: IncomingReply;
  beforeEach(() => {
    told = [];
    reply = new IncomingReply({
      consumed: (bytes) => void told.push(String(bytes)),
      cancel: () => void told.push('x'),
    });
  });
  const read = async (): Promise<number[]> => {
    const lengths: number[] = [];
    for await (const each of reply) lengths.push(each.length);
    return lengths;
  };

  it('yields the chunks in order and ends when all bytes have arrived', async () => {
    reply.push(chunk(3));
    reply.push(chunk(5));
    reply.end('8');
    expect(await read()).toEqual([3, 5]);
    expect(await reply.next()).toEqual({ done: true, value: undefined });
    expect(told).toEqual([]);
  });

  it('yields a chunk to a waiting reader', async () => {
    const first = reply.next();
    reply.push(chunk(2));
    expect((await first).value).toHaveLength(2);
    const last = reply.next();
    reply.end('2');
    expect((await last).done).toBe(true);
  });

  it('fails when fewer bytes arrived than were sent', async () => {
    reply.push(chunk(3));
    reply.end('4');
    await expect(read()).rejects.toThrow('Parts of the answer were lost.');
  });

  it('fails after the received chunks when the source failed', async () => {
    reply.push(chunk(3));
    reply.end('failed');
    expect((await reply.next()).value).toHaveLength(3);
    await expect(reply.next()).rejects.toThrow(ReplyInterruptedError);
    await expect(reply.next()).rejects.toThrow(ReplyInterruptedError);
  });

  it('fails for a reader that is already waiting when the source fails', async () => {
    const waiting = reply.next();
    reply.break('gone');
    await expect(waiting).rejects.toThrow('gone');
  });

  it('grants credit for each quarter of the window, and only for consumed bytes', async () => {
    for (let count = 0; count < 8; count++) reply.push(chunk(creditStepBytes / 2));
    expect(told).toEqual([]);
    await reply.next();
    expect(told).toEqual([]);
    await reply.next();
    expect(told).toEqual([String(creditStepBytes)]);
    await reply.next();
    await reply.next();
    expect(told).toEqual([String(creditStepBytes), String(2 * creditStepBytes)]);
  });

  it('grants no credit for bytes that are read after the end', async () => {
    reply.push(chunk(2 * creditStepBytes));
    reply.end(String(2 * creditStepBytes));
    await read();
    expect(told).toEqual([]);
  });

  it('cancels the reply once when the reader stops early, and drops later chunks', async () => {
    reply.push(chunk(3));
    await reply.return();
    await reply.return();
    reply.push(chunk(3));
    expect(told).toEqual(['x']);
    expect(await reply.next()).toEqual({ done: true, value: undefined });
  });

  it('sends no cancellation when the reader stops after the end', async () => {
    reply.push(chunk(3));
    reply.end('3');
    await reply.return();
    expect(told).toEqual([]);
  });

  it('fails for its reader when it is abandoned', async () => {
    reply.push(chunk(3));
    reply.abandon('The caller has left.');
    reply.abandon('The caller has left.');
    expect(told).toEqual(['x']);
    await expect(reply.next()).rejects.toThrow('The caller has left.');
  });
});
