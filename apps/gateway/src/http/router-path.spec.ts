import { afterAll, describe, expect, it } from '@jest/globals';
import * as knowledgeModels from '@tessera/contracts/knowledge-models';
import { findOperations } from '@tessera/testing';
import { fastify } from 'fastify';
import { toNestPath, toRouterPath } from './router-path.js';

const server = fastify({ routerOptions: { maxParamLength: 16_000 } });
for (const { name, http } of findOperations(knowledgeModels, 'D'))
  if (http.isOData)
    server.get(toRouterPath(toNestPath(http.path)), async ({ params }) => ({ name: name.split('.').pop(), params }));
afterAll(() => server.close());

const found = async (path: string) => {
  const { statusCode, body } = await server.inject(`/intelligence/api/odata/${path}`);
  if (statusCode === 404) return undefined;
  const { name, params } = JSON.parse(body);
  return [name, ...Object.values(params)];
};

describe('the path of an operation in the router', () => {
  it('has a colon before a parameter that fills its segment', () => {
    expect(toNestPath('/admin/keys/{keyId}/revoke')).toBe('/admin/keys/:keyId/revoke');
  });

  it.each([
    ['p2p.base-km.svc', ['service', 'p2p.base-km']],
    ['a%2Fb.svc', ['service', 'a/b']],
    ['x.svc.svc', ['service', 'x.svc']],
    ['p2p.base-km.svc/$metadata', ['metadata', 'p2p.base-km']],
    ['p2p.base-km.svc/ITEM_entries', ['entries', 'p2p.base-km', 'ITEM']],
    ['m.svc/A_entries_entries', ['entries', 'm', 'A_entries']],
    ['m.svc/%D0%96%20(b%2Fc)_entries', ['entries', 'm', 'Ж (b/c)']],
    ['m.svc/A_B_entries/$count', ['count', 'm', 'A_B']],
    ["m.svc/A_entries('4711')", ['entry', 'm', 'A', "('4711')"]],
    ["m.svc/A_entries(ORDER_NO='4,7',ITEM_NO=10)", ['entry', 'm', 'A', "(ORDER_NO='4,7',ITEM_NO=10)"]],
    ["m.svc/A_entries('a%2Fb''(c)%20%25%3F')", ['entry', 'm', 'A', "('a/b''(c) %?')"]],
    ["m.svc/A_entries%28'%D0%96'%29", ['entry', 'm', 'A', "('Ж')"]],
    ["m.svc/A_entries('B_entries(1)')", ['entry', 'm', 'A', "('B_entries(1)')"]],
    ["m.svc/A_x0028_b_entries('x')", ['entry', 'm', 'A_x0028_b', "('x')"]],
    ["m.svc/A_entries('%E2%80%A8%C2%85')", ['entry', 'm', 'A', "('\u2028\u0085')"]],
    ["m.svc/A_entries('x')/$count", ['link', 'm', 'A', "('x')", '$count']],
    ["m.svc/A_entries('a%2Fb')/NAV", ['link', 'm', 'A', "('a/b')", 'NAV']],
  ])('matches %s', async (path, expected) => {
    expect(await found(path)).toEqual(expected);
  });

  it.each(['m', 'm.svc/', 'm.svc/ITEM', 'm.svc/_entries', "m.svc/A_entries('x"])('does not match %s', async (path) => {
    expect(await found(path)).toBeUndefined();
  });

  it('is matched in linear time in a path with many unclosed keys', async () => {
    const path = `m.svc/${'_entries('.repeat(6_700)}`;
    const before = process.cpuUsage();
    for (let round = 0; round < 100; round++) expect(await found(path)).toBeUndefined();
    // It took twenty seconds of work to look from each of them to the end; a slow machine has a hundredth of that.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
