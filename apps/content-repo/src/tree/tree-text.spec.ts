import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ByteWriter, TreeWriter } from './tree-text.js';

const encoded = (texts: readonly string[], publicUrl = 'https://host') => {
  const writer = new ByteWriter(publicUrl);
  const pieces = texts.flatMap((text) => {
    writer.put(text);
    return writer.complete();
  });
  return [...pieces, ...writer.rest()];
};
const textOf = (pieces: readonly Uint8Array[]): string => Buffer.concat(pieces).toString('utf8');

describe('ByteWriter', () => {
  it('replaces the placeholder by the public URL, even when it spans two texts', () => {
    const text = '{"a":"\u0001/x","b":"\u0001/y"}';
    expect(textOf(encoded([...text]))).toBe('{"a":"https://host/x","b":"https://host/y"}');
    expect(textOf(encoded([text], 'http://h$&$1'))).toBe('{"a":"http://h$&$1/x","b":"http://h$&$1/y"}');
  });

  it('returns chunks of about 256 KiB for any text', () => {
    for (const unit of ['a', 'ü', '漢', '💥']) {
      const pieces = encoded(Array.from({ length: 4_000 }, () => unit.repeat(300)));
      expect(textOf(pieces)).toBe(unit.repeat(1_200_000));
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(262_144);
      expect(Math.min(...pieces.slice(0, -1).map(({ length }) => length))).toBeGreaterThan(65_536);
    }
  });

  it('accepts a text larger than a chunk', () => {
    const large = 'x'.repeat(5_000_000);
    expect(textOf(encoded(['[', large, ']']))).toBe(`[${large}]`);
  });

  it('does not write into a chunk that was already returned', () => {
    const writer = new ByteWriter('');
    writer.put('first');
    const [first] = writer.rest();
    writer.put('other');
    expect([Buffer.from(first ?? []).toString(), textOf(writer.rest())]).toEqual(['first', 'other']);
    expect(writer.rest()).toEqual([]);
  });

  it('returns any text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })), (texts) => {
        expect(textOf(encoded(texts.map((text) => text.replaceAll('\u0001', ''))))).toBe(
          texts.join('').replaceAll('\u0001', ''),
        );
      }),
    );
  });
});

type Json = ReturnType<typeof JSON.parse>;
type Node = { readonly id: string; readonly children: readonly Node[] };
const segment = (position: number): string => position.toString(16).padStart(8, '0');
const row = (path: string, id: string) => ({ path, opening: `{"id":"${id}"`, closing: ',"end":true}' });
const written = (rows: readonly ReturnType<typeof row>[], options = {}): Json => {
  let text = '';
  const writer = new TreeWriter((part) => (text += part), options);
  for (const each of rows) writer.write(each);
  writer.end();
  return JSON.parse(`[${text}]`);
};

describe('TreeWriter', () => {
  it('nests rows by their paths and closes elements behind their children', () => {
    const [a, b, aa, ab] = [segment(1), segment(2), segment(1) + segment(7), segment(1) + segment(9)];
    expect(written([row(a, 'a'), row(aa, 'aa'), row(ab, 'ab'), row(b, 'b')])).toEqual([
      {
        id: 'a',
        children: [
          { id: 'aa', end: true },
          { id: 'ab', end: true },
        ],
        end: true,
      },
      { id: 'b', end: true },
    ]);
  });

  it('leaves out rows below a missing parent at any depth', () => {
    const deep = segment(1) + segment(2) + segment(3);
    expect(
      written([row(segment(1), 'a'), row(deep, 'no'), row(deep + segment(4), 'no'), row(segment(5), 'b')]),
    ).toEqual([
      { id: 'a', end: true },
      { id: 'b', end: true },
    ]);
    expect(written([row(segment(1) + segment(2), 'no')])).toEqual([]);
  });

  it('accepts a subtree with a deep root', () => {
    const root = segment(1) + segment(2);
    expect(written([row(root, 'r'), row(root + segment(1), 'c')], { topLength: 16 })).toEqual([
      { id: 'r', children: [{ id: 'c', end: true }], end: true },
    ]);
  });

  it('writes rows as a flat list when nesting is off', () => {
    expect(
      written([row(segment(1), 'a'), row(segment(1) + segment(2), 'b'), row('', 'c'), row('', 'd')], { nested: false }),
    ).toHaveLength(4);
  });

  it('preserves the structure of any tree', () => {
    const id = fc.string({ unit: 'grapheme', maxLength: 3 });
    const trees = fc.letrec<{ node: Node }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        id.map((own) => ({ id: own, children: [] })),
        fc.record({ id, children: fc.array(tie('node'), { maxLength: 3 }) }),
      ),
    }));
    const rowsOf = (nodes: readonly Node[], path: string): { path: string; opening: string; closing: string }[] =>
      nodes.flatMap((node, index) => {
        const own = path + segment(index * 3);
        return [
          { path: own, opening: `{"id":${JSON.stringify(node.id)}`, closing: '}' },
          ...rowsOf(node.children, own),
        ];
      });
    const expected = (nodes: readonly Node[]): unknown[] =>
      nodes.map(({ id, children }) => ({ id, ...(children.length > 0 && { children: expected(children) }) }));
    fc.assert(
      fc.property(fc.array(trees.node, { maxLength: 3 }), (nodes) => {
        expect(written(rowsOf(nodes, ''))).toEqual(expected(nodes));
      }),
    );
  });
});
