import { describe, expect, it } from '@jest/globals';
import { runUnsliced } from '@tessera/fair-queue';
import { chooseResponseFormat, parseMessage as readSliced } from './mcp.handler.js';

const readMessage = (text: string): unknown => runUnsliced(readSliced(text));

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('parseMessage', () => {
  it('reads JSON of any kind', () => {
    for (const value of [null, 7, 'x', [], { jsonrpc: '2.0', id: 1 }, { a: ['}', '{"', '\\', '"'] }])
      expect(readMessage(JSON.stringify(value))).toEqual(value);
  });

  it.each(['', ' ', '{', '{"a":"', '"\\"', '{a:1}', '[1,]', '\uFFFD', '\uFEFF{}', 'undefined'])(
    'rejects %j',
    (text) => {
      expect(readMessage(text)).toBeUndefined();
    },
  );

  it('reads up to 64 levels', () => {
    expect(readMessage(nested(64))).toBeDefined();
    expect(readMessage(nested(65))).toBeUndefined();
    expect(readMessage(`{"a":${nested(64)}}`)).toBeUndefined();
    expect(readMessage(`[${`${nested(60)},`.repeat(50)}1]`)).toBeDefined();
  });

  it('ignores brackets inside of strings', () => {
    const text = `${'{['.repeat(100)}"\\"${'['.repeat(100)}`;
    expect(readMessage(JSON.stringify([text, { [text]: text }]))).toEqual([text, { [text]: text }]);
    expect(readMessage(`["\\\\",${nested(64)}]`)).toBeUndefined();
    expect(readMessage(`["\\\\\\"",${nested(63)}]`)).toBeDefined();
  });

  it('reads many backslashes in linear time', () => {
    const text = JSON.stringify({ a: '\\'.repeat(200_000), b: '"'.repeat(200_000) });
    expect(readMessage(text)).toEqual(JSON.parse(text));
  });
});

describe('chooseResponseFormat', () => {
  it.each([
    [undefined, 'either'],
    ['', 'either'],
    ['*/*', 'either'],
    ['application/json, text/event-stream', 'either'],
    ['text/event-stream,application/json;q=0.9', 'either'],
    ['text/*, application/*', 'either'],
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['*/*, text/event-stream;q=0', 'json'],
    ['text/event-stream', 'events'],
    ['TEXT/Event-Stream', 'events'],
    ['*/*, application/json;q=0', 'events'],
    ['text/html', undefined],
    ['application/json;q=0', undefined],
    ['nonsense', undefined],
  ])('chooses for the Accept header %j the format %j', (accept, shape) => {
    expect(chooseResponseFormat(accept)).toBe(shape);
  });
});
