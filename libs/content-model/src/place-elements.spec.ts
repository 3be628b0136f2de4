import { describe, expect, it } from '@jest/globals';
import { findCycles, computeElementTreePositions, type ExistingElement } from './place-elements.js';

const known = (elementId: string, parentId: string | null, treePath: string): [string, ExistingElement] => [
  elementId,
  { elementId, facet: 'f', type: 't', parentId, treePath, isDeleted: false },
];
/** a > b > c, and d. */
const tree = new Map([
  known('a', null, '00000000'),
  known('b', 'a', '0000000000000000'),
  known('c', 'b', '000000000000000000000000'),
  known('d', null, '00000001'),
]);
const to = (elementId: string, parentId: string | null) => ({ elementId, parentId });

describe('a cycle of parents', () => {
  it('is found for an element below itself, over several moves, and among new elements', () => {
    expect(findCycles([to('a', 'c')], tree)).toEqual(new Set(['a']));
    expect(findCycles([to('a', 'd'), to('d', 'b')], tree)).toEqual(new Set(['a', 'd']));
    expect(findCycles([to('x', 'y'), to('y', 'x')], tree)).toEqual(new Set(['x', 'y']));
    expect(findCycles([to('a', 'a')], tree)).toEqual(new Set(['a']));
  });

  it('is not reported when the moves lead to a root, nor for elements below a cycle', () => {
    expect(findCycles([to('b', null), to('a', 'c')], tree)).toEqual(new Set());
    expect(findCycles([to('a', 'b'), to('x', 'c')], tree)).toEqual(new Set(['a']));
  });
});

describe('the position of a placed element', () => {
  it('follows the last sibling and the siblings placed before it', () => {
    const places = computeElementTreePositions(
      [to('x', 'a'), to('y', null), to('z', 'a')],
      tree,
      new Map([
        ['a', 4],
        [null, 1],
      ]),
    );
    expect(places).toEqual([
      { elementId: 'x', parentId: 'a', position: 5, path: '0000000000000005' },
      { elementId: 'y', parentId: null, position: 2, path: '00000002' },
      { elementId: 'z', parentId: 'a', position: 6, path: '0000000000000006' },
    ]);
  });

  it('includes the new path when its ancestors move', () => {
    const places = computeElementTreePositions([to('b', 'd'), to('x', 'c'), to('y', 'x')], tree, new Map());
    expect(places.map(({ elementId, path }) => [elementId, path])).toEqual([
      ['b', '0000000100000000'],
      ['x', '00000001000000000000000000000000'],
      ['y', '0000000100000000000000000000000000000000'],
    ]);
  });
});
