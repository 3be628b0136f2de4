import { describe, expect, it } from '@jest/globals';
import { normaliseDefinition } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { findResponsibleLinks } from './responsible-links.js';

const linksOf = (relations: readonly object[], more: object = { userType: 'person' }) =>
  findResponsibleLinks(
    normaliseDefinition(
      StorageDefinition.parse({
        ...{ kind: 'Storage', collection: 'c', id: 's', title: 'S', cultures: [1033], defaultCulture: 1033 },
        facets: [{ name: 'all', displayNames: { 1033: 'All' } }],
        types: [
          ...['process', 'controlEvent'].map((name) => ({ name, versioned: true })),
          ...['person', 'post', 'unit', 'place'].map((name) => ({ name })),
        ].map((type) => ({ ...type, facet: 'all', displayNames: { 1033: type.name } })),
        relations,
        ...more,
      }),
    ),
  );

const fills = { name: 'fills', from: ['person'], to: ['post', 'unit'] };
const executes = { name: 'executes', from: ['post'], to: ['process'] };
const locatedAt = { name: 'locatedAt', from: ['unit'], to: ['place'] };

describe('who can be responsible', () => {
  it('is a user, and what users fill and what acts on elements with versions, whatever it is called', () => {
    const { types, leading } = linksOf([fills, executes, locatedAt]);
    expect(types).toEqual(['person', 'post']);
    expect(leading.map(({ name }) => name)).toEqual(['fills', 'executes']);
  });

  it('is no type that is only called like a role, and none that other types lead to as well', () => {
    const monitors = { name: 'monitors', from: ['controlEvent'], to: ['process'] };
    expect(linksOf([monitors, executes]).types).toEqual(['person']);
    expect(linksOf([{ ...fills, from: ['person', 'process'] }, executes]).types).toEqual(['person']);
  });

  it('leads to elements by relations of its own, not by those of every type', () => {
    expect(linksOf([{ name: 'owner', to: ['person'] }])).toEqual({ types: ['person'], leading: [] });
  });

  it('is nobody in a storage without users', () => {
    expect(linksOf([fills, executes], {})).toEqual({ types: [], leading: [] });
  });
});
