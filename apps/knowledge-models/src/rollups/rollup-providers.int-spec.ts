/** The rollups of a service: made when a catalogue shows something new, and what its metrics tell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition } from '@tessera/contracts/knowledge-models';
import { logToken, metricsToken } from '@tessera/service-kit';
import { createTestProcess } from '@tessera/service-kit/testing';
import { Catalogs } from '../catalog/catalogs.js';
import { Pools } from '../database.module.js';
import { knowledgeModelsSettings } from '../settings.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import { rollupProviders } from './rollup-providers.js';
import { Rollups } from './rollups.js';

const model: KnowledgeModelDefinition = {
  kind: 'KnowledgeModel',
  id: 'items',
  source: { schema: 'p2p' },
  records: [
    {
      ...{ id: 'ITEM', table: 'item', identifier: ['ID'] },
      attributes: [
        { id: 'ID', column: 'id', type: 'integer' },
        { id: 'KIND', column: 'kind' },
      ],
    },
  ],
  kpis: [{ id: 'ITEMS', expression: 'count(ITEM.*)' }],
  rollups: [{ id: 'BY_KIND', fields: ['ITEM.KIND'], kpis: ['ITEMS'] }],
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  await fixture?.end();
});

describe('the rollups of a service', () => {
  it('are made when a catalogue shows another revision, beside what else is told of it', async () => {
    const configuration = knowledgeModelsSettings.parse({ DATABASE_URL: fixture.database.urlFor('knowledge-models') });
    const { metrics, log, link } = createTestProcess('knowledge-models', configuration);
    closing.push(() => link.close());
    const told: string[] = [];
    fixture.catalogs.onRevision((team) => told.push(team));
    const module = await Test.createTestingModule({
      providers: [
        ...rollupProviders,
        { provide: Pools, useValue: { light: fixture.pools.light, loads: fixture.pools.loads } },
        { provide: Catalogs, useValue: fixture.catalogs },
        { provide: logToken, useValue: log },
        { provide: metricsToken, useValue: metrics },
      ],
    }).compile();
    closing.unshift(() => module.close());
    const rollups = module.get(Rollups);
    const text = () => metrics.registry.metrics();
    expect(await text()).toContain('tessera_rollups_total{outcome="made",service="knowledge-models"} 0');
    await fixture.publish('meridian', model);
    await fixture.load('meridian', {
      ...{ schema: 'p2p', name: 'item', columns: 'id bigint, kind text collate pg_c_utf8' },
      rows: [{ id: 1, kind: 'a' }],
    });
    await fixture.catalogs.of('meridian');
    while (rollups.count === 0) await sleep(5);
    expect(new Set(told)).toEqual(new Set(['meridian']));
    expect(await text()).toContain('tessera_rollups_total{outcome="made",service="knowledge-models"} 1');
    expect(await text()).toContain('tessera_rollup_tables{service="knowledge-models"} 1');
    expect(await text()).toContain('tessera_rollup_making_seconds_count{service="knowledge-models"} 1');
  });
});
