import { describe, expect, it } from '@jest/globals';
import { countRows, TreeRows, type TreeNode } from './tree-rows.js';

const leaf = (id: string): TreeNode => ({ id, label: id, hasChildren: false });
const branch = (id: string, ...children: readonly TreeNode[]): TreeNode => ({
  ...leaf(id),
  hasChildren: true,
  children,
});
const unloaded = (id: string): TreeNode => ({ ...leaf(id), hasChildren: true });
const nodes = [branch('a', leaf('a1'), branch('a2', leaf('a21'))), unloaded('b'), leaf('c')];
const idsOf = (rows: ReturnType<TreeRows['of']>): unknown => rows.map(({ id, rows: below }) => [id, idsOf(below)]);

describe('the rows of a tree', () => {
  it('are those of opened nodes, and one for what is not seen', () => {
    expect(idsOf(new TreeRows().of(nodes, new Set(['a'])))).toEqual([
      [
        'a',
        [
          ['a1', []],
          ['a2', [['below a2', []]]],
        ],
      ],
      ['b', [['below b', []]]],
      ['c', []],
    ]);
  });

  it('have one that stands for children that are not loaded', () => {
    const [, row] = new TreeRows().of(nodes, new Set(['b']));
    expect(row?.rows).toEqual([{ id: 'below b', node: undefined, rows: [] }]);
  });

  it('stay the same objects where nothing has changed', () => {
    const rows = new TreeRows();
    const before = rows.of(nodes, new Set(['a']));
    expect(rows.of(nodes, new Set(['a']))).toEqual(before);
    rows.of(nodes, new Set(['a'])).forEach((row, at) => expect(row).toBe(before[at]));
    const after = rows.of(nodes, new Set(['a', 'a2']));
    expect(after[0]).not.toBe(before[0]);
    expect(after[0]?.rows[0]).toBe(before[0]?.rows[0]);
    expect(after[1]).toBe(before[1]);
  });

  it('change with their nodes', () => {
    const rows = new TreeRows();
    const [before] = rows.of([leaf('a')], new Set());
    const [after] = rows.of([{ ...leaf('a'), label: 'A' }], new Set());
    expect([before?.node?.label, after?.node?.label]).toEqual(['a', 'A']);
    const loaded = rows.of([branch('b', leaf('b1'))], new Set(['b']));
    expect(idsOf(loaded)).toEqual([['b', [['b1', []]]]]);
  });

  it('of 10,000 opened nodes are made in a moment', () => {
    const many = Array.from({ length: 100 }, (_, at) =>
      branch(`n${at}`, ...Array.from({ length: 100 }, (_none, child) => leaf(`n${at}.${child}`))),
    );
    const expanded = new Set(many.map(({ id }) => id));
    const rows = new TreeRows();
    expect(countRows(rows.of(many, expanded), expanded)).toBe(10_100);
    const began = performance.now();
    rows.of(many, new Set([...expanded].slice(1)));
    expect(performance.now() - began).toBeLessThan(500);
  });
});

it('rows are counted as far as they are opened', () => {
  const count = (...expanded: readonly string[]) =>
    countRows(new TreeRows().of(nodes, new Set(expanded)), new Set(expanded));
  expect([count(), count('a'), count('a', 'a2'), count('b'), count('a2')]).toEqual([3, 5, 6, 4, 3]);
});
