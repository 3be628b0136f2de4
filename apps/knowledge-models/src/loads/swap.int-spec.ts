/** Commits beside readers, slow ones, and ones that are cut off, on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readTeamRowsInBatches } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { copyRows, readAggregates, type ReadableTable } from '../columnar/columnar.repository.js';
import { isMakingCancelled, makingSettings } from '../database/makings.repository.js';
import { adminContextOf } from '../testing/definition-client.js';
import { type LoadClient, openLoadClient, openLoadFixture } from '../testing/load-client.js';
import { readJsonAnswer, readFailure, type Fixture } from '../testing/fixture.js';
import { tableLockName, type LoadKey } from './load.repository.js';

let fixture: Fixture;
let loading: LoadClient;
let admin: pg.Client;
let end: () => Promise<void>;

beforeAll(async () => {
  ({ fixture, loading, admin, end } = await openLoadFixture());
});
afterAll(() => end());

const table = {
  id: 'item',
  columns: [
    { id: 'id', type: 'integer' as const },
    { id: 'generation', type: 'integer' as const },
  ],
  primaryKey: ['id'],
};

/** So many rows as its number says, all with that number. */
const generation = (number: number): string =>
  Array.from({ length: number * 500 }, (_, id) => `${id},${number}\n`).join('');

const read = async (team: string): Promise<string> => {
  const { role } = (await fixture.catalogs.of(team)).schemas.get('p2p') ?? {};
  const text = `select count(*), min(generation), max(generation) from "${team}.p2p".item`;
  const statement = { team, text, values: [], ...(role !== undefined && { role }) };
  const { first } = await readTeamRowsInBatches(fixture.pools.queries, statement, new AbortController().signal);
  return JSON.stringify(first[0]);
};

/** Keeps a query of the table open, so that a swap has to wait. */
const whileRead = async (team: string, work: () => Promise<void>): Promise<void> => {
  await admin.query('begin');
  await admin.query(`select count(*) from "${team}.p2p".item`);
  try {
    await work();
  } finally {
    await admin.query('rollback');
  }
};

const staged = async (team: string, number: number): Promise<LoadKey> => {
  const key = await loading.begin(team, 'item');
  await readJsonAnswer(loading.stage(key, generation(number)));
  return key;
};
const stateOf = async (key: LoadKey): Promise<string | undefined> => (await loading.status(key))?.state;

describe('readers', () => {
  it('see either the old or the new rows while tables are swapped, and never an error', async () => {
    const last = 8;
    const answers: string[] = [];
    await loading.define('read', table);
    await readJsonAnswer(loading.load('read', 'item', generation(1)));
    let isOver = false;
    const readers = [1, 2, 3].map(async () => {
      while (!isOver) answers.push(await read('read'));
    });
    for (let number = 2; number <= last; number += 1) {
      const before = answers.length;
      await readJsonAnswer(loading.load('read', 'item', generation(number)));
      await waitUntil(() => answers.length > before + 6);
    }
    isOver = true;
    await Promise.all(readers);
    const whole = Array.from({ length: last }, (_, at) => `["${(at + 1) * 500}","${at + 1}","${at + 1}"]`);
    expect([...new Set(answers)].toSorted()).toEqual(whole.toSorted());
    // A generation that was seen is never followed by an older one.
    expect(whole.map((answer) => answers.lastIndexOf(answer))).toEqual(
      whole.map((answer) => answers.lastIndexOf(answer)).toSorted((left, right) => left - right),
    );
  });

  it('use index-only scans and fresh statistics after a load', async () => {
    await loading.define('plan', { ...table, indexes: [{ columns: ['generation'], include: ['id'] }] });
    await readJsonAnswer(loading.load('plan', 'item', generation(4)));
    await admin.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off');
    const { rows } = await admin.query<{ 'QUERY PLAN': readonly unknown[] }>(
      `explain (analyze, timing off, format json) select sum(id) from "plan.p2p".item where generation = 4`,
    );
    await admin.query('rollback');
    const plan = JSON.stringify(rows[0]?.['QUERY PLAN']);
    expect(plan).toContain('"Node Type":"Index Only Scan"');
    expect(plan).toContain('"Heap Fetches":0');
    const { rows: known } = await admin.query(
      `select reltuples::int as rows, relallvisible = relpages as visible from pg_class
       where oid = '"plan.p2p".item'::regclass`,
    );
    expect(known).toEqual([{ rows: 2_000, visible: true }]);
  });

  it('use index-only scans even if older queries ran during the load', async () => {
    await loading.define('settled', table);
    const reader = new pg.Client({ connectionString: fixture.database.adminUrl });
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from pg_class');
    const key = await staged('settled', 1);
    const commit = loading.commit(key);
    await waitUntil(async () => (await stateOf(key)) === 'committing');
    await reader.query('rollback');
    await reader.end();
    await readJsonAnswer(commit);
    const { rows } = await admin.query(
      `select relallvisible = relpages as visible from pg_class where oid = '"settled.p2p".item'::regclass`,
    );
    expect(rows).toEqual([{ visible: true }]);
  });
});

