import { describe, expect, it } from '@jest/globals';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { readPng, shrinkPng } from './small-png.js';

const part = (type: string, data: readonly number[] | Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

const pngOf = (width: number, height: number, colourType: number, lines: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    part('IHDR', [0, 0, 0, width, 0, 0, 0, height, 8, colourType, 0, 0, 0]),
    part('IDAT', deflateSync(Buffer.from(lines))),
    part('IEND', []),
  ]);

describe('a picture of a browser', () => {
  it.each([
    ['as they are', 0, [1, 2, 3, 9, 9, 9]],
    ['as differences to the left', 1, [1, 2, 3, 8, 7, 6]],
    ['as differences to the line above', 2, [246, 236, 226, 225, 215, 205]],
    ['as differences to the mean of both', 3, [252, 247, 243, 245, 239, 234]],
    ['as differences to the nearest of three', 4, [246, 236, 226, 225, 243, 232]],
  ])('is read when its bytes were written %s', (_, filter, bytes) => {
    const above = [11, 22, 33, 40, 50, 60];
    const { pixels } = readPng(pngOf(2, 2, 2, [0, ...above, filter, ...bytes]));
    expect([...pixels.subarray(0, 6)]).toEqual(above);
    expect([...pixels.subarray(6)]).toEqual([1, 2, 3, 9, 9, 9]);
  });

  it('that is interlaced or has 16 bits is refused', () => {
    expect(() => readPng(pngOf(1, 1, 0, [0, 1]))).toThrow('8 bits');
  });
});

/** The colours of a picture with a palette, pixel by pixel. */
const coloursOf = (png: Buffer): readonly string[] => {
  const bodyOf = (type: string): Buffer => {
    const at = png.indexOf(type);
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  };
  const [width, palette, lines] = [png.readUInt32BE(16), bodyOf('PLTE'), inflateSync(bodyOf('IDAT'))];
  return [...lines].flatMap((place, at) =>
    at % (width + 1) === 0 ? [] : [palette.subarray(place * 3, place * 3 + 3).toString('hex')],
  );
};

describe('a small picture', () => {
  it('has the same colours', () => {
    const small = shrinkPng(pngOf(2, 2, 6, [0, ...[1, 2, 3, 255, 4, 5, 6, 255], 0, ...[4, 5, 6, 255, 7, 8, 9, 255]]));
    expect(coloursOf(small)).toEqual(['010203', '040506', '040506', '070809']);
  });

  it('of more than 256 colours has the nearest of those that it has most of', () => {
    const often = Array.from({ length: 256 }, (_, red) => [red, 0, 0, red, 0, 0]).flat();
    const small = shrinkPng(
      pngOf(
        171,
        3,
        2,
        [...often, 7, 1, 0].flatMap((byte, at) => (at % 513 === 0 ? [0, byte] : [byte])),
      ),
    );
    expect(coloursOf(small).at(-1)).toBe('070000');
  });
});
