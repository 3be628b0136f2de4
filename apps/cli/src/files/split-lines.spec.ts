import { describe, expect, it } from '@jest/globals';
import { splitLines } from './split-lines.js';

const linesIn = async (chunks: readonly string[], lineBytesMax = 100) => {
  const lines: (readonly [number, string | undefined])[] = [];
  const stream = (async function* () {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  })();
  for await (const { number, bytes } of splitLines(stream, lineBytesMax))
    lines.push([number, bytes && Buffer.from(bytes).toString()]);
  return lines;
};

describe('splitLines', () => {
  it('finds lines however the bytes are chunked', async () => {
    const whole = [
      [1, 'one'],
      [2, ''],
      [3, 'three'],
    ];
    expect(await linesIn(['one\n\nthree\n'])).toEqual(whole);
    expect(await linesIn(['on', 'e', '\n', '\nth', 'ree'])).toEqual(whole);
    expect(await linesIn([...'one\n\nthree\n'])).toEqual(whole);
  });

  it('keeps an incomplete character for the next chunk', async () => {
    const bytes = Buffer.from('é\nü\n');
    const stream = (async function* () {
      for (const byte of bytes) yield await Promise.resolve(Uint8Array.of(byte));
    })();
    const texts: string[] = [];
    for await (const line of splitLines(stream, 10)) texts.push(new TextDecoder().decode(line.bytes));
    expect(texts).toEqual(['é', 'ü']);
  });

  it('skips the bytes of a line that is too long and continues with the next', async () => {
    expect(await linesIn(['12345', '678901\nab\n12345678901'], 10)).toEqual([
      [1, undefined],
      [2, 'ab'],
      [3, undefined],
    ]);
    expect(await linesIn(['1234567890\n'], 10)).toEqual([[1, '1234567890']]);
  });

  it('returns no line for no bytes', async () => {
    expect(await linesIn([])).toEqual([]);
    expect(await linesIn([''])).toEqual([]);
  });
});
