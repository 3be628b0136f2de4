import { describe, expect, it } from '@jest/globals';
import { readServerEvents } from './turn-events.js';

const eventsOf = async (pieces: readonly Uint8Array[]): Promise<readonly unknown[]> => {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    yield* pieces;
  };
  const events: unknown[] = [];
  for await (const { name, data } of readServerEvents(stream())) events.push([name, data]);
  return events;
};

const text = [
  ': a comment',
  '',
  'event: text',
  'data: {"text":"Größe"}',
  'id: 7',
  '',
  '',
  'data:first',
  'data',
  'data:  third',
  '',
  'event: nothing',
  '',
  'event: unfinished',
  'data: {}',
].join('\n');
const expected = [
  ['text', '{"text":"Größe"}'],
  ['message', 'first\n\n third'],
];

describe('readServerEvents', () => {
  it.each([
    ['as one piece', text],
    ['with line breaks of two characters', text.replaceAll('\n', '\r\n')],
  ])('parses events %s and skips comments and an incomplete last event', async (_, whole) => {
    expect(await eventsOf([Buffer.from(whole)])).toEqual(expected);
  });

  it('parses events that arrive byte by byte, even inside a character', async () => {
    const bytes = Buffer.from(text);
    expect(await eventsOf([...bytes].map((_, index) => bytes.subarray(index, index + 1)))).toEqual(expected);
  });

  it('yields an event before the next one arrives', async () => {
    let wasReceived = false;
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('data: 1\n\n');
      expect(wasReceived).toBe(true);
      yield Buffer.from('data: 2\n\n');
    };
    const received: string[] = [];
    for await (const { data } of readServerEvents(stream())) {
      received.push(data);
      wasReceived = true;
    }
    expect(received).toEqual(['1', '2']);
  });
});
