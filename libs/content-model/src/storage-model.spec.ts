import { describe, expect, it } from '@jest/globals';
import {
  attributeNamed,
  facetNamed,
  normaliseDefinition,
  relationNamed,
  typeNamed,
  viewNamed,
} from './storage-model.js';
import { trialDefinition, trialStorage } from './testing/trial-storage.js';

const named = (name: string) => {
  const facet = facetNamed(trialStorage, name);
  if (!facet) throw new Error(`There is no facet ${name}.`);
  return facet;
};

describe('a storage model', () => {
  it('gives every facet a tree and a flat view, and keeps one that is defined under that name', () => {
    expect(named('processes').views.map(({ name, isHierarchical }) => [name, isHierarchical])).toEqual([
      ['reporting', true],
      ['detail', false],
    ]);
    expect(named('users').views).toMatchObject([{ name: 'detail', types: ['user'] }, { name: 'reporting' }]);
  });

  it('tells two views of one name apart by their shape', () => {
    const [facet] = trialDefinition.facets;
    if (!facet) throw new Error('no facet');
    const views = [
      { name: 'all', isHierarchical: false },
      { name: 'All', isHierarchical: true },
    ];
    const model = normaliseDefinition({ ...trialDefinition, facets: [{ ...facet, views }] });
    const [twice] = model.facets;
    if (!twice) throw new Error('no facet');
    expect(viewNamed(twice, 'ALL', true)?.name).toBe('All');
    expect(viewNamed(twice, 'ALL', false)?.name).toBe('all');
    expect(viewNamed(twice, 'ALL')?.name).toBe('all');
    expect(viewNamed(twice, 'other')).toBeUndefined();
  });

  it('finds names whatever their case and answers them as defined', () => {
    expect(facetNamed(trialStorage, 'PROCESSES')?.name).toBe('processes');
    const type = typeNamed(trialStorage, 'Process');
    expect(type?.name).toBe('process');
    expect(type && attributeNamed(type, 'VALIDFROM')?.name).toBe('validFrom');
    expect(type && attributeNamed(type, 'createdon')).toMatchObject({ name: 'createdOn', serverKept: true });
    expect(relationNamed(trialStorage, 'RELEASEHISTORY')?.name).toBe('releaseHistory');
    expect(typeNamed(trialStorage, 'constructor')).toBeUndefined();
  });

  it('spells references between names as their definitions do', () => {
    const relations = [{ name: 'r', from: ['PROCESS'], to: ['User'] }];
    const model = normaliseDefinition({ ...trialDefinition, relations });
    expect(relationNamed(model, 'r')).toEqual({ name: 'r', from: ['process'], to: ['user'], many: true });
  });

  it('gives versioned types the release states and others show and hide', () => {
    expect(typeNamed(trialStorage, 'process')?.states).toEqual([
      'inProcess',
      'inReview',
      'readyForQa',
      'readyForRelease',
      'released',
      'requestToExpire',
      'expired',
    ]);
    expect(typeNamed(trialStorage, 'process')?.transitions.map(({ id }) => id)).toContain('InProcessToReleased');
    expect(typeNamed(trialStorage, 'user')?.transitions).toEqual([
      { id: 'ShowToHide', from: 'show', to: 'hide' },
      { id: 'HideToShow', from: 'hide', to: 'show' },
    ]);
  });

  it('keeps version attributes from types without versions', () => {
    const user = typeNamed(trialStorage, 'user');
    expect(user && attributeNamed(user, 'majorVersion')).toBeUndefined();
    expect(user && attributeNamed(user, 'state1')?.name).toBe('state1');
  });
});
