/**
 * Definitions of tables and models change while two replicas are asked without a pause: every answer is the one before the change or the
 * one after it. What would leave a published model without its column is refused.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { KnowledgeModelDefinition, RecordDefinition, TableDefinition } from '@tessera/contracts/knowledge-models';
import { Catalogs } from '../catalog/catalogs.js';
import { adminContextOf, openDefinitionClient, type DefinitionClient } from '../testing/definition-client.js';
import { readFailure, readJsonAnswer } from '../testing/fixture.js';
import { openLoadFixture, testSchema } from '../testing/load-client.js';
import { openQueryClient, type QueryClient } from '../testing/query-client.js';

type Column = TableDefinition['columns'][number];
const key: Column = { id: 'no', type: 'integer' };
const freight: Column = { id: 'freight', type: 'float' };
const renamed: Column = { id: 'freight_cost', type: 'float', formerly: 'freight' };
const weight: Column = { id: 'weight', type: 'integer' };
const tableOf = (...columns: readonly Column[]): TableDefinition => ({
  ...{ kind: 'Table', schema: testSchema, id: 'orders', primaryKey: ['no'], columns: [key, ...columns] },
});
type Attribute = NonNullable<RecordDefinition['attributes']>[number];
const modelOf = (...attributes: readonly Attribute[]): KnowledgeModelDefinition => ({
  ...{ kind: 'KnowledgeModel', id: 'shop', source: { schema: testSchema } },
  records: [
    {
      ...{ id: 'ORDER', table: 'orders', identifier: ['NO'] },
      attributes: [{ id: 'NO', column: 'no', type: 'integer' }, ...attributes],
    },
  ],
});
const readsFreight: Attribute = { id: 'FREIGHT', column: 'freight', type: 'float' };
const readsRenamed: Attribute = { ...readsFreight, column: 'freight_cost' };
const readsWeight: Attribute = { id: 'WEIGHT', column: 'weight', type: 'integer' };

let loads: Awaited<ReturnType<typeof openLoadFixture>>;
let replicas: readonly QueryClient[];
let team: string;
let client: DefinitionClient;
let teams = 0;
let questions = 0;
beforeAll(async () => {
  loads = await openLoadFixture();
  const { fixture } = loads;
  replicas = [fixture, { ...fixture, catalogs: new Catalogs(fixture.pools) }].map((one) => openQueryClient(one));
});
afterAll(() => loads?.end());
beforeEach(async () => {
  team = `team-${(teams += 1)}`;
  client = openDefinitionClient(loads.fixture, team);
  await client.applied([tableOf(freight), modelOf(readsFreight)]);
  await load('no,freight\n1,1.5\n2,2.5\n');
});

const load = async (csv: string, options: object = {}): Promise<void> => {
  const [header = '', ...lines] = csv.split('\n');
  await readJsonAnswer(
    loads.loading.load(team, 'orders', lines.join('\n'), { columns: header.split(','), ...options }),
  );
};

/** The rows, or why there are none. No two questions are the same, so none is answered from a cache. */
const answerOf = async (replica: QueryClient, fields: readonly string[]): Promise<string> => {
  const filterExpr = [`NO gt ${-(questions += 1)}`];
  const answer = replica.query({ team }, 'shop', 'ORDER', { fields: [...fields], filterExpr, sort: 'NO' });
  const failure = await readFailure(answer);
  if (failure) return failure.code;
  return JSON.stringify((await readJsonAnswer(answer)).content.map((row: object) => Object.values(row)));
};

/** The different answers while the change goes on, and the one after it. */
const answersDuring = async (fields: readonly string[], change: () => Promise<unknown>) => {
  let isOver = false;
  const seen = new Set<string>();
  const ask = async (replica: QueryClient): Promise<void> => {
    while (!isOver) seen.add(await answerOf(replica, fields));
  };
  const asking = replicas.flatMap((replica) => [ask(replica), ask(replica)]);
  try {
    await change();
  } finally {
    isOver = true;
  }
  await Promise.all(asking);
  const after = await Promise.all(replicas.map((replica) => answerOf(replica, fields)));
  return { seen: [...seen].toSorted(), after: [...new Set(after)] };
};

const [asBefore, unknownField] = ['[[1,1.5],[2,2.5]]', 'KM_FIELD_NOTFOUND'];

