import { describe, expect, it } from '@jest/globals';
import {
  maxRowBatchBytes,
  maxRecordBytes,
  splitRecords,
  type RecordFormat,
  type RecordFilePiece,
} from './split-records.js';

const chunksOf = async function* (bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield await Promise.resolve(bytes.subarray(from, cut));
    from = cut;
  }
};

const split = async (
  given: string | Uint8Array,
  {
    format = 'csv',
    header = false,
    cuts = [],
  }: { format?: RecordFormat; header?: boolean; cuts?: readonly number[] } = {},
): Promise<readonly RecordFilePiece[]> => {
  const bytes = typeof given === 'string' ? Buffer.from(given) : given;
  const pieces: RecordFilePiece[] = [];
  for await (const piece of splitRecords(chunksOf(bytes, cuts), format, header)) pieces.push(piece);
  return pieces;
};

const textsOf = (pieces: readonly RecordFilePiece[]): string =>
  pieces.map((piece) => (piece.kind === 'fault' ? `!${piece.line} ${piece.message}` : piece.text)).join('');

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

describe('splitRecords of CSV', () => {
  it('returns each record exactly once, complete and with its line number, however the bytes are chunked', async () => {
    const draw = drawFrom(42);
    for (let round = 0; round < 60; round += 1) {
      const end = ends[draw(3)] ?? '\n';
      const quoted = (): string =>
        `"${Array.from({ length: draw(6) }, () => cellPieces[draw(cellPieces.length)]).join('')}"`;
      const records = Array.from(
        { length: 1 + draw(20) },
        () => `${'x'.repeat(draw(4))},${quoted()},${quoted()}${end}`,
      );
      const text = records.join('');
      const bytes = Buffer.from(text);
      const cuts = Array.from({ length: draw(12) }, () => draw(bytes.length)).sort((left, right) => left - right);
      const pieces = await split(bytes, { header: true, cuts });
      expect(pieces[0]).toEqual({ kind: 'header', text: records[0] });
      expect(textsOf(pieces)).toBe(text);
      const [, batch] = pieces;
      if (batch?.kind === 'batch') expect(batch.firstLine).toBe(1 + linesIn(records[0] ?? ''));
    }
  });

  it('cuts batches at record ends, below the request size, with the right lines', async () => {
    const draw = drawFrom(7);
    const records = Array.from({ length: 3_000 }, (_, n) => `${n},"${'a"" \n'.repeat(draw(400))}"\n`);
    const pieces = await split(records.join(''), { cuts: Array.from({ length: 400 }, (_, n) => n * 4_099) });
    expect(pieces.length).toBeGreaterThan(5);
    expect(textsOf(pieces)).toBe(records.join(''));
    let line = 1;
    for (const piece of pieces) {
      if (piece.kind !== 'batch') throw new Error('expected batches only');
      expect(piece.firstLine).toBe(line);
      expect(/^\d+,"/.test(piece.text)).toBe(true);
      expect(piece.bytes).toBe(Buffer.byteLength(piece.text));
      expect(Buffer.byteLength(JSON.stringify(piece.text))).toBeLessThan(maxRecordBytes + 10);
      line += linesIn(piece.text);
    }
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

  it('adds a missing line end to the last record', async () => {
    expect(textsOf(await split('a\nb'))).toBe('a\nb\n');
    expect(textsOf(await split('a\rb\r'))).toBe('a\rb\r');
    expect(await split('a', { header: true })).toEqual([{ kind: 'header', text: 'a\n' }]);
    expect(await split('')).toEqual([]);
    expect(await split('', { header: true })).toEqual([]);
  });

  it('removes the byte order mark, however the bytes are chunked', async () => {
    for (const cuts of [[], [1], [1, 2], [3], [1, 2, 3]])
      expect(textsOf(await split('\uFEFFa\nb\n', { cuts }))).toBe('a\nb\n');
    expect(textsOf(await split('ab', { cuts: [1] }))).toBe('ab\n');
  });

  it('reports an unclosed quote with the line where it opens', async () => {
    expect(textsOf(await split('a\nb\n"c\nd\n'))).toBe('!3 a quote is opened here and never closed');
    const long = await split(`a\n"b\n${'x\n'.repeat(1_000_000)}`);
    expect(textsOf(long)).toBe(
      `!2 is longer than the ${maxRecordBytes} bytes that a row may have; a quote is opened in line 2, is it closed?`,
    );
  });

  it('reports invalid UTF-8 with its line', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nb\n'), Buffer.of(0xff, 10), Buffer.from('c\n')]);
    expect(textsOf(await split(bytes))).toBe('!3 is not UTF-8');
  });
});

describe('splitRecords of JSON Lines', () => {
  it('ends a record at each line break, regardless of quotes', async () => {
    const text = '{"a":"\\""}\n{"b":"\\r"}\r\n\n{"c":1}';
    expect(textsOf(await split(text, { format: 'jsonl', cuts: [3, 11] }))).toBe(`${text}\n`);
    expect(textsOf(await split('x'.repeat(1_000_000), { format: 'jsonl' }))).toMatch(/^!1 is longer than/);
  });
});
