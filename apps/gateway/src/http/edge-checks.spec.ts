import { describe, expect, it } from '@jest/globals';
import { normaliseContentTarget, normaliseODataTarget } from './edge-checks.js';

const service = '/intelligence/api/odata/p2p.base-km.svc';

describe('the target of a request to the content repository', () => {
  const storage = '/Meridian/p2p/_api';

  it.each([
    [`${storage}/rest/facets/`, `${storage}/rest/facets`],
    ['/_api/rest/storages/', '/_api/rest/storages'],
    [`${storage}/rest/facets/?a=/`, `${storage}/rest/facets?a=/`],
    [`${storage}/release/1/transitions`, `${storage}/rest/release/1/transitions`],
    [
      `${storage}/release/1/transitions/X/?ignoreWarnings=true`,
      `${storage}/rest/release/1/transitions/X?ignoreWarnings=true`,
    ],
  ])('%s is normalised to %s', (written, plain) => {
    expect(normaliseContentTarget(written)).toBe(plain);
  });

  it.each([
    `${storage}/rest/facets`,
    `${storage}/rest/facets?viewId=a/`,
    `${storage}/rest/facets//`,
    `${storage}/released/1`,
    `${storage}/rest/release/1/createversion`,
    '/admin/teams/',
    '/a/b/c/_api/release/1/',
    '/a/b?x=/_api/release/',
  ])('%s is not changed', (target) => {
    expect(normaliseContentTarget(target)).toBe(target);
  });
});

describe('the target of an OData request', () => {
  it.each([
    [`${service}/`, service],
    [`${service}/?$format=json`, `${service}?$format=json`],
    [`${service}/%24metadata`, `${service}/$metadata`],
    [`${service}/ITEM_entries/%24count?a=%24b`, `${service}/ITEM_entries/$count?a=%24b`],
  ])('%s is normalised to %s', (written, plain) => {
    expect(normaliseODataTarget(written)).toBe(plain);
  });

  it.each([
    service,
    `${service}//`,
    `${service}/ITEM_entries/`,
    `${service}/ITEM_entries('%24count')`,
    '/a/%24b?x=m.svc',
    '/a/b/?x=m.svc/',
    '/team/house/m.svc/',
    '/team/house/m.svc/%24facet',
    `${service}/ITEM_entries?$filter=A%20eq%20'/%24'`,
  ])('%s is not changed', (target) => {
    expect(normaliseODataTarget(target)).toBe(target);
  });
});
