/** A small storage that the specs of this library share. */
import { StorageDefinition, type ElementDocument } from '@tessera/contracts';
import { normaliseDefinition } from '../storage-model.js';

export const sampleDefinition: StorageDefinition = StorageDefinition.parse({
  kind: 'Storage',
  collection: 'trial',
  id: 'house.one',
  title: 'Trial',
  cultures: [1033, 1031],
  defaultCulture: 1033,
  facets: [
    { name: 'processes', displayNames: { 1033: 'Processes', 1031: 'Prozesse' } },
    {
      name: 'users',
      displayNames: { 1033: 'Users' },
      views: [{ name: 'detail', isHierarchical: false, types: ['user'] }],
    },
  ],
  types: [
    {
      name: 'process',
      facet: 'processes',
      displayNames: { 1033: 'Process', 1031: 'Prozess' },
      versioned: true,
      attributes: [
        { name: 'name', localised: true, mandatoryCultures: [1033] },
        { name: 'weight', type: 'number' },
        { name: 'validFrom', type: 'date-time' },
        { name: 'documents', type: 'link' },
      ],
      childTypes: ['process'],
      contentTypes: ['symbol'],
    },
    {
      name: 'symbol',
      facet: 'processes',
      displayNames: { 1033: 'Symbol' },
      attributes: [{ name: 'name', localised: true }],
    },
    { name: 'user', facet: 'users', displayNames: { 1033: 'User' }, attributes: [{ name: 'name', mandatory: true }] },
  ],
  relations: [
    { name: 'owner', from: ['process'], to: ['user'], many: false },
    { name: 'uses', from: ['process', 'symbol'] },
  ],
} satisfies Omit<StorageDefinition, 'id'> & { id: string });

export const sampleStorage = normaliseDefinition(sampleDefinition);

export const createProcessElement = (more: Partial<ElementDocument> = {}): ElementDocument => ({
  id: 'order',
  type: 'process',
  attributes: { name: { 1033: 'Order', 1031: 'Bestellen' } },
  ...more,
});
