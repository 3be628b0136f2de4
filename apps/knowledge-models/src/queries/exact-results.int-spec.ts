import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { companyModel, companyTables, financeCaller } from '../testing/company.js';
import { measurementModel, createMeasurementTable } from '../testing/measurements.js';
import { readJsonAnswer, openFixture, type Fixture } from '../testing/fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.end());

const counted = (): { readonly queryClient: QueryClient; readonly sent: () => number } => {
  let queries = 0;
  return { queryClient: openQueryClient(fixture, {}, { observe: () => queries++ }), sent: () => queries };
};

describe('cached results', () => {
  it('are returned without a query to every caller with the same view', async () => {
    await fixture.publish('kept', measurementModel);
    await fixture.load('kept', createMeasurementTable(60));
    const { queryClient, sent } = counted();
    const ask = (attributes = {}) =>
      readJsonAnswer(
        queryClient.query({ team: 'kept', attributes }, 'measurements', 'MEASUREMENT', { fields: ['ID'] }),
      );
    const first = await ask();
    expect([first.total, first.content.length, sent()]).toEqual([60, 50, 2]);
    expect(await ask({ department: 'x' })).toEqual(first);
    expect(sent()).toBe(2);
  });

  it('are never older than the last load, on any replica', async () => {
    await fixture.publish('loaded', measurementModel);
    const replicas = [counted(), counted()];
    for (const generation of [1, 2, 3]) {
      await fixture.load('loaded', createMeasurementTable(generation * 10, generation));
      for (const { queryClient } of replicas)
        for (let turn = 0; turn < 2; turn++) {
          const kpis = await readJsonAnswer(
            queryClient.query({ team: 'loaded' }, 'measurements', undefined, { kpis: ['ROWS', 'NEWEST'] }),
          );
          expect(kpis.content).toEqual([{ ROWS: generation * 10, NEWEST: generation }]);
          const page = await readJsonAnswer(
            queryClient.query({ team: 'loaded' }, 'measurements', 'MEASUREMENT', {
              fields: ['GENERATION'],
              pageSize: 5,
            }),
          );
          expect(page.total).toBe(generation * 10);
          expect(page.content[0]).toEqual({ GENERATION: generation });
        }
    }
    // Rows, their count and the KPIs: once for each load.
    for (const { sent } of replicas) expect(sent()).toBe(9);
  });

  it('survive loads of other tables', async () => {
    await fixture.publish('others', measurementModel);
    await fixture.load('others', createMeasurementTable(10));
    const { queryClient, sent } = counted();
    const ask = () =>
      readJsonAnswer(queryClient.query({ team: 'others' }, 'measurements', undefined, { kpis: ['ROWS'] }));
    await ask();
    await fixture.load('others', { schema: 'm', name: 'other', columns: 'a bigint', rows: [] });
    await ask();
    expect(sent()).toBe(1);
  });

  it('are not used for another version of the model', async () => {
    await fixture.publish('changed', measurementModel);
    await fixture.load('changed', createMeasurementTable(10));
    const { queryClient } = counted();
    const ask = () =>
      readJsonAnswer(queryClient.query({ team: 'changed' }, 'measurements', undefined, { kpis: ['ROWS'] }));
    expect((await ask()).content).toEqual([{ ROWS: 10 }]);
    const twice = { ...measurementModel, kpis: [{ id: 'ROWS', expression: 'count(MEASUREMENT.*) * 2' }] };
    await fixture.publish('changed', twice);
    expect((await ask()).content).toEqual([{ ROWS: 20 }]);
  });

  it('are not shared between callers who see different rows, nor between teams', async () => {
    for (const team of ['one', 'two']) {
      await fixture.publish(team, companyModel);
      await fixture.load(team, ...companyTables);
    }
    await fixture.load('two', ...companyTables.map((table) => ({ ...table, rows: [] })));
    const { queryClient } = counted();
    const ask = async (asker: Parameters<QueryClient['query']>[0]) =>
      (await readJsonAnswer(queryClient.query(asker, 'p2p.base-km', undefined, { kpis: ['ORDER_VALUE'] }))).content;
    for (let turn = 0; turn < 2; turn++) {
      expect(await ask({ team: 'one' })).toEqual([{ ORDER_VALUE: 220.5 }]);
      expect(await ask({ team: 'one', ...financeCaller })).toEqual([{ ORDER_VALUE: 1220.5 }]);
      expect(await ask({ team: 'two' })).toEqual([{ ORDER_VALUE: null }]);
      expect(await ask({ team: 'two', ...financeCaller })).toEqual([{ ORDER_VALUE: null }]);
    }
  });
});

describe('a table that is replaced while queries run', () => {
  it('is read before or after the swap, never half and never with an error', async () => {
    const team = 'swapped';
    await fixture.publish(team, measurementModel);
    await fixture.load(team, createMeasurementTable(200, 0));
    const queryClient = openQueryClient(fixture, { RESULT_CACHE_BYTES: '0' });
    let isDone = false;
    const seen = new Set<number>();
    const read = async (pageSize: number): Promise<void> => {
      while (!isDone) {
        const parameters = { fields: ['ID', 'GENERATION'], pageSize };
        const { content } = await readJsonAnswer(
          queryClient.query({ team }, 'measurements', 'MEASUREMENT', parameters),
        );
        const generations = new Set<number>(content.map((row: { GENERATION: number }) => row.GENERATION));
        expect([generations.size, content.length]).toEqual([1, Math.min(pageSize, 200)]);
        for (const generation of generations) seen.add(generation);
      }
    };
    const readers = [read(50), read(100), read(5_000)];
    try {
      for (let generation = 1; generation <= 15; generation++) {
        const table = createMeasurementTable(200, generation);
        // Every other generation has a column of another type.
        const columns =
          generation % 2 === 0 ? table.columns : table.columns.replace('generation bigint', 'generation integer');
        await fixture.load(team, { ...table, columns });
      }
    } finally {
      isDone = true;
    }
    await Promise.all(readers);
    await expect(
      readJsonAnswer(queryClient.query({ team }, 'measurements', undefined, { kpis: ['NEWEST'] })),
    ).resolves.toMatchObject({ content: [{ NEWEST: 15 }] });
    expect(seen.size).toBeGreaterThan(1);
  });
});
