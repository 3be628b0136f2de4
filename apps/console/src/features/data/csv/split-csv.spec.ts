import { describe, expect, it } from '@jest/globals';
import { batchBytesMax, chunksOf, recordBytesMax, splitCsv, type CsvPiece, type Encoding } from './split-csv.js';

type Options = { readonly hasHeader?: boolean; readonly encoding?: Encoding; readonly cuts?: readonly number[] };

async function* chunks(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(from, cut));
    from = cut;
  }
}

const split = (given: string | Uint8Array, options: Options = {}): Promise<readonly CsvPiece[]> => {
  const { hasHeader = false, encoding = 'utf-8', cuts = [] } = options;
  const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
  return Array.fromAsync(splitCsv(chunks(bytes, cuts), { encoding, hasHeader }));
};
const textOf = (pieces: readonly CsvPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'fault' ? `!${piece.line} ${piece.fault}` : piece.text)).join('');
const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** Numbers that look like chance and are the same each time. */
const drawFrom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
};
const cellPieces = ['a', 'é', '😀', ' ', ',', '""', '\n', '\r\n', '\r', ';', '\\'];
const ends = ['\n', '\r\n', '\r'];

describe('batches of a CSV file', () => {
  it('hold each record once and whole, with the line of the first, however the file is cut', async () => {
    const draw = drawFrom(42);
    for (let round = 0; round < 60; round += 1) {
      const end = ends[draw(3)] ?? '\n';
      const cell = (): string => `"${Array.from({ length: draw(6) }, () => cellPieces[draw(11)]).join('')}"`;
      const records = Array.from({ length: 2 + draw(20) }, () => `${'x'.repeat(draw(4))},${cell()},${cell()}${end}`);
      const bytes = new TextEncoder().encode(records.join(''));
      const cuts = Array.from({ length: draw(12) }, () => draw(bytes.length)).toSorted((one, other) => one - other);
      const [header = '', ...rows] = records;
      const pieces = await split(bytes, { hasHeader: true, cuts });
      expect(textOf(pieces)).toBe(rows.join(''));
      expect(pieces[0]).toMatchObject({ kind: 'batch', firstLine: 1 + linesIn(header) });
    }
  });

  it('end at ends of records, below the size of a request, and count lines', async () => {
    const draw = drawFrom(7);
    const text = Array.from({ length: 3_000 }, (_, at) => `${at},"${'a"" \n'.repeat(draw(400))}"\n`).join('');
    const pieces = await split(text, { cuts: Array.from({ length: 400 }, (_, at) => at * 4_099) });
    expect(pieces.length).toBeGreaterThan(5);
    expect(textOf(pieces)).toBe(text);
    let line = 1;
    for (const [at, piece] of pieces.entries()) {
      if (piece.kind !== 'batch') throw new Error('expected batches only');
      const bytes = new TextEncoder().encode(piece.text).length;
      const jsonBytes = new TextEncoder().encode(JSON.stringify(piece.text)).length;
      expect([piece.firstLine, piece.bytes]).toEqual([line, bytes]);
      expect(piece.text).toMatch(/^\d+,"/);
      expect(jsonBytes).toBeLessThan(recordBytesMax + 10);
      if (at < pieces.length - 1) expect(jsonBytes).toBeGreaterThan(batchBytesMax / 2);
      line += linesIn(piece.text);
    }
  });

  it('leave a large record alone in its batch', async () => {
    const [small, large] = [`${'s'.repeat(60_000)}\n`, `"${'x'.repeat(900_000)}"\n`];
    const pieces = await split(small + large + small);
    expect(pieces.map((piece) => piece.kind === 'batch' && [piece.firstLine, piece.text.length])).toEqual([
      [1, small.length],
      [2, large.length],
      [3, small.length],
    ]);
  });

  it('end the last record, and are none of an empty file', async () => {
    expect(textOf(await split('a\nb'))).toBe('a\nb\n');
    expect(textOf(await split('a\rb\r'))).toBe('a\rb\r');
    expect([await split(''), await split('', { hasHeader: true }), await split('a,b', { hasHeader: true })]).toEqual([
      ...[[], [], []],
    ]);
  });

  it('have no byte order mark', async () => {
    for (const cuts of [[], [1], [1, 2], [3]]) expect(textOf(await split('\uFEFFa\nb\n', { cuts }))).toBe('a\nb\n');
  });

  it('of another encoding are the same text', async () => {
    const bytes = Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65, 0x80, 10);
    expect(textOf(await split(bytes, { encoding: 'windows-1252' }))).toBe('Größe€\n');
    const long = await split(new Uint8Array(400_000).fill(0xe4).with(399_999, 10), { encoding: 'windows-1252' });
    expect(textOf(long)).toBe('!1 longRow');
  });
});

describe('what is wrong with a file is said with its line:', () => {
  it('a quote that is never closed', async () => {
    expect(textOf(await split('a\nb\n"c\nd\n'))).toBe('!3 unclosedQuote');
    expect(textOf(await split(`a\n"b\n${'x\n'.repeat(1_000_000)}`))).toBe('!2 longRow');
  });

  it('a row that no request can hold', async () => {
    expect(textOf(await split(`a\n${'x'.repeat(1_000_000)}\n`))).toBe('!2 longRow');
  });

  it('what is not of the encoding', async () => {
    const bytes = Uint8Array.of(97, 10, 98, 10, 0xff, 10, 99, 10);
    expect(textOf(await split(bytes))).toBe('!3 encoding');
    expect(textOf(await split(Uint8Array.of(0xff, 10, 97, 10), { hasHeader: true }))).toBe('!1 encoding');
  });
});

it('a file is read in pieces', async () => {
  const file = new Blob(['x'.repeat(1_200_000)]);
  const lengths = (await Array.fromAsync(chunksOf(file))).map(({ length }) => length);
  expect(lengths).toEqual([524_288, 524_288, 151_424]);
});
