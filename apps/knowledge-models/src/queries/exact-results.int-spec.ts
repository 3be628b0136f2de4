import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAsking, type Asking } from '../testing/asking.js';
import { companyModel, companyTables, finance } from '../testing/company.js';
import { measurementModel, measurementTable } from '../testing/measurements.js';
import { answered, openTrial, type Trial } from '../testing/trial.js';

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.end());

const counted = (): { readonly asking: Asking; readonly sent: () => number } => {
  let queries = 0;
  return { asking: openAsking(trial, {}, { observe: () => queries++ }), sent: () => queries };
};

describe('results that are kept', () => {
  it('are answered again without a query, to anybody who sees the same', async () => {
    await trial.publish('kept', measurementModel);
    await trial.load('kept', measurementTable(60));
    const { asking, sent } = counted();
    const ask = (attributes = {}) =>
      answered(asking.query({ team: 'kept', attributes }, 'measurements', 'MEASUREMENT', { fields: ['ID'] }));
    const first = await ask();
    expect([first.total, first.content.length, sent()]).toEqual([60, 50, 2]);
    expect(await ask({ department: 'x' })).toEqual(first);
    expect(sent()).toBe(2);
  });

  it('are never those of data before the last load, in any replica', async () => {
    await trial.publish('loaded', measurementModel);
    const replicas = [counted(), counted()];
    for (const generation of [1, 2, 3]) {
      await trial.load('loaded', measurementTable(generation * 10, generation));
      for (const { asking } of replicas)
        for (let turn = 0; turn < 2; turn++) {
          const kpis = await answered(
            asking.query({ team: 'loaded' }, 'measurements', undefined, { kpis: ['ROWS', 'NEWEST'] }),
          );
          expect(kpis.content).toEqual([{ ROWS: generation * 10, NEWEST: generation }]);
          const page = await answered(
            asking.query({ team: 'loaded' }, 'measurements', 'MEASUREMENT', { fields: ['GENERATION'], pageSize: 5 }),
          );
          expect(page.total).toBe(generation * 10);
          expect(page.content[0]).toEqual({ GENERATION: generation });
        }
    }
    // Rows, their count and the KPIs: once for each load.
    for (const { sent } of replicas) expect(sent()).toBe(9);
  });

  it('outlive loads of other tables', async () => {
    await trial.publish('others', measurementModel);
    await trial.load('others', measurementTable(10));
    const { asking, sent } = counted();
    const ask = () => answered(asking.query({ team: 'others' }, 'measurements', undefined, { kpis: ['ROWS'] }));
    await ask();
    await trial.load('others', { schema: 'm', name: 'other', columns: 'a bigint', rows: [] });
    await ask();
    expect(sent()).toBe(1);
  });

  it('follow another version of the model', async () => {
    await trial.publish('changed', measurementModel);
    await trial.load('changed', measurementTable(10));
    const { asking } = counted();
    const ask = () => answered(asking.query({ team: 'changed' }, 'measurements', undefined, { kpis: ['ROWS'] }));
    expect((await ask()).content).toEqual([{ ROWS: 10 }]);
    const twice = { ...measurementModel, kpis: [{ id: 'ROWS', expression: 'count(MEASUREMENT.*) * 2' }] };
    await trial.publish('changed', twice);
    expect((await ask()).content).toEqual([{ ROWS: 20 }]);
  });

  it('are not shared by callers that see different rows, nor by teams', async () => {
    for (const team of ['one', 'two']) {
      await trial.publish(team, companyModel);
      await trial.load(team, ...companyTables);
    }
    await trial.load('two', ...companyTables.map((table) => ({ ...table, rows: [] })));
    const { asking } = counted();
    const ask = async (asker: Parameters<Asking['query']>[0]) =>
      (await answered(asking.query(asker, 'p2p.base-km', undefined, { kpis: ['ORDER_VALUE'] }))).content;
    for (let turn = 0; turn < 2; turn++) {
      expect(await ask({ team: 'one' })).toEqual([{ ORDER_VALUE: 220.5 }]);
      expect(await ask({ team: 'one', ...finance })).toEqual([{ ORDER_VALUE: 1220.5 }]);
      expect(await ask({ team: 'two' })).toEqual([{ ORDER_VALUE: null }]);
      expect(await ask({ team: 'two', ...finance })).toEqual([{ ORDER_VALUE: null }]);
    }
  });
});

describe('a table that is replaced while queries run', () => {
  it('is the one or the other, never an error and never both', async () => {
    const team = 'swapped';
    await trial.publish(team, measurementModel);
    await trial.load(team, measurementTable(200, 0));
    const asking = openAsking(trial, { RESULT_CACHE_BYTES: '0' });
    let isDone = false;
    const seen = new Set<number>();
    const read = async (pageSize: number): Promise<void> => {
      while (!isDone) {
        const parameters = { fields: ['ID', 'GENERATION'], pageSize };
        const { content } = await answered(asking.query({ team }, 'measurements', 'MEASUREMENT', parameters));
        const generations = new Set<number>(content.map((row: { GENERATION: number }) => row.GENERATION));
        expect([generations.size, content.length]).toEqual([1, Math.min(pageSize, 200)]);
        for (const generation of generations) seen.add(generation);
      }
    };
    const readers = [read(50), read(100), read(5_000)];
    try {
      for (let generation = 1; generation <= 15; generation++) {
        const table = measurementTable(200, generation);
        // Every other generation has a column of another type.
        const columns =
          generation % 2 === 0 ? table.columns : table.columns.replace('generation bigint', 'generation integer');
        await trial.load(team, { ...table, columns });
      }
    } finally {
      isDone = true;
    }
    await Promise.all(readers);
    await expect(
      answered(asking.query({ team }, 'measurements', undefined, { kpis: ['NEWEST'] })),
    ).resolves.toMatchObject({ content: [{ NEWEST: 15 }] });
    expect(seen.size).toBeGreaterThan(1);
  });
});
