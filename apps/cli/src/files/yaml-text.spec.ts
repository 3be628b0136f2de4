import { describe, expect, it } from '@jest/globals';
import { findNodeAt } from './positioned-node.js';
import { readYamlDocument } from './yaml-text.js';

describe('readYamlDocument', () => {
  const text = `kind: Elements
elements:
  - id: a
    version: 1.0
    attributes:
      name: { 1033: Order }
  - &second
    id: b
    tags: [x, y]
  - *second
`;

  it('parses one value and keeps cultures as strings', () => {
    const { value, faults } = readYamlDocument(text);
    expect(faults).toEqual([]);
    expect(value).toMatchObject({
      elements: [{ id: 'a', attributes: { name: { '1033': 'Order' } } }, { id: 'b' }, { id: 'b' }],
    });
  });

  it.each([
    ['kind', '', 1, 7],
    ['elements.0.id', '', 3, 9],
    ['elements.0.id', 'unknown member "id"', 3, 5],
    ['elements.0.attributes', '', 5, 5],
    ['elements.0.attributes.name.1033', '', 6, 21],
    ['elements.1.tags.1', '', 9, 15],
    ['elements.1.type', '', 8, 5],
    ['elements', '', 2, 1],
    ['', '', 1, 1],
  ])('returns the position of %s (%j)', (path, message, line, column) => {
    expect(readYamlDocument(text).placeOf(path, message)).toEqual({ line, column });
  });

  it('distinguishes an unquoted number from a string', () => {
    const { root } = readYamlDocument('a: 1.0\nb: "1.0"\nc: one\nd: yes\ne: true\n');
    const bare = (path: string): boolean => {
      const node = findNodeAt(root(), path);
      return node?.kind === 'scalar' && node.bare;
    };
    expect(['a', 'b', 'c', 'd', 'e'].filter(bare)).toEqual(['a', 'e']);
  });

  it('returns every syntax fault with its position', () => {
    const { faults, value } = readYamlDocument('a: 1\na: 2\nb: [1\nc: 3\n');
    expect(value).toBe(undefined);
    expect(faults.map(({ line, column }) => [line, column])).toEqual(
      expect.arrayContaining([
        [2, 1],
        [4, 1],
      ]),
    );
    expect(faults[0]?.message).toMatch(/^is not YAML: /);
  });

  it('rejects unknown tags, further documents and endless aliases', () => {
    expect(readYamlDocument('a: !thing 1\n').faults).toHaveLength(1);
    expect(readYamlDocument('a: 1\n---\nb: 2\n').faults).toHaveLength(1);
    const bomb = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`),
    ];
    expect(readYamlDocument(bomb.join('\n')).faults).toHaveLength(1);
  });

  it('rejects nesting that is too deep', () => {
    expect(readYamlDocument('['.repeat(50_000)).faults.length).toBeGreaterThan(0);
  });
});
