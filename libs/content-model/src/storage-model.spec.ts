import { describe, expect, it } from '@jest/globals';
import { findAttribute, findFacet, normaliseDefinition, findRelation, findType, findView } from './storage-model.js';
import { sampleDefinition, sampleStorage } from './testing/sample-storage.js';

const named = (name: string) => {
  const facet = findFacet(sampleStorage, name);
  if (!facet) throw new Error(`There is no facet ${name}.`);
  return facet;
};

describe('a storage model', () => {
  it('adds a tree view and a flat view to every facet without them', () => {
    expect(named('processes').views.map(({ name, isHierarchical }) => [name, isHierarchical])).toEqual([
      ['reporting', true],
      ['detail', false],
    ]);
    expect(named('users').views).toMatchObject([{ name: 'detail', types: ['user'] }, { name: 'reporting' }]);
  });

  it('distinguishes two views of the same name by their shape', () => {
    const [facet] = sampleDefinition.facets;
    if (!facet) throw new Error('no facet');
    const views = [
      { name: 'all', isHierarchical: false },
      { name: 'All', isHierarchical: true },
    ];
    const model = normaliseDefinition({ ...sampleDefinition, facets: [{ ...facet, views }] });
    const [twice] = model.facets;
    if (!twice) throw new Error('no facet');
    expect(findView(twice, 'ALL', true)?.name).toBe('All');
    expect(findView(twice, 'ALL', false)?.name).toBe('all');
    expect(findView(twice, 'ALL')?.name).toBe('all');
    expect(findView(twice, 'other')).toBeUndefined();
  });

  it('finds names in any letter case and returns the defined spelling', () => {
    expect(findFacet(sampleStorage, 'PROCESSES')?.name).toBe('processes');
    const type = findType(sampleStorage, 'Process');
    expect(type?.name).toBe('process');
    expect(type && findAttribute(type, 'VALIDFROM')?.name).toBe('validFrom');
    expect(type && findAttribute(type, 'createdon')).toMatchObject({ name: 'createdOn', isSystem: true });
    expect(findRelation(sampleStorage, 'RELEASEHISTORY')?.name).toBe('releaseHistory');
    expect(findType(sampleStorage, 'constructor')).toBeUndefined();
  });

  it('uses defined spellings for references between names', () => {
    const displayNames = { 1031: 'Beziehung' };
    const relations = [{ name: 'r', displayNames, from: ['PROCESS'], to: ['User'] }];
    const model = normaliseDefinition({ ...sampleDefinition, relations });
    const named = { name: 'r', displayNames, from: ['process'], to: ['user'], many: true, isSystem: false };
    expect(findRelation(model, 'r')).toEqual(named);
    expect(findRelation(model, 'author')).toMatchObject({ displayNames: {}, isSystem: true });
  });

  it('gives versioned types the release states and other types the states show and hide', () => {
    expect(findType(sampleStorage, 'process')?.states).toEqual([
      'inProcess',
      'inReview',
      'readyForQa',
      'readyForRelease',
      'released',
      'requestToExpire',
      'expired',
    ]);
    expect(findType(sampleStorage, 'process')?.transitions.map(({ id }) => id)).toContain('InProcessToReleased');
    expect(findType(sampleStorage, 'user')?.transitions).toEqual([
      { id: 'ShowToHide', from: 'show', to: 'hide' },
      { id: 'HideToShow', from: 'hide', to: 'show' },
    ]);
  });

  it('gives version attributes only to versioned types', () => {
    const user = findType(sampleStorage, 'user');
    expect(user && findAttribute(user, 'majorVersion')).toBeUndefined();
    expect(user && findAttribute(user, 'state1')?.name).toBe('state1');
  });
});
