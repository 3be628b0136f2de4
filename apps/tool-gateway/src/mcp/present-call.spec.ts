import { describe, expect, it } from '@jest/globals';
import { fail, succeed, type Result } from '@tessera/failures';
import type { ToolResult } from '../tools/tool.js';
import { toCallToolResult, toCallToolResultParts } from './present-call.js';

const newest = '2025-11-25';
const text = (words: string) => [{ type: 'text', text: words }];

const callResultText = (result: Result<ToolResult>, revision: string): string =>
  Buffer.concat(toCallToolResultParts(result, revision).map((part) => Buffer.from(part))).toString();

/** Both forms, which have to be the same. */
const presented = (result: Result<ToolResult>, revision = newest): unknown => {
  const object = toCallToolResult(result, revision);
  expect(JSON.parse(`{${callResultText(result, revision)}}`)).toEqual(object);
  return object;
};

describe('a result', () => {
  it('is rendered as text, and also as structured content when it is an object', () => {
    const value = { rows: [{ a: 'ü "quoted"' }] };
    const shown = { content: text(JSON.stringify(value)), structuredContent: value };
    expect(presented(succeed({ value }))).toEqual(shown);
    const bytes = Buffer.from(JSON.stringify(value));
    expect(presented(succeed({ bytes }), '2026-07-28')).toEqual(shown);
    expect(presented(succeed({ bytes }), '2025-03-26')).toEqual({ content: shown.content });
    expect(presented(succeed({ value, bytes }))).toEqual(shown);
    expect(presented(succeed({ bytes: Buffer.from('[1]') }))).toEqual({ content: text('[1]') });
    expect(presented(succeed({ bytes: Buffer.from('"said"') }))).toEqual({ content: text('"said"') });
    expect(presented(succeed({ value }), '2025-06-18')).toEqual(shown);
    expect(presented(succeed({ value }), '2025-03-26')).toEqual({ content: shown.content });
    expect(presented(succeed({ value: [1] }))).toEqual({ content: text('[1]') });
    expect(presented(succeed({ value: 'as it is' }))).toEqual({ content: text('as it is') });
    expect(presented(succeed({ value: null }))).toEqual({ content: text('null') });
    expect(presented(succeed({}))).toEqual({ content: [] });
  });

  it('reuses the JSON bytes of a result, whatever characters they contain', () => {
    const json = '{ "a": 1.0, "b": "ü\u2028 𝄞 \\u0000\\" \u007f",\n\t"c": 12345678901234567890 }';
    const shown = callResultText(succeed({ bytes: Buffer.from(json) }), newest);
    expect(shown).toBe(`"content":${JSON.stringify(text(json))},"structuredContent":${json}`);
  });

  it('has the content blocks that the tool returned', () => {
    const content = [{ type: 'image', data: 'AA==', mimeType: 'image/png' }];
    expect(presented(succeed({ content }))).toEqual({ content });
    expect(presented(succeed({ content, value: { a: 1 } }))).toEqual({ content, structuredContent: { a: 1 } });
  });

  it('throws for content that is not valid in the protocol', () => {
    for (const content of [[{ type: 'smell' }], [{ type: 'image' }], [{ type: 'text' }]]) {
      expect(() => toCallToolResult(succeed({ content }), newest)).toThrow('content that the protocol does not know');
      expect(() => callResultText(succeed({ content }), newest)).toThrow('content that the protocol does not know');
    }
  });
});

describe('a failure', () => {
  it('has its code, every fault with its path, and the nearest name', () => {
    const failure = fail('TOOL_ARGUMENTS_INVALID', 'Two arguments do not fit.', {
      faults: [
        { in: 'body', path: 'columns.0', message: 'unknown name "nmae"', suggestion: 'name' },
        { in: 'body', path: 'page', message: 'unknown name; did you mean "top"?', suggestion: 'top' },
        { in: 'body', path: '', message: 'needs "columns"' },
      ],
    });
    expect(presented(failure)).toEqual({
      content: text(
        [
          'TOOL_ARGUMENTS_INVALID: Two arguments do not fit.',
          '- columns.0: unknown name "nmae"; did you mean "name"?',
          '- page: unknown name; did you mean "top"?',
          '- arguments: needs "columns"',
        ].join('\n'),
      ),
      isError: true,
    });
  });

  it('says when to try again', () => {
    const failure = fail('LIMIT_ASSET_EXCEEDED', 'The asset has had its calls.', { retryAfterSeconds: 12 });
    expect(presented(failure, '2024-11-05')).toEqual({
      content: text('LIMIT_ASSET_EXCEEDED: The asset has had its calls.\nRetry after 12 seconds.'),
      isError: true,
    });
  });
});
