import { expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { chunksOf, detectSettings, previewOf, readStart, type FileStart } from './csv-preview.js';

const startOf = (...bytes: readonly (string | number)[]): FileStart => ({
  bytes: Uint8Array.from(
    bytes.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  ),
  isCut: false,
});

it('a file says how it is read', () => {
  expect(detectSettings(startOf('a;b\n1;2\n'))).toEqual({ encoding: 'utf-8', delimiter: ';', hasHeader: true });
  expect(detectSettings(startOf('Gr', 0xf6, 0xdf, 'e,b\n')).encoding).toBe('windows-1252');
  expect(detectSettings(startOf(0xff, 0xfe, 'a', 0, ';', 0, 'b', 0, 10, 0))).toMatchObject({
    ...{ encoding: 'utf-16le', delimiter: ';' },
  });
  expect(detectSettings(startOf(0, 'a', 0, ',', 0, 'b', 0, 10)).encoding).toBe('utf-16be');
  // The last character is cut.
  expect(detectSettings({ ...startOf('a,b\n', 0xc3), isCut: true }).encoding).toBe('utf-8');
});

it('the first record is the header, or a row', () => {
  const start = startOf('\uFEFFa,b\n1,"2\n3"\n4,5\n');
  const settings = detectSettings(start);
  expect(previewOf(start, settings)).toEqual({
    header: ['a', 'b'],
    rows: [
      { line: 2, values: ['1', '2\n3'] },
      { line: 4, values: ['4', '5'] },
    ],
    width: 2,
  });
  expect(previewOf(start, { ...settings, hasHeader: false })).toMatchObject({ header: undefined, rows: { length: 3 } });
});

it('a delimiter at the end of the header is no column', () => {
  const start = startOf('a,b, ,\n1,2,,\n');
  expect(previewOf(start, detectSettings(start))).toMatchObject({ header: ['a', 'b'], width: 2 });
});

it('an empty file has neither', () => {
  expect(previewOf(startOf(), detectSettings(startOf()))).toEqual({ header: undefined, rows: [], width: 0 });
});

it('only the beginning of a large file is read', async () => {
  const { bytes, isCut } = await readStart(new Blob(['x,y\n'.repeat(100_000)]));
  expect([bytes.length, isCut]).toEqual([262_144, true]);
  expect(await readStart(new Blob(['x']))).toMatchObject({ isCut: false });
  const packed = await readStart(new Blob([gzipSync('x,y\n'.repeat(100_000))]));
  expect(packed).toEqual({ bytes, isCut: true });
});

it('a file is read in pieces', async () => {
  const file = new Blob(['x'.repeat(1_200_000)]);
  const lengths = (await Array.fromAsync(chunksOf(file))).map(({ length }) => length);
  expect(lengths).toEqual([524_288, 524_288, 151_424]);
});
