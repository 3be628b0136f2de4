import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';
import { openFixture, readFailure, type Fixture } from '../testing/fixture.js';

const team = 'meridian';
const attributes = [{ id: 'ID', column: 'id', type: 'integer' as const }];
const thing = { id: 'THING', table: 'thing', identifier: ['ID'] };
const part = { id: 'PART', table: 'part', identifier: ['ID'], attributes };
/** Ten aggregates each, all of them different. */
const kpis = Array.from({ length: 200 }, (_, kpi) => ({
  id: `K${kpi}`,
  expression: Array.from({ length: 10 }, (_, at) => `sum(${at % 2 ? 'THING' : 'PART'}.ID + ${kpi * 10 + at})`).join(
    ' + ',
  ),
}));

let fixture: Fixture;
let queryClient: QueryClient;
beforeAll(async () => {
  fixture = await openFixture();
  queryClient = openQueryClient(fixture);
  for (const name of ['thing', 'part'])
    await fixture.load(team, { schema: 's', name, columns: 'id bigint primary key', rows: [{ id: 1 }] });
  await fixture.publish(
    team,
    {
      kind: 'KnowledgeModel',
      id: 'odd',
      source: { schema: 's' },
      records: [
        {
          ...thing,
          attributes: [...attributes, ...['count', 'jsonb_agg', 'missing'].map((column) => ({ id: column, column }))],
        },
      ],
    },
    {
      kind: 'KnowledgeModel',
      id: 'wide',
      source: { schema: 's' },
      records: [{ ...thing, attributes }, part],
      relationships: [{ from: 'PART', to: 'THING', on: { ID: 'ID' }, cardinality: 'many-to-one' }],
      kpis,
    },
  );
});
afterAll(() => fixture.end());

it.each(['count', 'jsonb_agg', 'missing'])(
  'a query reports a missing column %s as unavailable with a retry time',
  async (id) => {
    for (const question of [{ fields: ['ID', id] }, { fields: ['ID'], filterExpr: [`${id} eq 'x'`] }])
      expect(await readFailure(queryClient.query({ team }, 'odd', 'THING', question))).toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
        retryAfterSeconds: 30,
      });
  },
);

it('a query with more columns than PostgreSQL allows is rejected', async () => {
  const failure = await readFailure(queryClient.query({ team }, 'wide', undefined, { kpis: kpis.map(({ id }) => id) }));
  expect(failure).toMatchObject({ code: 'GENERAL_CONSTRAINT_VIOLATION' });
  expect(failure?.detail).toMatch(/fewer fields or KPIs/);
});
