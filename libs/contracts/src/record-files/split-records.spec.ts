import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Encoding } from './read-text.js';
import {
  maxRowBatchBytes,
  maxRecordBytes,
  splitRecords,
  type RecordFileOptions,
  type RecordFilePiece,
} from './split-records.js';

const chunksOf = async function* (bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(from, cut));
    from = cut;
  }
};

type Options = Partial<RecordFileOptions> & { readonly cuts?: readonly number[] };

const splitChunks = async (chunks: AsyncIterable<Uint8Array>, more: Options): Promise<RecordFilePiece[]> => {
  const pieces: RecordFilePiece[] = [];
  const options = { format: 'csv', hasHeader: false, delimiter: ',', ...more } as const;
  for await (const piece of splitRecords(chunks, options)) pieces.push(piece);
  return pieces;
};

const split = (given: string | Uint8Array, { cuts = [], ...more }: Options = {}): Promise<RecordFilePiece[]> =>
  splitChunks(chunksOf(typeof given === 'string' ? Buffer.from(given) : given, cuts), more);

const textsOf = (pieces: readonly RecordFilePiece[]): string =>
  pieces.map((piece) => (piece.kind === 'fault' ? `!${piece.line} ${piece.fault}` : piece.text)).join('');

/** Numbers that look like chance and are the same each time. */
const drawFrom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
};

const cellPieces = ['a', 'é', '😀', ' ', ',', '""', '\n', '\r\n', '\r', ';', '\\'];
const ends = ['\n', '\r\n', '\r'] as const;

const linesIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** UTF-16, most significant byte first or last, with its byte order mark. */
const utf16 = (text: string, isBigEndian = false): Buffer => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

const forms: readonly (readonly [name: string, of: (text: string) => Uint8Array])[] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 LE', (text) => utf16(text)],
  ['UTF-16 BE', (text) => utf16(text, true)],
  ['gzip', (text) => gzipSync(text)],
  ['gzip of UTF-16', (text) => gzipSync(utf16(text))],
];

