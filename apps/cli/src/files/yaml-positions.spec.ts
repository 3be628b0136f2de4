import { describe, expect, it } from '@jest/globals';
import { Document, Scalar } from 'yaml';
import { readYamlText, readYamlTexts } from './yaml-text.js';

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
      const { value: read, placeOf } = readYamlText(text);
      expect(read).toEqual({ list: [{ id: 'x', expression: value }] });
      for (const [position, character] of value.split('').entries()) {
        if (/[\s'"\\]/.test(character)) continue;
        expect(characterAt(text, placeOf('list.0.expression', 'Expected a field.', position))).toBe(character);
      }
    }
  });

  it('behind the end is the end', () => {
    expect(readYamlText("a: 'sum('\n").placeOf('a', 'Expected a field.', 4)).toEqual({ line: 1, column: 9 });
    expect(readYamlText('a: sum(\n').placeOf('a', 'Expected a field.', 4)).toEqual({ line: 1, column: 8 });
  });

  it('is that of the value when the value is no string', () => {
    expect(readYamlText('a: 12\n').placeOf('a', 'Expected a field.', 1)).toEqual({ line: 1, column: 4 });
    expect(readYamlText('a: 12\n').placeOf('b', 'Expected a field.', 1)).toEqual({ line: 1, column: 1 });
  });
});

describe('readYamlTexts', () => {
  it('returns several documents with positions in the whole file', () => {
    const [first, second, ...more] = readYamlTexts('# models\nid: a\n---\nid: b\nkpis:\n  - id: C\n---\n');
    expect(more).toEqual([]);
    expect([first?.value, second?.value]).toEqual([{ id: 'a' }, { id: 'b', kpis: [{ id: 'C' }] }]);
    expect(second?.placeOf('kpis.0.id', '')).toEqual({ line: 6, column: 9 });
  });

  it('returns syntax faults with positions, and a fault for an empty file', () => {
    const texts = readYamlTexts('id: a\n---\nid: [\n');
    expect(texts.map(({ faults }) => faults.length > 0)).toEqual([false, true]);
    expect(texts[1]?.faults[0]?.line).toBe(4);
    expect(readYamlTexts('')).toMatchObject([{ value: undefined, faults: [] }]);
    expect(readYamlTexts('# nothing\n---\n')).toMatchObject([{ value: undefined, faults: [] }]);
    expect(readYamlTexts('['.repeat(50_000))).toMatchObject([{ value: undefined }]);
  });
});
