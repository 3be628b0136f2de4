import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { CompiledStatement } from '@tessera/knowledge-model';
import { measurementModel, createMeasurementTable } from '../testing/measurements.js';
import { openFixture, type Fixture } from '../testing/fixture.js';
import type { EstimatedStatement, QuerySource } from './query-preparer.js';
import { StatementCosts } from './statement-costs.js';

const never = new AbortController().signal;
const team = 'meridian';

let fixture: Fixture;
let source: QuerySource;
/** How often PostgreSQL was asked. */
let asked = 0;
beforeAll(async () => {
  fixture = await openFixture();
  await fixture.publish(team, measurementModel);
  await fixture.load(team, { ...createMeasurementTable(100), then: ['analyze $table'] });
  const { queries: pool } = fixture.pools;
  pool.on('acquire', () => (asked += 1));
  const versionsOf = (): never => {
    throw new Error('Nobody asks for versions.');
  };
  source = { team, pool, schema: 'public', versionsOf, generationOf: () => undefined };
});
afterAll(() => fixture.end());

const statementOf = (statement: CompiledStatement, dataVersions = 'm 1'): EstimatedStatement => ({
  ...{ source, statement, dataVersions },
  settings: {},
});
const series = (...values: readonly string[]): CompiledStatement => ({
  text: 'select * from generate_series(1, $1::int)',
  values,
});
const countAsked = async (work: () => Promise<unknown>): Promise<number> => {
  asked = 0;
  await work();
  return asked;
};

it('StatementCosts asks once for a text, whatever its values, and again for other data', async () => {
  const costs = new StatementCosts();
  const [few, many] = [statementOf(series('3')), statementOf(series('3000'))];
  expect(costs.known(few)).toBeUndefined();
  expect(await countAsked(() => costs.of(few, never))).toBe(1);
  expect(costs.known(many)).toMatchObject({ rows: 3 });
  expect(await countAsked(() => costs.of(many, never))).toBe(0);
  expect(await countAsked(() => costs.of(statementOf(series('3'), 'm 2'), never))).toBe(1);
  expect(await countAsked(() => costs.of(statementOf({ text: 'select 1', values: [] }), never))).toBe(1);
});

it('StatementCosts asks once for all who ask at the same time, also when one of them leaves', async () => {
  const costs = new StatementCosts();
  const leaving = new AbortController();
  const count = await countAsked(async () => {
    const left = costs.of(statementOf(series('5')), leaving.signal);
    const others = [1, 2, 3].map(() => costs.of(statementOf(series('5')), never));
    leaving.abort();
    await expect(left).rejects.toThrow();
    expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual([5, 5, 5]);
  });
  expect(count).toBe(1);
});

it('StatementCosts reads the cost of very values when it is told to, and keeps nothing of a failure', async () => {
  const costs = new StatementCosts();
  await costs.of(statementOf(series('3')), never);
  expect(await costs.read(statementOf(series('3000')), never)).toMatchObject({ rows: 3000 });
  const broken = statementOf({ text: 'select nothing', values: [] });
  await expect(costs.of(broken, never)).rejects.toThrow();
  expect(costs.known(broken)).toBeUndefined();
});

it('the rows of a scan are those of all workers together', async () => {
  const statement = { text: 'select count(*) from "meridian.m".measurement where id > $1', values: ['0'] };
  const [workers, free] = ['max_parallel_workers_per_gather', { parallel_setup_cost: '0', parallel_tuple_cost: '0' }];
  const scan = { min_parallel_table_scan_size: '0', min_parallel_index_scan_size: '0', ...free };
  const scansWith = async (settings: EstimatedStatement['settings']) =>
    (await new StatementCosts().of({ ...statementOf(statement), settings }, never)).scans.map(({ rows }) => rows);
  const [alone = 0] = await scansWith({ [workers]: '0' });
  const [together = 0] = await scansWith({ [workers]: '2', ...scan });
  expect(alone).toBeGreaterThan(90);
  expect(Math.abs(together - alone)).toBeLessThan(5);
});