describe('a commit that has to wait', () => {
  it('continues after its caller got an interim answer, and every replica sees its result', async () => {
    await loading.define('slow', table);
    await readJsonAnswer(loading.load('slow', 'item', generation(1)));
    const key = await staged('slow', 2);
    const other = openLoadClient(fixture);
    const begun = Promise.withResolvers<undefined>();
    let commit: ReturnType<LoadClient['commit']> | undefined;
    await whileRead('slow', async () => {
      commit = loading.commit(key);
      await waitUntil(async () => (await stateOf(key)) === 'committing');
      expect(await other.status(key)).toEqual({ loadId: key.loadId, state: 'committing', rows: 1_000 });
      expect(await readFailure(other.handler.cancel(key, adminContextOf('slow')))).toMatchObject({
        code: 'GENERAL_CONFLICT',
      });
      expect(await readFailure(other.stage(key, '9,9\n', { ordinal: 1 }))).toMatchObject({ code: 'GENERAL_CONFLICT' });
      expect(await read('slow')).toBe('["500","1","1"]');
      begun.resolve(undefined);
    });
    await begun.promise;
    expect(commit && (await readJsonAnswer(commit))).toMatchObject({ state: 'committed', dataVersion: 2, rows: 1_000 });
    expect(await read('slow')).toBe('["1000","2","2"]');
    other.locks.onModuleDestroy();
  });

  it('delays later commits of its table, but not those of other tables', async () => {
    await loading.define('turns', table);
    await loading.define('turns', { ...table, id: 'other' });
    const first = await staged('turns', 1);
    const name = tableLockName(first);
    await admin.query('select pg_advisory_lock(hashtextextended($1, 1))', [name]);
    const commit = loading.commit(first);
    await waitUntil(async () => (await stateOf(first)) === 'committing');
    expect(await readJsonAnswer(loading.load('turns', 'other', generation(1)))).toMatchObject({ state: 'committed' });
    expect(await stateOf(first)).toBe('committing');
    await admin.query('select pg_advisory_unlock_all()');
    expect(await readJsonAnswer(commit)).toMatchObject({ state: 'committed' });
  });
});

