import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readTeamRowsInBatches } from '@tessera/persistence';
import type { Pools } from '../database.module.js';
import { createParcelsTable } from '../testing/parcels.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import { TokenKeyRepository } from './token-key.repository.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.load('meridian', createParcelsTable(0));
});
afterAll(() => fixture.end());

it('the token key is the same in every replica and 32 bytes long', async () => {
  const [here, there] = await Promise.all([
    new TokenKeyRepository(fixture.pools).read(),
    new TokenKeyRepository(fixture.pools).read(),
  ]);
  expect(here).toHaveLength(32);
  expect(Buffer.from(here).equals(there)).toBe(true);
});

it('the token key is read again after a failed read', async () => {
  let isDown = true;
  const down = { query: () => Promise.reject(new Error('down')) };
  const pools: Pools = new Proxy(fixture.pools, {
    get: (target, name, receiver) => (name === 'light' && isDown ? down : Reflect.get(target, name, receiver)),
  });
  const key = new TokenKeyRepository(pools);
  await expect(key.read()).rejects.toThrow('down');
  isDown = false;
  expect(await key.read()).toHaveLength(32);
});

it('the token key is hidden from the roles of teams and read-only for the service', async () => {
  const text = 'select key from knowledge_models.token_key';
  const asTeam = { team: 'meridian', text, values: [], role: 'tessera.meridian' };
  await expect(readTeamRowsInBatches(fixture.pools.queries, asTeam, new AbortController().signal)).rejects.toThrow(
    'permission denied',
  );
  for (const change of ["update knowledge_models.token_key set key = ''", 'delete from knowledge_models.token_key'])
    await expect(fixture.pools.loads.query(change)).rejects.toThrow('permission denied');
});
