import { describe, expect, it } from '@jest/globals';
import { readEvents, type StreamEvent } from './events.js';

const bodyOf = (pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const piece of pieces)
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      controller.close();
    },
  });

const read = async (...pieces: readonly (string | Uint8Array)[]): Promise<readonly StreamEvent[]> =>
  Array.fromAsync(readEvents(bodyOf(pieces)));

const twoEvents = 'event: turn\ndata: {"a":1}\n\nevent: text\ndata: "b"\n\n';
const expected = [
  { event: 'turn', data: { a: 1 } },
  { event: 'text', data: 'b' },
];

describe('events', () => {
  it('are read whole', async () => {
    expect(await read(twoEvents)).toEqual(expected);
  });

  it.each(['\n', '\r\n', '\r'])('are read with lines that end in %j, a byte at a time', async (end) => {
    const bytes = new TextEncoder().encode(`${twoEvents.replaceAll('\n', end)}:\n`);
    expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  it('keep characters whose bytes come apart', async () => {
    const bytes = new TextEncoder().encode('data: "😀"\n\n');
    expect(await read(bytes.slice(0, 9), bytes.slice(9))).toEqual([{ event: 'message', data: '😀' }]);
  });

  it('join lines of data, and pass over comments and other fields', async () => {
    expect(await read(': hello\nid: 1\nretry: 5\ndata: [1,\ndata:2]\n\n')).toEqual([
      { event: 'message', data: [1, 2] },
    ]);
  });

  it('that were cut off are none', async () => {
    expect(await read('data: 1\n\ndata: 2\n')).toEqual([{ event: 'message', data: 1 }]);
  });

  it('that are no JSON are a fault of the stream', async () => {
    await expect(read('data: {\n\n')).rejects.toThrow('The data of an event is no JSON.');
  });

  it('end the connection when nobody listens any more', async () => {
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel: () => void (cancelled = true),
    });
    for await (const { data } of readEvents(body)) if (data === 1) break;
    expect(cancelled).toBe(true);
  });
});
