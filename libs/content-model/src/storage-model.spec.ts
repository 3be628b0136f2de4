import { describe, expect, it } from '@jest/globals';
import {
  attributeNamed,
  facetNamed,
  normaliseDefinition,
  relationNamed,
  typeNamed,
  viewNamed,
} from './storage-model.js';
import { sampleDefinition, sampleStorage } from './testing/sample-storage.js';

const named = (name: string) => {
  const facet = facetNamed(sampleStorage, name);
  if (!facet) throw new Error(`There is no facet ${name}.`);
  return facet;
};

describe('a storage model', () => {
  it('gives every facet a tree and a flat view unless the definition has them', () => {
    expect(named('processes').views.map(({ name, isHierarchical }) => [name, isHierarchical])).toEqual([
      ['reporting', true],
      ['detail', false],
    ]);
    expect(named('users').views).toMatchObject([{ name: 'detail', types: ['user'] }, { name: 'reporting' }]);
  });

  it('distinguishes two views of one name by their shape', () => {
    const [facet] = sampleDefinition.facets;
    if (!facet) throw new Error('no facet');
    const views = [
      { name: 'all', isHierarchical: false },
      { name: 'All', isHierarchical: true },
    ];
    const model = normaliseDefinition({ ...sampleDefinition, facets: [{ ...facet, views }] });
    const [twice] = model.facets;
    if (!twice) throw new Error('no facet');
    expect(viewNamed(twice, 'ALL', true)?.name).toBe('All');
    expect(viewNamed(twice, 'ALL', false)?.name).toBe('all');
    expect(viewNamed(twice, 'ALL')?.name).toBe('all');
    expect(viewNamed(twice, 'other')).toBeUndefined();
  });

  it('finds names in any case and returns them as defined', () => {
    expect(facetNamed(sampleStorage, 'PROCESSES')?.name).toBe('processes');
    const type = typeNamed(sampleStorage, 'Process');
    expect(type?.name).toBe('process');
    expect(type && attributeNamed(type, 'VALIDFROM')?.name).toBe('validFrom');
    expect(type && attributeNamed(type, 'createdon')).toMatchObject({ name: 'createdOn', isSystem: true });
    expect(relationNamed(sampleStorage, 'RELEASEHISTORY')?.name).toBe('releaseHistory');
    expect(typeNamed(sampleStorage, 'constructor')).toBeUndefined();
  });

  it('uses defined spellings for references between names', () => {
    const relations = [{ name: 'r', from: ['PROCESS'], to: ['User'] }];
    const model = normaliseDefinition({ ...sampleDefinition, relations });
    expect(relationNamed(model, 'r')).toEqual({ name: 'r', from: ['process'], to: ['user'], many: true });
  });

  it('gives versioned types the release states and others show and hide', () => {
    expect(typeNamed(sampleStorage, 'process')?.states).toEqual([
      'inProcess',
      'inReview',
      'readyForQa',
      'readyForRelease',
      'released',
      'requestToExpire',
      'expired',
    ]);
    expect(typeNamed(sampleStorage, 'process')?.transitions.map(({ id }) => id)).toContain('InProcessToReleased');
    expect(typeNamed(sampleStorage, 'user')?.transitions).toEqual([
      { id: 'ShowToHide', from: 'show', to: 'hide' },
      { id: 'HideToShow', from: 'hide', to: 'show' },
    ]);
  });

  it('gives version attributes only to versioned types', () => {
    const user = typeNamed(sampleStorage, 'user');
    expect(user && attributeNamed(user, 'majorVersion')).toBeUndefined();
    expect(user && attributeNamed(user, 'state1')?.name).toBe('state1');
  });
});
