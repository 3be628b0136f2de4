import { describe, expect, it } from '@jest/globals';
import { readElements, type ContentElement } from './content-element.js';
import { ElementNodes } from './tree-nodes.js';

const elements = (...ids: readonly string[]): readonly ContentElement[] => readElements(ids.map((id) => ({ id })));
const [parent, leaf] = readElements([{ id: 'a', children: [{ id: 'a1' }] }, { id: 'b' }]);
const roots = [parent, leaf].filter((element) => element !== undefined);
const label = ({ id }: ContentElement) => ({ label: `Element ${id}` });

describe('the nodes of a tree', () => {
  it('have children as soon as they are loaded, and say before that there are some', () => {
    const nodes = new ElementNodes();
    expect(nodes.of(roots, new Map(), label)).toEqual([
      { id: 'a', label: 'Element a', hasChildren: true },
      { id: 'b', label: 'Element b', hasChildren: false },
    ]);
    const [opened] = nodes.of(roots, new Map([['a', elements('a1', 'a2')]]), label);
    expect(opened?.children?.map(({ id }) => id)).toEqual(['a1', 'a2']);
  });

  it('of which a view shows no children have none', () => {
    const [node] = new ElementNodes().of(roots, new Map([['a', []]]), label);
    expect(node).toMatchObject({ hasChildren: false, children: [] });
  });

  it('stay the same objects where nothing has changed', () => {
    const nodes = new ElementNodes();
    const loaded = new Map([['a', elements('a1', 'a2')]]);
    const before = nodes.of(roots, loaded, label);
    const again = nodes.of(roots, new Map(loaded), label);
    again.forEach((node, at) => expect(node).toBe(before[at]));
    const closed = nodes.of(roots, new Map(), label);
    expect(closed[0]).not.toBe(before[0]);
    expect(closed[1]).toBe(before[1]);
  });

  it('are made anew in another language', () => {
    const nodes = new ElementNodes();
    const [before] = nodes.of(roots, new Map(), label);
    const [after] = nodes.of(roots, new Map(), ({ id }) => ({ label: `Das Element ${id}` }));
    expect([before?.label, after?.label]).toEqual(['Element a', 'Das Element a']);
  });
});
