import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteWriter } from './byte-writer.js';

const written = (texts: readonly string[], publicUrl = 'https://host') => {
  const writer = new ByteWriter(publicUrl);
  const pieces = texts.flatMap((text) => {
    writer.put(text);
    return writer.complete();
  });
  return [...pieces, ...writer.rest()];
};
const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString('utf8');

describe('ByteWriter', () => {
  it('puts the public URL where the mark stands, also at the seams', () => {
    const text = '{"a":"\u0001/x","b":"\u0001/y"}';
    expect(textOf(written([...text]))).toBe('{"a":"https://host/x","b":"https://host/y"}');
    expect(textOf(written([text], 'http://h$&$1'))).toBe('{"a":"http://h$&$1/x","b":"http://h$&$1/y"}');
  });

  it('answers pieces of about a quarter of a megabyte, whatever the texts are like', () => {
    for (const unit of ['a', 'ü', '漢', '💥']) {
      const pieces = written(Array.from({ length: 4_000 }, () => unit.repeat(300)));
      expect(textOf(pieces)).toBe(unit.repeat(1_200_000));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(262_144);
      expect(Math.min(...pieces.slice(0, -1).map(({ length }) => length))).toBeGreaterThan(65_536);
    }
  });

  it('takes a text that is larger than a piece', () => {
    const large = 'x'.repeat(5_000_000);
    expect(textOf(written(['[', large, ']']))).toBe(`[${large}]`);
  });

  it('does not write into a piece that was taken', () => {
    const writer = new ByteWriter('');
    writer.put('first');
    const [first] = writer.rest();
    writer.put('other');
    expect([Buffer.from(first ?? []).toString(), textOf(writer.rest())]).toEqual(['first', 'other']);
    expect(writer.rest()).toEqual([]);
  });

  it('keeps any text as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })), (texts) => {
        expect(textOf(written(texts.map((text) => text.replaceAll('\u0001', ''))))).toBe(
          texts.join('').replaceAll('\u0001', ''),
        );
      }),
    );
  });
});