describe('a column that is new', () => {
  it('is read as null from the apply on, and with values from the next load on', async () => {
    const applied = await answersDuring(['NO', 'WEIGHT'], () =>
      client.applied([tableOf(freight, weight), modelOf(readsFreight, readsWeight)]),
    );
    expect(applied.after).toEqual(['[[1,null],[2,null]]']);
    expect(applied.seen.filter((answer) => answer !== unknownField && answer !== applied.after[0])).toEqual([]);
    const loaded = await answersDuring(['NO', 'WEIGHT'], () => load('no,freight,weight\n1,1.5,10\n2,2.5,20\n'));
    expect(loaded.after).toEqual(['[[1,10],[2,20]]']);
    expect(loaded.seen.filter((answer) => ![...applied.after, ...loaded.after].includes(answer))).toEqual([]);
  });

  it('changes no other answer', async () => {
    const { seen, after } = await answersDuring(['NO', 'FREIGHT'], () =>
      client.applied([tableOf(freight, weight), modelOf(readsFreight, readsWeight)]),
    );
    expect([seen, after]).toEqual([[asBefore], [asBefore]]);
  });

  it('is no fault in a check before it is applied', async () => {
    const change = [tableOf(freight, weight), modelOf(readsFreight, readsWeight)];
    expect(await client.refused(change, { mode: 'check', againstDatabase: true })).toBeUndefined();
  });

  it('is there after a load that began before it', async () => {
    const begun = await loads.loading.begin(team, 'orders');
    await readJsonAnswer(loads.loading.stage(begun, '3,3.5\n'));
    await client.applied([tableOf(freight, weight), modelOf(readsFreight, readsWeight)]);
    const { after } = await answersDuring(['NO', 'WEIGHT'], () => readJsonAnswer(loads.loading.commit(begun)));
    expect(after).toEqual(['[[3,null]]']);
  });

  it('is not taken from a load that began before it, when it always has a value', async () => {
    const begun = await loads.loading.begin(team, 'orders');
    await readJsonAnswer(loads.loading.stage(begun, '3,3.5\n'));
    await client.applied([tableOf(freight, { ...weight, nullable: false })]);
    const failure = await readFailure(loads.loading.commit(begun));
    expect(failure?.faults).toEqual([
      expect.objectContaining({ path: 'weight', message: expect.stringContaining('since the load began') }),
    ]);
    expect((await answersDuring(['NO', 'FREIGHT'], async () => undefined)).after).toEqual([asBefore]);
  });
});

describe('a column with another name', () => {
  it('is read under both without a gap, by loads as well', async () => {
    const { seen, after } = await answersDuring(['NO', 'FREIGHT'], async () => {
      await client.applied([tableOf(renamed), modelOf(readsRenamed)]);
      await load('no,freight_cost\n3,3.5\n', { mode: 'append' });
      await load('no,freight_cost\n1,9\n', { mode: 'upsert' });
    });
    const appended = '[[1,1.5],[2,2.5],[3,3.5]]';
    expect(after).toEqual(['[[1,9],[2,2.5],[3,3.5]]']);
    expect(seen.filter((answer) => ![asBefore, appended, ...after].includes(answer))).toEqual([]);
    expect(
      (await client.applied([tableOf(renamed), modelOf(readsRenamed)])).definitions.map(({ state }) => state),
    ).toEqual(['unchanged', 'unchanged']);
  });

  it('is loaded from files that call it as before', async () => {
    await client.applied([tableOf(renamed), modelOf(readsRenamed)]);
    await load('no,freight\n1,3\n');
    expect((await answersDuring(['NO', 'FREIGHT'], async () => undefined)).after).toEqual(['[[1,3]]']);
    const lines = '{"no":1,"freight":4}\n{"no":2,"freight_cost":5}\n';
    await readJsonAnswer(loads.loading.load(team, 'orders', lines, { format: 'jsonl' }));
    expect((await answersDuring(['NO', 'FREIGHT'], async () => undefined)).after).toEqual(['[[1,4],[2,5]]']);
  });

  it('has its values after an undo that brings back rows from before', async () => {
    await client.applied([tableOf(freight, weight), modelOf(readsFreight)]);
    await load('no,freight\n1,8\n2,9\n');
    await client.applied([tableOf(renamed, weight), modelOf(readsRenamed, readsWeight)]);
    const undone = loads.loading.tables.undo({ team, schema: testSchema, table: 'orders' }, adminContextOf(team));
    expect((await readJsonAnswer(undone)).rows).toBe(2);
    const { after } = await answersDuring(['NO', 'FREIGHT', 'WEIGHT'], async () => undefined);
    expect(after).toEqual(['[[1,1.5,null],[2,2.5,null]]']);
  });

  it('is kept by lines of JSON that were on their way', async () => {
    const begun = await loads.loading.begin(team, 'orders', { format: 'jsonl', mode: 'upsert' });
    await readJsonAnswer(loads.loading.stage(begun, '{"no":1,"freight":7}\n{"no":2}\n{"no":3}\n'));
    await client.applied([tableOf(renamed, weight), modelOf(readsRenamed)]);
    await readJsonAnswer(loads.loading.commit(begun));
    const { after } = await answersDuring(['NO', 'FREIGHT'], async () => undefined);
    expect(after).toEqual(['[[1,7],[2,2.5],[3,null]]']);
  });

  it.each(['append', 'upsert'] as const)('keeps its values through an %s that began before', async (mode) => {
    const begun = await loads.loading.begin(team, 'orders', { mode });
    await readJsonAnswer(loads.loading.stage(begun, '3,3.5\n'));
    const { seen, after } = await answersDuring(['NO', 'FREIGHT'], async () => {
      await client.applied([tableOf(renamed), modelOf(readsRenamed)]);
      await readJsonAnswer(loads.loading.commit(begun));
    });
    expect(after).toEqual(['[[1,1.5],[2,2.5],[3,3.5]]']);
    expect(seen.filter((answer) => ![asBefore, ...after].includes(answer))).toEqual([]);
  });

  it('is refused while another published model reads it by the old one', async () => {
    await client.applied([{ ...modelOf(readsFreight), id: 'other' }]);
    const refused = await client.refused([tableOf(renamed), modelOf(readsRenamed)]);
    expect(refused).toMatchObject({
      code: 'GENERAL_CONFLICT',
      faults: [{ path: 'other', message: expect.stringContaining('did you mean "freight_cost"?') }],
    });
    expect(await client.refused([tableOf(renamed), modelOf(readsRenamed)], { mode: 'draft' })).toMatchObject({
      code: 'GENERAL_CONFLICT',
      faults: [{ path: 'shop' }, { path: 'other' }].toSorted((one, two) => one.path.localeCompare(two.path)),
    });
  });

  it('waits for whoever has the table, and for readers', async () => {
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const held = loads.loading.locks.hold({ team, schema: testSchema, table: 'orders' }, async () => {
      isHeld.resolve();
      await isFree;
    });
    await isHeld.promise;
    let isApplied = false;
    const applied = client.applied([tableOf(renamed), modelOf(readsRenamed)]).then(() => void (isApplied = true));
    applied.catch(() => undefined);
    const { seen } = await answersDuring(['NO', 'FREIGHT'], async () => {
      for (let times = 0; times < 20; times += 1) await answerOf(replicas[0] ?? raise(), ['NO']);
    });
    expect([isApplied, seen]).toEqual([false, [asBefore]]);
    free();
    await Promise.all([held, applied]);
    expect((await answersDuring(['NO', 'FREIGHT'], async () => undefined)).after).toEqual([asBefore]);
  });
});

