import { describe, expect, it } from '@jest/globals';
import { normaliseTarget } from './edge-checks.js';

const service = '/intelligence/api/odata/p2p.base-km.svc';
const storage = '/Meridian/p2p/_api';

describe('the target of a request', () => {
  it.each([
    ['/admin/teams/', '/admin/teams'],
    ['/mcp/assets/?draft=true', '/mcp/assets?draft=true'],
    ['/console/figures/', '/console/figures'],
    [`${storage}/rest/facets/`, `${storage}/rest/facets`],
    ['/_api/rest/storages/', '/_api/rest/storages'],
    [`${storage}/rest/facets/?a=/`, `${storage}/rest/facets?a=/`],
    [`${storage}/release/1/transitions`, `${storage}/rest/release/1/transitions`],
    [
      `${storage}/release/1/transitions/X/?ignoreWarnings=true`,
      `${storage}/rest/release/1/transitions/X?ignoreWarnings=true`,
    ],
    [`${service}/`, service],
    [`${service}/?$format=json`, `${service}?$format=json`],
    [`${service}/%24metadata`, `${service}/$metadata`],
    [`${service}/ITEM_entries/%24count?a=%24b`, `${service}/ITEM_entries/$count?a=%24b`],
    [`${service}/ITEM_entries/`, `${service}/ITEM_entries`],
  ])('%s is normalised to %s', (written, plain) => {
    expect(normaliseTarget(written)).toBe(plain);
  });

  it.each([
    '/',
    '/console/',
    '/docs/?a=b',
    `${storage}/rest/facets`,
    `${storage}/rest/facets?viewId=a/`,
    `${storage}/rest/facets//`,
    `${storage}/released/1`,
    `${storage}/rest/release/1/createversion`,
    '/a/b/c/_api/release/1',
    '/a/b?x=/_api/release/',
    service,
    `${service}//`,
    `${service}/ITEM_entries('%24count')`,
    '/a/%24b?x=m.svc',
    '/team/house/m.svc/%24facet',
    `${service}/ITEM_entries?$filter=A%20eq%20'/%24'`,
  ])('%s is not changed', (target) => {
    expect(normaliseTarget(target)).toBe(target);
  });
});