describe('splitRecords of CSV', () => {
  it.each(forms)(
    'returns each record once, complete, with its line, however the bytes are cut: %s',
    async (_, encode) => {
      const draw = drawFrom(42);
      for (let round = 0; round < 30; round += 1) {
        const end = ends[draw(3)] ?? '\n';
        const quoted = (): string =>
          `"${Array.from({ length: draw(6) }, () => cellPieces[draw(cellPieces.length)]).join('')}"`;
        const records = Array.from(
          { length: 1 + draw(20) },
          () => `${'x'.repeat(draw(4))},${quoted()},${quoted()}${end}`,
        );
        const text = `x${records.join('')}`;
        const bytes = encode(text);
        const cuts = Array.from({ length: draw(12) }, () => draw(bytes.length)).sort((left, right) => left - right);
        const pieces = await split(bytes, { hasHeader: true, cuts });
        expect(pieces[0]).toEqual({ kind: 'header', text: `x${records[0]}` });
        expect(textsOf(pieces)).toBe(text);
        const [, batch] = pieces;
        if (batch?.kind === 'batch') expect(batch.firstLine).toBe(1 + linesIn(records[0] ?? ''));
      }
    },
  );

  it('cuts batches at record ends, below the request size, with the right lines', async () => {
    const draw = drawFrom(7);
    const records = Array.from({ length: 3_000 }, (_, n) => `${n},"${'ä"" \n'.repeat(draw(400))}"\n`);
    const text = records.join('');
    const pieces = await split(text, { cuts: Array.from({ length: 400 }, (_, n) => n * 4_099) });
    expect(pieces.length).toBeGreaterThan(5);
    expect(textsOf(pieces)).toBe(text);
    let [line, bytes] = [1, 0];
    for (const piece of pieces) {
      if (piece.kind !== 'batch') throw new Error('expected batches only');
      expect(piece.firstLine).toBe(line);
      expect(/^\d+,"/.test(piece.text)).toBe(true);
      expect(Buffer.byteLength(JSON.stringify(piece.text))).toBeLessThan(maxRecordBytes + 10);
      line += linesIn(piece.text);
      bytes += piece.bytes;
    }
    expect(bytes).toBe(Buffer.byteLength(text));
    for (const piece of pieces.slice(0, -1))
      expect(piece.kind === 'batch' ? Buffer.byteLength(JSON.stringify(piece.text)) : 0).toBeGreaterThan(
        maxRowBatchBytes / 2,
      );
  });

  it('puts a large record into its own batch', async () => {
    const [small, large] = [`${'s'.repeat(60_000)}\n`, `"${'x'.repeat(900_000)}"\n`];
    const pieces = await split(small + large + small, {});
    expect(textsOf(pieces)).toBe(small + large + small);
    expect(pieces.map((piece) => (piece.kind === 'batch' ? [piece.firstLine, piece.text.length] : piece))).toEqual([
      [1, small.length],
      [2, large.length],
      [3, small.length],
    ]);
  });

  it('leaves a last record without an end as it is', async () => {
    expect(textsOf(await split('a\nb'))).toBe('a\nb');
    expect(textsOf(await split('a\rb'))).toBe('a\rb');
    expect(await split('a', { hasHeader: true })).toEqual([{ kind: 'header', text: 'a' }]);
  });

  it('leaves out lines without values at the end, and keeps others with what follows', async () => {
    expect(textsOf(await split('a,b\n1,2\n\n,\n \t\n'))).toBe('a,b\n1,2\n');
    expect(textsOf(await split('a,b\n\n,\n1,2\n""\n'))).toBe('a,b\n\n,\n1,2\n""\n');
    expect(textsOf(await split('a;b\n1;2\n;\n', { delimiter: ';' }))).toBe('a;b\n1;2\n');
    // An empty line is the value of a file of one column.
    expect(textsOf(await split('a\n\n\n'))).toBe('a\n\n\n');
    const spreadsheet = `a,b\n1,2\n${',\n'.repeat(1_048_576)}`;
    expect(textsOf(await split(spreadsheet))).toBe('a,b\n1,2\n');
    expect((await split(`${spreadsheet}3,4\n`)).at(-1)).toEqual({ kind: 'fault', line: 3, fault: 'emptyLines' });
  });

  it('reports an unclosed quote with the line where it opens', async () => {
    expect(textsOf(await split('a\nb\n"c\nd\n'))).toBe('!3 unclosedQuote');
    const long = await split(`a\nb,"c\n${'x\n'.repeat(1_000_000)}`);
    expect(long).toEqual([{ kind: 'fault', line: 2, fault: 'longRow', openedAt: 2 }]);
    expect(await split(`a\n${'x'.repeat(1_000_000)}\n`)).toEqual([{ kind: 'fault', line: 2, fault: 'longRow' }]);
  });

  it.each<readonly [Encoding, readonly number[], readonly [line: number, byte: number, offset: number]]>([
    ['utf-8', [97, 10, 98, 10, 0xff, 10, 99, 10], [3, 0xff, 4]],
    ['utf-8', [97, 10, 98, 0xe2, 0x28, 0xa1, 10], [2, 0xe2, 3]],
    ['utf-8', [97, 10, 98, 0xe2, 0x82], [2, 0xe2, 3]],
    ['utf-8', [0xef, 0xbf, 0xbd, 10, 0xc0, 10], [2, 0xc0, 4]],
    ['utf-16le', [0xff, 0xfe, 97, 0, 10, 0, 0, 0xd8, 98, 0], [2, 0, 6]],
    ['utf-16be', [0, 97, 0, 10, 0], [2, 0, 4]],
  ])(
    'reports bytes that are not %s with line and place, however they are cut: %j',
    async (encoding, given, expected) => {
      const [line, byte, offset] = expected;
      const bytes = Uint8Array.from(given);
      for (let cut = 0; cut <= bytes.length; cut += 1)
        expect((await split(bytes, { cuts: [cut] })).at(-1)).toEqual({
          ...{ kind: 'fault', line, fault: 'encoding', encoding, byte, offset },
        });
    },
  );

  it('decodes an encoding that it is told', async () => {
    const bytes = Uint8Array.of(0x47, 0x72, 0xf6, 0xdf, 0x65, 0x80, 10);
    expect(textsOf(await split(bytes, { encoding: 'windows-1252' }))).toBe('Größe€\n');
  });

  it('reports gzip that is damaged, cut, or of several parts, and goes no further', async () => {
    const packed = gzipSync('a,b\n'.repeat(100_000));
    expect((await split(packed.subarray(0, -20), { cuts: [1, 2, 3] })).at(-1)).toMatchObject({ fault: 'compression' });
    expect(textsOf(await split(Uint8Array.of(0x1f, 0x8b, 1, 2, 3)))).toBe('!1 compression');
    expect(textsOf(await split(Buffer.concat([gzipSync('a\n'), gzipSync('b\n')])))).toMatch(/!\d compression$/);
  });

  it('passes on why a file cannot be read', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(gzipSync('a\n').subarray(0, 10));
      throw new Error('the disk is gone');
    };
    await expect(splitChunks(failing(), {})).rejects.toThrow('the disk is gone');
  });

  it('reports a file without text', async () => {
    for (const bytes of ['', '\uFEFF', gzipSync('')])
      expect(await split(bytes, { hasHeader: true })).toEqual([{ kind: 'fault', line: 1, fault: 'empty' }]);
  });
});

describe('splitRecords of JSON Lines', () => {
  it('ends a record at each line break, regardless of quotes', async () => {
    const text = '{"a":"\\""}\n{"b":"\\r"}\r\n\n{"c":1}\r{"d":1}';
    expect(textsOf(await split(text, { format: 'jsonl', cuts: [3, 11] }))).toBe(text);
    expect(textsOf(await split('x'.repeat(1_000_000), { format: 'jsonl' }))).toBe('!1 longRow');
  });
});