describe('a column that goes', () => {
  it('is refused while a published model reads it, whichever others the request mends', async () => {
    await client.applied([{ ...modelOf(readsFreight), id: 'other' }]);
    const refused = await client.refused([tableOf(), modelOf()]);
    expect(refused).toMatchObject({
      code: 'GENERAL_CONFLICT',
      detail: expect.stringContaining('1 published model would not fit any more: other.'),
      faults: [{ path: 'other', message: expect.stringContaining('unknown column of orders "freight"') }],
    });
    expect((await client.applied([tableOf()], { mode: 'check' })).breaks.map(({ id }) => id)).toEqual([
      'other',
      'shop',
    ]);
  });

  it('goes with the models that read it, and with the next load', async () => {
    const { seen, after } = await answersDuring(['NO', 'FREIGHT'], async () => {
      await client.applied([tableOf(weight), modelOf(readsWeight)]);
      await load('no,weight\n1,10\n');
    });
    expect(after).toEqual([unknownField]);
    expect(seen.filter((answer) => ![asBefore, unknownField].includes(answer))).toEqual([]);
  });
});

describe('a column that changes', () => {
  it('keeps its type while a published model reads it', async () => {
    const retyped = { ...freight, type: 'string' as const };
    expect((await client.refused([tableOf(retyped)]))?.faults).toEqual([
      expect.objectContaining({ path: 'shop', message: expect.stringContaining('the column freight of type text') }),
    ]);
    const other = { ...readsFreight, type: 'string' as const };
    expect((await client.refused([tableOf(retyped), modelOf(other)]))?.faults).toEqual([
      expect.objectContaining({ rule: 'type', message: expect.stringContaining('until the next load') }),
    ]);
  });

  it('gets another type by another name', async () => {
    const text: Column = { id: 'freight_text', type: 'string' };
    const { seen, after } = await answersDuring(['NO', 'FREIGHT'], async () => {
      await client.applied([tableOf(freight, text)]);
      await load('no,freight,freight_text\n1,1.5,1.5\n2,2.5,2.5\n');
      await client.applied([tableOf(text), modelOf({ ...readsFreight, column: 'freight_text', type: 'string' })]);
    });
    expect(after).toEqual(['[[1,"1.5"],[2,"2.5"]]']);
    expect(seen.filter((answer) => ![asBefore, ...after].includes(answer))).toEqual([]);
  });

  it('may be without a value only when no published model says that it never is', async () => {
    await client.applied([tableOf({ ...freight, nullable: false })]);
    const never = modelOf({ ...readsFreight, nullable: false });
    expect((await client.refused([never]))?.faults).toEqual([
      expect.objectContaining({ rule: 'nullable', message: expect.stringContaining('load the table') }),
    ]);
    await load('no,freight\n1,1.5\n2,2.5\n');
    await client.applied([never]);
    expect((await client.refused([tableOf(freight)]))?.faults).toEqual([
      expect.objectContaining({ path: 'shop', message: expect.stringContaining('may be without') }),
    ]);
  });
});

const raise = (): never => {
  throw new Error('There is no replica.');
};