describe('what is made of the rows that a load replaces', () => {
  const never = new AbortController().signal;
  /** They take longer than anybody waits. */
  const makings: readonly (readonly [string, (rows: ReadableTable) => Promise<unknown>])[] = [
    ['looks at their sizes', (rows) => readAggregates(rows, ['count(pg_sleep(0.1))'], never)],
    [
      'copies them',
      async (rows) => {
        const options = { timeoutMs: 600_000, signal: never };
        for await (const piece of copyRows(rows, ['pg_sleep(0.1)'], options)) expect(piece).toBeDefined();
      },
    ],
  ];
  it.each(makings)('is cancelled where it %s: the load does not wait', async (how, make) => {
    const team = `made-${how.length}`;
    await loading.define(team, table);
    await readJsonAnswer(loading.load(team, 'item', generation(1)));
    const place = (await fixture.catalogs.of(team)).schemas.get('p2p') ?? { physical: '', role: '' };
    const making = make({ pool: fixture.pools.loads, team, table: 'item', ...place }).catch((error: unknown) => error);
    await waitUntil(async () => {
      const { rowCount } = await admin.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where relation = $1::regclass and wait_event = 'PgSleep'`,
        [`"${team}.p2p".item`],
      );
      return rowCount === 1;
    });
    expect(await readJsonAnswer(loading.load(team, 'item', generation(2)))).toMatchObject({ state: 'committed' });
    expect(isMakingCancelled(await making)).toBe(true);
    expect(await read(team)).toBe('["1000","2","2"]');
  });
});

describe('what is made of the rows of another table', () => {
  const wide = { ...table, id: 'wide', columns: [...table.columns, { id: 'note', type: 'string' as const }] };
  const wideRows = (count: number): string =>
    Array.from({ length: count }, (_, id) => `${id},1,${'x'.repeat(400)}\n`).join('');
  const isSettled = async (team: string): Promise<unknown> => {
    const { rows } = await admin.query(
      'select relpages > 0 and relallvisible >= relpages as settled from pg_class where oid = $1::regclass',
      [`"${team}.p2p".item`],
    );
    return rows[0]?.['settled'];
  };

  it('holds no snapshot while its reader is slow, so that pages of a load are settled at once', async () => {
    await loading.define('copied', wide);
    await readJsonAnswer(loading.load('copied', 'wide', wideRows(20_000)));
    await loading.define('beside', table);
    const place = (await fixture.catalogs.of('copied')).schemas.get('p2p') ?? { physical: '', role: '' };
    const rows = { pool: fixture.pools.loads, team: 'copied', table: 'wide', ...place };
    const pieces = copyRows(rows, ['id', 'note'], { timeoutMs: 600_000, signal: new AbortController().signal });
    const { value: first } = await pieces.next();
    const startMs = performance.now();
    expect(await readJsonAnswer(loading.load('beside', 'item', generation(1)))).toMatchObject({ state: 'committed' });
    expect(await isSettled('beside')).toBe(true);
    expect(performance.now() - startMs).toBeLessThan(9_000);
    let text = Buffer.from(first ?? []).toString();
    for await (const piece of pieces) text += Buffer.from(piece).toString();
    const ids = text
      .trim()
      .split('\r\n')
      .map((line) => Number(line.slice(0, line.indexOf(','))));
    expect(ids).toEqual(Array.from({ length: 20_000 }, (_, id) => id));
  });

  it('is not waited for when it goes on, and pages that it kept from being settled are settled behind it', async () => {
    await loading.define('behind', table);
    const making = new pg.Client({
      connectionString: fixture.database.adminUrl,
      application_name: makingSettings.application_name,
    });
    await making.connect();
    await making.query('begin isolation level repeatable read');
    await making.query('select count(*) from pg_class');
    const startMs = performance.now();
    try {
      expect(await readJsonAnswer(loading.load('behind', 'item', generation(1)))).toMatchObject({ state: 'committed' });
      expect(performance.now() - startMs).toBeLessThan(9_000);
      expect(await isSettled('behind')).toBe(false);
    } finally {
      await making.end();
    }
    await waitUntil(async () => (await isSettled('behind')) === true);
  });
});

describe('an interrupted load', () => {
  it('leaves existing rows when it is interrupted before its commit', async () => {
    await loading.define('left', table);
    await readJsonAnswer(loading.load('left', 'item', generation(1)));
    await staged('left', 2);
    expect(await read('left')).toBe('["500","1","1"]');
    expect((await fixture.catalogs.of('left')).tables.get('p2p.item')).toEqual({ dataVersion: '1', rows: 500 });
  });

  it('leaves existing rows when it is interrupted in its commit, and resumes when it is requested', async () => {
    await loading.define('cut', table);
    await readJsonAnswer(loading.load('cut', 'item', generation(1), { mode: 'append' }));
    const key = await loading.begin('cut', 'item', { mode: 'append' });
    await readJsonAnswer(loading.stage(key, '1000,2\n'));
    await whileRead('cut', async () => {
      const commit = loading.commit(key);
      await waitUntil(async () => {
        const { rows } = await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'knowledge-models-loads' and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      expect(await readFailure(commit)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await read('cut')).toBe('["500","1","1"]');
    });
    const replica = openLoadClient(fixture);
    await waitUntil(async () => (await replica.status(key))?.state === 'committed');
    expect(await read('cut')).toBe('["501","1","2"]');
    expect(await readJsonAnswer(replica.commit(key))).toMatchObject({ state: 'committed', rows: 501, dataVersion: 2 });
    replica.locks.onModuleDestroy();
  });

  /** Begins the commit, and cuts it off where it waits for a reader: the rows that were there are copied. */
  const cutOff = async (key: LoadKey): Promise<void> => {
    const reader = new pg.Client({ connectionString: fixture.database.adminUrl });
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select count(*) from pg_class');
    const commit = loading.commit(key);
    await waitUntil(async () => {
      const { rows } = await admin.query(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'knowledge-models-loads' and query like '%has_older_queries%'`,
      );
      return rows.length > 0;
    });
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = 'knowledge-models-loads'`,
    );
    expect(await readFailure(commit)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await reader.query('rollback');
    await reader.end();
    expect(await stateOfWithoutResuming(key)).toBe('committing');
  };
  const stateOfWithoutResuming = async ({ loadId }: LoadKey): Promise<unknown> => {
    const { rows } = await admin.query('select state from knowledge_models.table_load where load_id = $1', [loadId]);
    return rows[0]?.['state'];
  };
  const appended = async (team: string, text: string): Promise<LoadKey> => {
    const key = await loading.begin(team, 'item', { mode: 'append' });
    await readJsonAnswer(loading.stage(key, text));
    return key;
  };

  it('keeps its own rows and those of loads committed meanwhile, each once', async () => {
    await loading.define('overtaken', table);
    // Cut off before there is anything to append to: its indexes are made.
    const early = await appended('overtaken', '-1,9\n-2,9\n');
    await cutOff(early);
    await readJsonAnswer(loading.load('overtaken', 'item', generation(1)));
    expect(await readJsonAnswer(loading.commit(early))).toMatchObject({
      state: 'committed',
      rows: 502,
      dataVersion: 2,
    });
    expect(await read('overtaken')).toBe('["502","1","9"]');
    const late = await appended('overtaken', '-3,9\n');
    await cutOff(late);
    expect(await readJsonAnswer(loading.commit(await appended('overtaken', '-4,8\n')))).toMatchObject({ rows: 503 });
    await cutOff(late);
    // No reader is left that could still see the rows that are taken back.
    expect(await readJsonAnswer(loading.load('overtaken', 'item', generation(2)))).toMatchObject({ rows: 1_000 });
    expect(await readJsonAnswer(loading.commit(late))).toMatchObject({
      state: 'committed',
      rows: 1_001,
      dataVersion: 5,
    });
    expect(await read('overtaken')).toBe('["1001","2","9"]');
    const { rows } = await admin.query(
      `select count(distinct id)::int as ids, pg_relation_size('"overtaken.p2p".item') / 8192 as pages from "overtaken.p2p".item`,
    );
    // Neither twice nor beside the places of copies that were taken back.
    expect(rows).toEqual([{ ids: 1_001, pages: expect.any(String) }]);
    expect(Number(rows[0]?.['pages'])).toBeLessThan(10);
  });

  it('can be cancelled or resumed by another replica', async () => {
    await loading.define('gone', table);
    const [first, second] = [await staged('gone', 1), await staged('gone', 2)];
    const replica = openLoadClient(fixture);
    await admin.query('select pg_advisory_lock(hashtextextended($1, 1))', [tableLockName(first)]);
    const commits = [replica.commit(first), replica.commit(second)];
    await waitUntil(async () => [await stateOf(first), await stateOf(second)].every((state) => state === 'committing'));
    replica.locks.onModuleDestroy();
    for (const commit of commits) expect(await readJsonAnswer(commit)).toMatchObject({ state: 'committing' });
    loading.locks.onModuleDestroy();
    loading = openLoadClient(fixture);
    await admin.query('select pg_advisory_unlock_all()');
    expect(await loading.handler.cancel(first, adminContextOf('gone'))).toMatchObject({ ok: true });
    expect(await readJsonAnswer(loading.commit(second))).toMatchObject({ state: 'committed', rows: 1_000 });
  });
});
