import { expect, it } from '@jest/globals';
import { detectSettings, previewOf, readStart, type FileStart } from './csv-preview.js';

const startOf = (...bytes: readonly (string | number)[]): FileStart => ({
  bytes: Uint8Array.from(
    bytes.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  ),
  isCut: false,
});

it('a file says how it is read', () => {
  expect(detectSettings(startOf('a;b\n1;2\n'))).toEqual({ encoding: 'utf-8', delimiter: ';', hasHeader: true });
  expect(detectSettings(startOf('Gr', 0xf6, 0xdf, 'e,b\n')).encoding).toBe('windows-1252');
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

it('an empty file has neither', () => {
  expect(previewOf(startOf(), detectSettings(startOf()))).toEqual({ header: undefined, rows: [], width: 0 });
});

it('only the beginning of a large file is read', async () => {
  const { bytes, isCut } = await readStart(new Blob(['x,y\n'.repeat(100_000)]));
  expect([bytes.length, isCut]).toEqual([262_144, true]);
  expect(await readStart(new Blob(['x']))).toMatchObject({ isCut: false });
});
