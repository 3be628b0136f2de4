import { describe, expect, it } from '@jest/globals';
import { neutralText, readElements, readOnlyElement } from './content-element.js';

const answered = {
  ...{ facetName: 'processes', id: 'e1', versionId: 'v1', creationId: 'e1', type: 'process', state: 'released' },
  displayNames: { 1033: 'Process' },
  attributes: { name: { 1033: 'Order' }, version: { 127: '1.0' } },
  related: { uses: [{ id: 'e2', facetName: 'it', type: 'application', expandUri: 'x' }] },
  children: [{ id: 'e3', attributes: { name: { 1033: 'Ask' } } }],
  rootPath: [{ id: 'e4' }],
  expandUri: 'x',
};

describe('an element', () => {
  it('is read with what stands in and around it', () => {
    const element = readOnlyElement({ elements: [answered] });
    expect(element).toMatchObject({
      ...{ id: 'e1', versionId: 'v1', type: 'process', state: 'released', typeNames: { 1033: 'Process' } },
      related: { uses: [{ id: 'e2', facetName: 'it', state: '', attributes: {} }] },
      children: [{ id: 'e3', attributes: { name: { 1033: 'Ask' } } }],
      rootPath: [{ id: 'e4' }],
      content: [],
    });
    expect(element && neutralText(element, 'version')).toBe('1.0');
    expect(element && neutralText(element, 'name')).toBe('');
    expect(element && neutralText(element, 'constructor')).toBe('');
  });

  it('is left out where an answer has something else', () => {
    expect(readElements([null, 'e1', { id: 7 }, {}, [], answered])).toHaveLength(1);
    for (const answer of [{}, { elements: 'none' }, { elements: [] }]) expect(readOnlyElement(answer)).toBeUndefined();
  });

  it('has no parts where they are no lists and no members', () => {
    expect(readElements([{ id: 'a', attributes: [1], related: { uses: 'x' }, children: 3 }])).toMatchObject([
      { attributes: {}, related: { uses: [] }, children: [] },
    ]);
  });
});
