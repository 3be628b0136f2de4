import { describe, expect, it } from '@jest/globals';
import { nodeAt } from './positioned-node.js';
import { readYamlText } from './yaml-text.js';

describe('a YAML text', () => {
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

  it('is one value, with cultures as texts', () => {
    const { value, faults } = readYamlText(text);
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
  ])('has the place of %s (%j)', (path, message, line, column) => {
    expect(readYamlText(text).placeOf(path, message)).toEqual({ line, column });
  });

  it('tells a number without quotes from a text', () => {
    const { root } = readYamlText('a: 1.0\nb: "1.0"\nc: one\nd: yes\ne: true\n');
    const bare = (path: string): boolean => {
      const node = nodeAt(root(), path);
      return node?.kind === 'scalar' && node.bare;
    };
    expect(['a', 'b', 'c', 'd', 'e'].filter(bare)).toEqual(['a', 'e']);
  });

  it('has every fault of its form with its place', () => {
    const { faults, value } = readYamlText('a: 1\na: 2\nb: [1\nc: 3\n');
    expect(value).toBe(undefined);
    expect(faults.map(({ line, column }) => [line, column])).toEqual(
      expect.arrayContaining([
        [2, 1],
        [4, 1],
      ]),
    );
    expect(faults[0]?.message).toMatch(/^is not YAML: /);
  });

  it('refuses unknown tags, further documents and aliases without end', () => {
    expect(readYamlText('a: !thing 1\n').faults).toHaveLength(1);
    expect(readYamlText('a: 1\n---\nb: 2\n').faults).toHaveLength(1);
    const bomb = [
      'a0: &a0 [x, x]',
      ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`),
    ];
    expect(readYamlText(bomb.join('\n')).faults).toHaveLength(1);
  });

  it('refuses nesting that no reader follows', () => {
    expect(readYamlText('['.repeat(50_000)).faults.length).toBeGreaterThan(0);
  });
});
