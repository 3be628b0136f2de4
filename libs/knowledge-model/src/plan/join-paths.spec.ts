import { describe, expect, it } from '@jest/globals';
import type { Cardinality } from '@tessera/contracts/knowledge-models';
import { isToOnePath, findJoinPath } from './join-paths.js';

/** `A>B`: many to one; `A<B`: one to many; `A=B`: one to one; `A*B`: many to many. */
const relationships = (texts: string) => {
  const cardinalities: Readonly<Record<string, Cardinality>> = {
    '>': 'many-to-one',
    '<': 'one-to-many',
    '=': 'one-to-one',
    '*': 'many-to-many',
  };
  return texts.split(' ').map((text) => {
    const [from = '', sign = '', to = ''] = text.split(/([<>=*])/);
    return { from, to, on: [{ from: `${from}_ID`, to: 'ID' }], cardinality: cardinalities[sign] ?? 'one-to-one' };
  });
};

const wayIn = (texts: string, from: string, to: string): string | undefined => {
  const way = findJoinPath(relationships(texts), from, to);
  return way && [`${isToOnePath(way) ? 'one' : 'many'}:`, from, ...way.map((step) => step.to)].join(' ');
};

describe('the join path between two records', () => {
  it.each([
    ['A>B', 'A', 'B', 'one: A B'],
    ['A>B', 'B', 'A', 'many: B A'],
    ['A<B', 'B', 'A', 'one: B A'],
    ['A=B', 'B', 'A', 'one: B A'],
    ['A*B', 'A', 'B', 'many: A B'],
    ['A*B', 'B', 'A', 'many: B A'],
    ['A>B B>C', 'A', 'C', 'one: A B C'],
    ['A>B B>C', 'C', 'A', 'many: C B A'],
    ['A>B C>B', 'A', 'C', 'many: A B C'],
    ['A>B', 'A', 'A', 'one: A'],
    ['A>A A>B', 'A', 'B', 'one: A B'],
    ['A>B C>D', 'A', 'D', undefined],
    ['A>B', 'A', 'Z', undefined],
  ])('in %s from %s to %s is %s', (texts, from, to, way) => {
    expect(wayIn(texts, from, to)).toBe(way);
  });

  it('is a longer path if it leads to one row at every step', () => {
    expect(wayIn('A<D A>B B>C C>D', 'A', 'D')).toBe('one: A B C D');
  });

  it('is the shortest of the paths that lead to one row', () => {
    expect(wayIn('A>B B>C C>D A>X X>D', 'A', 'D')).toBe('one: A X D');
  });

  it('among paths of equal length is the one whose relationships are defined first', () => {
    expect(wayIn('A>C C>D A>B B>D', 'A', 'D')).toBe('one: A C D');
    expect(wayIn('A>B A>C C>D B>D', 'A', 'D')).toBe('one: A B D');
    expect(wayIn('C>D A>B B>D A>C', 'A', 'D')).toBe('one: A B D');
    const [step] = findJoinPath(
      [...relationships('A>B'), { ...relationships('A>B')[0], from: 'A', to: 'B', on: [], cardinality: 'one-to-one' }],
      'A',
      'B',
    ) ?? [undefined];
    expect(step?.on).toHaveLength(1);
  });

  it('has its keys swapped in the opposite direction', () => {
    const [there] = findJoinPath(relationships('A>B'), 'A', 'B') ?? [];
    const [back] = findJoinPath(relationships('A>B'), 'B', 'A') ?? [];
    expect([there?.on, back?.on]).toEqual([[{ from: 'A_ID', to: 'ID' }], [{ from: 'ID', to: 'A_ID' }]]);
    expect(there?.id).not.toBe(back?.id);
  });
});
