import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TextRow } from '@tessera/persistence';
import { createJsonObjectFormat, type RowFormat, RowChunker, serializeRows, withEvidence } from './row-format.js';

const rows: readonly TextRow[] = [
  ['a', '1', 'x'],
  ['b', null, 'y'],
  ['c', '3', 'z'],
];
const format: RowFormat = {
  key: '',
  writer:
    () =>
    ([first]) =>
      `<${first}>`,
  separator: '+',
  width: 3,
  rowsMax: 2,
  remembered: [2, 1],
};
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('serialized rows', () => {
  it('end with the page, and a further row only sets hasMore', () => {
    const { bytes, ...end } = serializeRows(rows, format);
    expect([textOf(bytes), end]).toEqual(['<a>+<b>', { kind: 'rows', count: 2, hasMore: true, last: ['y', null] }]);
  });

  it('have hasMore false when no further row was read', () => {
    expect(serializeRows(rows.slice(0, 2), format)).toMatchObject({ count: 2, hasMore: false, last: ['y', null] });
    expect(serializeRows(rows.slice(0, 1), format)).toMatchObject({ count: 1, hasMore: false, last: ['x', '1'] });
    expect(serializeRows([], format)).toMatchObject({ count: 0, hasMore: false, last: [null, null] });
    expect(serializeRows(rows, { ...format, rowsMax: 0 })).toMatchObject({ count: 0, hasMore: true });
  });

  it('are the same bytes in chunks of about 60 KB', () => {
    const wide = { ...format, rowsMax: 1_000, writer: () => () => 'w'.repeat(1_000) };
    const many = Array.from({ length: 1_001 }, (): TextRow => rows[0] ?? []);
    const written = new RowChunker(wide);
    const pieces = [...many.flatMap((row) => written.add(row) ?? []), written.rest()];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(62_000);
    expect(Buffer.concat(pieces).equals(serializeRows(many, wide).bytes)).toBe(true);
    expect(written.end()).toEqual({ count: 1_000, hasMore: true, last: ['x', '1'] });
  });
});

describe('the format of plain JSON objects', () => {
  const columns = [
    { id: 'A "quoted"', type: 'string', exact: false },
    { id: 'N', type: 'integer', exact: false },
  ] as const;

  it('uses the column ids as member names', () => {
    const { bytes } = serializeRows(rows, createJsonObjectFormat(columns, 3));
    expect(textOf(bytes)).toBe(
      '{"A \\"quoted\\"":"a","N":1},{"A \\"quoted\\"":"b","N":null},{"A \\"quoted\\"":"c","N":3}',
    );
  });

  it('has a different cache key for different bytes', () => {
    const keyOf = (exact: boolean, id = 'N'): string => createJsonObjectFormat([{ id, type: 'integer', exact }], 3).key;
    expect(keyOf(true)).toBe(keyOf(true));
    expect(new Set([keyOf(true), keyOf(false), keyOf(true, 'M')]).size).toBe(3);
  });
});

describe('a format with evidence', () => {
  const columns = [
    { id: 'A', type: 'string', exact: false, aggregation: false },
    { id: 'N', type: 'integer', exact: false, aggregation: true },
  ] as const;
  const canonical = '{"A":"a","N":1},{"A":"b","N":null}';
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const evidenceOf = (written: readonly TextRow[], asked: RowFormat) => {
    const { bytes, evidence } = serializeRows(written, asked);
    const digest = evidence && Buffer.from(evidence.rowsDigest).toString('hex');
    return { text: textOf(bytes), digest, figures: evidence?.figures };
  };

  it('tells the digest of the canonical form, whatever it writes, and writes the same', () => {
    const plain = createJsonObjectFormat(columns, 2);
    const own = evidenceOf(rows, withEvidence(plain, columns, { isCanonical: true }));
    expect(own).toEqual({ text: canonical, digest: sha256(canonical), figures: [] });
    const other = evidenceOf(rows, withEvidence(format, columns, { isCanonical: false }));
    expect(other).toEqual({ text: '<a>+<b>', digest: sha256(canonical), figures: [] });
    expect(evidenceOf(rows, plain)).toEqual({ text: canonical, digest: undefined, figures: undefined });
  });

  it('tells the KPIs of the only row, in the order of the answer', () => {
    const order = [1, 0];
    const asked = withEvidence(createJsonObjectFormat(columns, 5, order), columns, { order, isCanonical: true });
    const only = evidenceOf(rows.slice(0, 1), asked);
    expect(only).toEqual({ text: '{"N":1,"A":"a"}', digest: sha256('{"N":1,"A":"a"}'), figures: ['1'] });
  });

  it('tells the digest of nothing for no rows', () => {
    const asked = withEvidence(createJsonObjectFormat(columns, 5), columns, { isCanonical: true });
    expect(evidenceOf([], asked).digest).toBe(sha256(''));
  });

  it('is another one for the cache', () => {
    const plain = createJsonObjectFormat(columns, 2);
    expect(withEvidence(plain, columns, { isCanonical: true }).key).not.toBe(plain.key);
  });
});
