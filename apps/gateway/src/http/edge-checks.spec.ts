import { describe, expect, it } from '@jest/globals';
import { plainODataTarget } from './edge-checks.js';

const service = '/intelligence/api/odata/p2p.base-km.svc';

describe('the target of an OData request', () => {
  it.each([
    [`${service}/`, service],
    [`${service}/?$format=json`, `${service}?$format=json`],
    [`${service}/%24metadata`, `${service}/$metadata`],
    [`${service}/ITEM_entries/%24count?a=%24b`, `${service}/ITEM_entries/$count?a=%24b`],
  ])('%s is normalised to %s', (written, plain) => {
    expect(plainODataTarget(written)).toBe(plain);
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
    expect(plainODataTarget(target)).toBe(target);
  });
});
