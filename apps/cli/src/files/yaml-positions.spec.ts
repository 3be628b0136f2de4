import { describe, expect, it } from '@jest/globals';
import { Document, Scalar } from 'yaml';
import { readYamlDocument, readYamlDocuments } from './yaml-text.js';

const styles = [
  Scalar.PLAIN,
  Scalar.QUOTE_SINGLE,
  Scalar.QUOTE_DOUBLE,
  Scalar.BLOCK_LITERAL,
  Scalar.BLOCK_FOLDED,
] as const;

const values = [
  "case when AMOUNT >= 10000 then 'large' else 'small' end",
  "a 'quoted ''one''' and \"another\" with \\ in it",
  'two words and then quite a lot more of them so that the line is folded at its width somewhere in the middle of it all',
  "first line\n  second 'line', indented\n\nfourth line",
  'Größe ≥ 1 \u{1F600} end',
];

/** The character of the text at a place. */
const characterAt = (text: string, { line, column }: { readonly line: number; readonly column: number }): string =>
  text.split('\n')[line - 1]?.slice(column - 1, column) ?? '';

describe('the position of a character of a scalar', () => {
  it.each(styles)('is found in a %s', (type) => {
    for (const value of values) {
      const scalar = new Scalar(value);
      scalar.type = type;
      const text = new Document({ list: [{ id: 'x', expression: scalar }] }).toString({ lineWidth: 40 });
      const { value: read, placeOf } = readYamlDocument(text);
      expect(read).toEqual({ list: [{ id: 'x', expression: value }] });
      for (const [position, character] of value.split('').entries()) {
        if (/[\s'"\\]/.test(character)) continue;
        expect(characterAt(text, placeOf('list.0.expression', 'Expected a field.', position))).toBe(character);
      }
    }
  });

  it('is the end of the scalar for an offset behind the end', () => {
    expect(readYamlDocument("a: 'sum('\n").placeOf('a', 'Expected a field.', 4)).toEqual({ line: 1, column: 9 });
    expect(readYamlDocument('a: sum(\n').placeOf('a', 'Expected a field.', 4)).toEqual({ line: 1, column: 8 });
  });

  it('is the position of the value when the value is not a string', () => {
    expect(readYamlDocument('a: 12\n').placeOf('a', 'Expected a field.', 1)).toEqual({ line: 1, column: 4 });
    expect(readYamlDocument('a: 12\n').placeOf('b', 'Expected a field.', 1)).toEqual({ line: 1, column: 1 });
  });
});

describe('readYamlDocuments', () => {
  it('returns several documents with positions in the whole file', () => {
    const [first, second, ...more] = readYamlDocuments('# models\nid: a\n---\nid: b\nkpis:\n  - id: C\n---\n');
    expect(more).toEqual([]);
    expect([first?.value, second?.value]).toEqual([{ id: 'a' }, { id: 'b', kpis: [{ id: 'C' }] }]);
    expect(second?.placeOf('kpis.0.id', '')).toEqual({ line: 6, column: 9 });
  });

  it('returns syntax faults with positions, and a fault for an empty file', () => {
    const texts = readYamlDocuments('id: a\n---\nid: [\n');
    expect(texts.map(({ faults }) => faults.length > 0)).toEqual([false, true]);
    expect(texts[1]?.faults[0]?.line).toBe(4);
    expect(readYamlDocuments('')).toMatchObject([{ value: undefined, faults: [] }]);
    expect(readYamlDocuments('# nothing\n---\n')).toMatchObject([{ value: undefined, faults: [] }]);
    expect(readYamlDocuments('['.repeat(50_000))).toMatchObject([{ value: undefined }]);
  });
});
