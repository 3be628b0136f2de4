import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from '@tessera/fair-queue';
import { OutgoingReply, type ReplyTransport } from './outgoing-reply.js';
import { chunkBytes, overShareStallTimeoutMs, ownWindowBytes, stallTimeoutMs, windowBytes } from './stream-limits.js';

type Sent = { readonly what: 'whole' | 'begin' | 'chunk' | 'end'; readonly bytes: number | undefined };

const recorder = () => {
  const sent: Sent[] = [];
  const wire: ReplyTransport = {
    whole: (body) => void sent.push({ what: 'whole', bytes: body.length }),
    begin: (chunk) => void sent.push({ what: 'begin', bytes: chunk.length }),
    chunk: (chunk) => void sent.push({ what: 'chunk', bytes: chunk.length }),
    end: (bytes) => void sent.push({ what: 'end', bytes }),
  };
  return { sent, wire };
};

const pieces = async function* (count: number, bytes: number) {
  for (let made = 0; made < count; made++) yield new Uint8Array(bytes);
};
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const bytesOf = (sent: readonly Sent[]): number =>
  sent.reduce((sum, { what, bytes = 0 }) => (what === 'end' ? sum : sum + bytes), 0);

describe('an outgoing reply', () => {
  it('is one message when it ends within the first chunk', async () => {
    const { sent, wire } = recorder();
    expect(await new OutgoingReply(wire, pieces(3, 100), { chunkBytesMax: 1e9 }).send()).toBe('whole');
    expect(sent).toEqual([{ what: 'whole', bytes: 300 }]);
  });

  it('gathers small pieces into chunks and states its total size at the end', async () => {
    const { sent, wire } = recorder();
    const total = 25 * 10_000;
    const reply = new OutgoingReply(wire, pieces(25, 10_000), { chunkBytesMax: 1e9 });
    const sending = reply.send();
    await turns();
    // It counts as under way until its reader has nearly all.
    expect(sent.map(({ what }) => what)).toEqual(['begin', 'chunk', 'chunk', 'chunk', 'chunk']);
    reply.consumed(total - ownWindowBytes);
    await sending;
    expect(sent.map(({ what }) => what)).toEqual(['begin', 'chunk', 'chunk', 'chunk', 'chunk', 'end']);
    expect(sent[0]?.bytes).toBe(chunkBytes);
    expect(bytesOf(sent)).toBe(total);
    expect(sent.at(-1)).toEqual({ what: 'end', bytes: total });
  });

  it('splits large pieces, into smaller ones when the server accepts less', async () => {
    const { sent, wire } = recorder();
    await new OutgoingReply(wire, pieces(1, 10_000), { chunkBytesMax: 4000 }).send();
    expect(sent.map(({ bytes }) => bytes)).toEqual([4000, 4000, 2000, 10_000]);
  });

  it('sends no more than the window until the reader has consumed bytes', async () => {
    const { sent, wire } = recorder();
    const total = 3 * windowBytes;
    const reply = new OutgoingReply(wire, pieces(3, windowBytes), { chunkBytesMax: 1e9 });
    const sending = reply.send();
    await turns();
    const first = bytesOf(sent);
    expect(first).toBeLessThanOrEqual(windowBytes);
    expect(first).toBeGreaterThan(windowBytes - chunkBytes);
    reply.consumed(500_000);
    await turns();
    expect(bytesOf(sent)).toBeLessThanOrEqual(windowBytes + 500_000);
    expect(bytesOf(sent)).toBeGreaterThan(first);
    const reading = setInterval(() => reply.consumed(bytesOf(sent)), 1);
    expect(await sending).toBe('whole');
    clearInterval(reading);
    expect(bytesOf(sent)).toBe(total);
  });

  it('ignores credit for bytes that were not sent', async () => {
    const { sent, wire } = recorder();
    const reply = new OutgoingReply(wire, pieces(4, windowBytes), { chunkBytesMax: 1e9 });
    void reply.send();
    await turns();
    const before = bytesOf(sent);
    for (const claim of [before + 1, Number.NaN, -5, 1.5, Number.POSITIVE_INFINITY]) reply.consumed(claim);
    await turns();
    expect(bytesOf(sent)).toBe(before);
    reply.cancel();
  });

  it('closes its source when it is cancelled, also while it waits for credit', async () => {
    const { sent, wire } = recorder();
    let closed = false;
    const source = async function* () {
      try {
        for (;;) yield new Uint8Array(100_000);
      } finally {
        closed = true;
      }
    };
    const reply = new OutgoingReply(wire, source(), { chunkBytesMax: 1e9 });
    const sending = reply.send();
    await turns();
    reply.cancel();
    expect(await sending).toBe('cancelled');
    await turns();
    expect(closed).toBe(true);
    expect(sent.some(({ what }) => what === 'end')).toBe(false);
  });

  it('ends at once when it is cancelled while its source yields nothing', async () => {
    const never = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const reply = new OutgoingReply(recorder().wire, never, { chunkBytesMax: 1e9 });
    const sending = reply.send();
    reply.cancel();
    expect(await sending).toBe('cancelled');
  });

  it('notifies the reader when its source fails in the middle, and throws the error to the sender', async () => {
    const { sent, wire } = recorder();
    const source = async function* () {
      yield new Uint8Array(chunkBytes * 2);
      throw new Error('cursor lost');
    };
    await expect(new OutgoingReply(wire, source(), { chunkBytesMax: 1e9 }).send()).rejects.toThrow('cursor lost');
    expect(sent.at(-1)).toEqual({ what: 'end', bytes: undefined });
  });

  it('sends nothing when its source fails at the start', async () => {
    const { sent, wire } = recorder();
    const source = async function* () {
      yield new Uint8Array(10);
      throw new Error('cursor lost');
    };
    const reply = new OutgoingReply(wire, source(), { chunkBytesMax: 1e9 });
    await expect(reply.send()).rejects.toThrow('cursor lost');
    expect(reply.hasBegun).toBe(false);
    expect(sent).toEqual([]);
  });

  it('sends what a slow source has produced so far', async () => {
    const { sent, wire } = recorder();
    let goOn = () => {};
    const source = async function* () {
      yield new Uint8Array(10);
      await new Promise<void>((resolve) => (goOn = resolve));
      yield new Uint8Array(5);
    };
    const reply = new OutgoingReply(wire, source(), { chunkBytesMax: 1e9 });
    const beforeMs = Date.now();
    const sending = reply.send();
    await turns();
    reply.flushOlderThan(50, beforeMs);
    expect(sent).toEqual([]);
    reply.flushOlderThan(50, Date.now() + 100);
    expect(sent).toEqual([{ what: 'begin', bytes: 10 }]);
    goOn();
    await sending;
    expect(sent.slice(1)).toEqual([
      { what: 'chunk', bytes: 5 },
      { what: 'end', bytes: 15 },
    ]);
  });

  it('sends each event at once', async () => {
    const { sent, wire } = recorder();
    const goOn = Promise.withResolvers<void>();
    const source = async function* () {
      yield new Uint8Array(10);
      yield new Uint8Array(20);
      await goOn.promise;
      yield new Uint8Array(5);
    };
    const sending = new OutgoingReply(wire, source(), { chunkBytesMax: 1e9, pieces: 'at once' }).send();
    await turns();
    expect(sent).toEqual([
      { what: 'begin', bytes: 10 },
      { what: 'chunk', bytes: 20 },
    ]);
    goOn.resolve();
    await sending;
    expect(sent.slice(2)).toEqual([
      { what: 'chunk', bytes: 5 },
      { what: 'end', bytes: 35 },
    ]);
  });

  it('is stalled when nothing was read for the stall timeout after the deadline, and not before', () => {
    const reply = new OutgoingReply(recorder().wire, pieces(1, 1), { chunkBytesMax: 1e9 });
    const nowMs = Date.now();
    expect(reply.isStalled(nowMs + 60_000, nowMs + stallTimeoutMs + 100)).toBe(false);
    expect(reply.isStalled(nowMs - 1, nowMs + 100)).toBe(false);
    expect(reply.isStalled(nowMs - 1, nowMs + stallTimeoutMs + 100)).toBe(true);
  });

  it('is stalled when its reader consumes nothing for the stall timeout, and not while it reads', async () => {
    const reply = new OutgoingReply(recorder().wire, pieces(3, windowBytes), { chunkBytesMax: 1e9 });
    void reply.send();
    await turns();
    const nowMs = Date.now();
    const deadlineMs = nowMs + 60_000;
    expect(reply.isStalled(deadlineMs, nowMs + overShareStallTimeoutMs - 1000)).toBe(false);
    expect(reply.isStalled(deadlineMs, nowMs + stallTimeoutMs + 1000)).toBe(true);
    reply.consumed(1000);
    expect(reply.isStalled(deadlineMs, nowMs + overShareStallTimeoutMs - 1000)).toBe(false);
    reply.cancel();
  });

  describe('with a slow reader', () => {
    const ending = () => {
      const state = { hasEnded: false };
      const source = async function* () {
        yield* pieces(5, windowBytes);
        state.hasEnded = true;
      };
      return { state, source: source() };
    };

    it('buffers its source to the end, so that the source is released, and sends the rest as the reader consumes it', async () => {
      const { sent, wire } = recorder();
      const room = new KeyedQueue({ limit: 6 * windowBytes });
      const { state, source } = ending();
      const reply = new OutgoingReply(wire, source, {
        chunkBytesMax: 1e9,
        keep: (bytes) => room.tryAcquire('team', bytes),
      });
      const sending = reply.send();
      await turns();
      expect(state.hasEnded).toBe(true);
      expect(bytesOf(sent)).toBeLessThanOrEqual(windowBytes);
      expect(room.held).toBe(5 * windowBytes - bytesOf(sent));
      const nowMs = Date.now();
      expect(reply.isStalled(nowMs + 60_000, nowMs + stallTimeoutMs - 1000)).toBe(false);
      expect(reply.isStalled(nowMs + 60_000, nowMs + stallTimeoutMs + 1000)).toBe(true);
      const reading = setInterval(() => reply.consumed(bytesOf(sent)), 1);
      expect(await sending).toBe('whole');
      clearInterval(reading);
      expect([bytesOf(sent), sent.at(-1), room.held]).toEqual([
        5 * windowBytes,
        { what: 'end', bytes: 5 * windowBytes },
        0,
      ]);
    });

    it('stops reading its source when the share of its team is used up, and stalls after a shorter time', async () => {
      const { sent, wire } = recorder();
      const room = new KeyedQueue({ limit: windowBytes });
      const { state, source } = ending();
      const reply = new OutgoingReply(wire, source, {
        chunkBytesMax: 1e9,
        keep: (bytes) => room.tryAcquire('team', bytes),
      });
      const sending = reply.send();
      await turns();
      expect(state.hasEnded).toBe(false);
      expect(room.held).toBeLessThanOrEqual(windowBytes);
      const nowMs = Date.now();
      expect(reply.isStalled(nowMs + 60_000, nowMs + overShareStallTimeoutMs - 1000)).toBe(false);
      expect(reply.isStalled(nowMs + 60_000, nowMs + overShareStallTimeoutMs + 1000)).toBe(true);
      const reading = setInterval(() => reply.consumed(bytesOf(sent)), 1);
      expect(await sending).toBe('whole');
      clearInterval(reading);
      expect([bytesOf(sent), room.held]).toEqual([5 * windowBytes, 0]);
    });

    it('releases its buffered bytes when the reader cancels and when the source fails', async () => {
      const room = new KeyedQueue({ limit: 6 * windowBytes });
      const keep = (bytes: number) => room.tryAcquire('team', bytes);
      const left = new OutgoingReply(recorder().wire, ending().source, { chunkBytesMax: 1e9, keep });
      const leaving = left.send();
      await turns();
      expect(room.held).toBeGreaterThan(0);
      left.cancel();
      expect(await leaving).toBe('cancelled');
      expect(room.held).toBe(0);
      const failing = async function* () {
        yield* pieces(3, windowBytes);
        throw new Error('cursor lost');
      };
      const failed = new OutgoingReply(recorder().wire, failing(), { chunkBytesMax: 1e9, keep });
      await expect(failed.send()).rejects.toThrow('cursor lost');
      expect(room.held).toBe(0);
    });
  });
});
