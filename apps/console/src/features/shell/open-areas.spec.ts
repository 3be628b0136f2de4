import { expect, it } from '@jest/globals';
import { openAreas, type Area } from './open-areas.js';

const texts = { en: 'x', de: 'x', es: 'x' };
const area = (path: Area['path'], order: number, scopes: Area['scopes']): Area => ({
  ...{ path, order, scopes, icon: 'list', title: texts, purpose: texts },
});
const areas = [area('/ask', 30, ['agents:converse', 'agents:execute']), area('/processes', 10, ['content:read'])];
const pathsFor = (...held: readonly string[]) => openAreas(areas, held).map(({ path }) => path);

it('areas are open to who has one of their scopes, in their order', () => {
  expect(pathsFor('content:read', 'agents:execute')).toEqual(['/processes', '/ask']);
  expect(pathsFor('agents:converse')).toEqual(['/ask']);
});

it('no area is open to who has none of its scopes', () => {
  expect(pathsFor('admin', 'content:write')).toEqual([]);
});
