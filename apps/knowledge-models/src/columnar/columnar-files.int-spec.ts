/** Columnar files from the load of their table to their end, through kills, full disks and starts over what was left. */
import {
  appendFile,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { runInTenantTransaction } from '@tessera/persistence';
import { limitFileSize, waitUntil } from '@tessera/testing';
import { cancelMakings } from '../database/makings.repository.js';
import { openColumnarClient, type ColumnarClient } from '../testing/columnar-client.js';
import { columnQuestion, rowsOfGroups } from '../testing/columnar-questions.js';
import { openFixture, type Fixture } from '../testing/fixture.js';

const numbers = (rows: number) => ({
  schema: 'p2p',
  name: 'numbers',
  columns: 'id bigint, name text, amount numeric',
  rows: `select id, 'name ' || id, id * 1.25 from generate_series(1, ${rows}) as id`,
});
const rowsMany = 200_000;
const never = new AbortController().signal;

let fixture: Fixture;
let folder: string;
let teams = 0;
let team = '';
beforeAll(async () => {
  fixture = await openFixture();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-columnar-'));
  team = `team-${(teams += 1)}`;
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => fixture?.end());

const open = (options: Parameters<typeof openColumnarClient>[1] = {}) =>
  openColumnarClient(fixture, { folder, ...options });
const execute = (text: string): Promise<unknown> =>
  runInTenantTransaction(fixture.pools.loads, team, (client) => client.query(text));
/** By a load, as the product makes them: it says when. */
const load = async (rows: number, name = 'numbers') => {
  await fixture.load(team, { ...numbers(rows), name });
  await execute(`update knowledge_models.team_table set loaded_at = clock_timestamp() where table_id = '${name}'`);
};
const count = async (client: ColumnarClient) => {
  const table = await client.table(team, 'p2p', 'numbers');
  if (!table) return undefined;
  const groups = await client.reader.ask(columnQuestion(table, []), { groupsMax: 1, signal: never });
  return rowsOfGroups(groups)[0]?.[0];
};
const filesIn = async () => (await readdir(folder)).filter((name) => name !== 'temporary').sort();
const theFile = async (ending: string) => join(folder, (await filesIn()).find((name) => name.endsWith(ending)) ?? '');
const makeOnce = async (rows = 100) => {
  await load(rows);
  const client = await open();
  await client.files.ensure(team);
  expect(client.outcomes).toEqual(['made']);
  await client.end();
};

describe('a file', () => {
  it('is made for a table of so many rows, is replaced with its generation, and goes when nobody reads it', async () => {
    await load(99);
    const client = await open({ files: { rowsMin: 100 } });
    await client.files.ensure(team);
    expect([client.files.count, (await filesIn()).length]).toEqual([0, 0]);
    await load(100);
    await client.files.ensure(team);
    expect([await count(client), client.files.count, (await filesIn()).length]).toEqual(['100', 1, 2]);
    expect(client.files.bytes).toBeGreaterThan(0);
    const before = await client.table(team, 'p2p', 'numbers');
    const reading = before && client.files.open(before.key);
    await load(101);
    await client.files.ensure(team);
    expect([await count(client), client.files.count, (await filesIn()).length]).toEqual(['101', 1, 4]);
    reading?.close();
    await waitUntil(async () => (await filesIn()).length === 2);
    expect(before && client.files.find(before.key)).toBeUndefined();
    await client.end();
  });

  it('is made for small tables beside a large one, which questions join to it', async () => {
    await load(100);
    await load(3, 'few');
    const client = await open({ files: { rowsMin: 100 } });
    await client.files.ensure(team);
    expect(await client.table(team, 'p2p', 'few')).toMatchObject({ rows: 3 });
    await client.end();
  });

  it('is made whenever a catalogue shows another revision', async () => {
    await load(100);
    const client = await open();
    fixture.catalogs.onRevision((changed) => void client.files.ensure(changed));
    await load(102);
    await fixture.catalogs.of(team);
    await waitUntil(async () => (await count(client)) === '102');
    fixture.catalogs.onRevision(() => undefined);
    await client.end();
  });

  it('is made again when somebody else has removed it, in place of one that no question can read', async () => {
    await load(100);
    const client = await open({ files: { awaitMs: 10 } });
    await client.files.ensure(team);
    for (const name of await filesIn()) await rm(join(folder, name));
    await expect(count(client)).rejects.toThrow('failed');
    await waitUntil(async () => (await count(client)) === '100');
    expect(client.outcomes).toEqual(['made', 'failed', 'made', 'answered']);
    await client.end();
  });

  it('is made or not as the definition of its table says', async () => {
    await load(100);
    await load(10, 'small');
    await execute(
      `update knowledge_models.team_table set definition = json_build_object('columnar', table_id = 'small')`,
    );
    const client = await open({ files: { rowsMin: 50 } });
    await client.files.ensure(team);
    expect(await client.table(team, 'p2p', 'numbers')).toBeUndefined();
    expect(await client.table(team, 'p2p', 'small')).toMatchObject({ rows: 10 });
    await client.end();
  });
});

describe('the file of a generation that is made again', () => {
  it('stays when the last reader of the one before leaves', async () => {
    await load(100);
    const client = await open({ files: { rowsMin: 50 } });
    const set = async (columnar: boolean): Promise<void> => {
      await execute(`update knowledge_models.team_table set definition = json_build_object('columnar', ${columnar})`);
      await client.files.ensure(team);
    };
    await client.files.ensure(team);
    const before = await client.table(team, 'p2p', 'numbers');
    const reading = before && client.files.open(before.key);
    await set(false);
    expect(client.files.count).toBe(0);
    await set(true);
    expect([client.outcomes, client.files.count]).toEqual([['made', 'made'], 1]);
    reading?.close();
    await client.end();
    const next = await open();
    await next.files.ensure(team);
    expect([await count(next), next.outcomes]).toEqual(['100', ['answered']]);
    await next.end();
  });
});

describe('a start over files that are there', () => {
  it('takes those that are whole', async () => {
    await makeOnce();
    const client = await open();
    await client.files.ensure(team);
    expect([await count(client), client.outcomes]).toEqual(['100', ['answered']]);
    await client.end();
  });

  it('does not take one whose generation is another by now', async () => {
    await makeOnce();
    await load(103);
    const client = await open();
    await client.files.ensure(team);
    expect([await count(client), (await filesIn()).length]).toEqual(['103', 2]);
    await client.end();
  });

  it('does not take the file of a generation with the same version, loaded at another time', async () => {
    await makeOnce();
    await execute('update knowledge_models.team_table set loaded_at = clock_timestamp()');
    const client = await open();
    await client.files.ensure(team);
    expect([await count(client), client.outcomes, (await filesIn()).length]).toEqual(['100', ['made', 'answered'], 2]);
    await client.end();
  });

  const spoil: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'of another version of the engine',
      () => changeManifest((text) => text.replace(/"engine":"[^"]*"/, '"engine":"v1.0.0"')),
    ],
    ['of another form', () => changeManifest((text) => text.replace('"format":1', '"format":2'))],
    ['whose manifest is cut', () => changeManifest((text) => text.slice(0, 50))],
    ['that is cut', async () => truncate(await writable('.duckdb'), 5_000)],
    ['that is gone', async () => rm(await theFile('.duckdb'))],
    ['that is longer', async () => appendFile(await writable('.duckdb'), 'x')],
    ['whose digest differs', async () => spoilByte(await writable('.duckdb'))],
    ['that another team has under its own name', async () => takeName()],
  ];
  const changeManifest = async (change: (text: string) => string): Promise<void> => {
    const path = await theFile('.json');
    await writeFile(path, change(await readFile(path, 'utf8')));
  };
  const writable = async (ending: string): Promise<string> => {
    const path = await theFile(ending);
    await copyFile(path, `${path}.copy`);
    await rm(path);
    await writeFile(path, await readFile(`${path}.copy`));
    await rm(`${path}.copy`);
    return path;
  };
  const spoilByte = async (path: string): Promise<void> => {
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  /** The manifest says that the rows are those of somebody else. */
  const takeName = (): Promise<void> =>
    changeManifest((text) => text.replace(`"team":"${team}"`, '"team":"northgate"'));

  it.each(spoil)('makes one anew %s', async (_what, change) => {
    await makeOnce();
    await change();
    const client = await open();
    await client.files.ensure(team);
    expect([await count(client), client.outcomes]).toEqual(['100', ['made', 'answered']]);
    expect(await filesIn()).toHaveLength(2);
    await client.end();
  });

  it('takes away what an earlier process left behind, and nothing that another may be writing', async () => {
    await makeOnce();
    const whole = await filesIn();
    const longAgo = new Date(Date.now() - 7 * 3_600_000);
    const leave = async (name: string, changedAt = longAgo): Promise<void> => {
      await writeFile(join(folder, name), 'left');
      await utimes(join(folder, name), changedAt, changedAt);
    };
    await leave(`${'0'.repeat(32)}.duckdb`, new Date());
    for (const name of ['old.csv.part', 'old.duckdb.part', 'old.duckdb.part.wal']) await leave(name);
    await leave('x.csv.part', new Date());
    const client = await open();
    await client.files.ensure(team);
    expect(client.outcomes).toEqual([]);
    await client.end();
    expect(await filesIn()).toEqual([...whole, 'x.csv.part'].sort());
  });
});

describe('a file that cannot be made', () => {
  it('is no failure of anybody: what was begun goes, and it is tried again', async () => {
    await load(rowsMany);
    const client = await open({ files: { retryMs: 10 } });
    const making = client.files.ensure(team);
    // The engine reads what COPY has written.
    await waitUntil(async () => (await filesIn()).some((name) => name.endsWith('.duckdb.part')));
    process.kill(client.process.pid ?? 0, 'SIGKILL');
    await making;
    expect(client.outcomes).toEqual(['failed']);
    expect(client.lines).toContain('a copy by columns was not made; PostgreSQL answers');
    await waitUntil(() => client.outcomes.includes('made'));
    expect(await count(client)).toBe(String(rowsMany));
    expect(await filesIn()).toHaveLength(2);
    await client.end();
  });

  it('is tried again after a load of its table cancelled it', async () => {
    await load(rowsMany);
    const client = await open({ files: { retryMs: 10 } });
    const making = client.files.ensure(team);
    await waitUntil(async () => {
      await runInTenantTransaction(fixture.pools.loads, team, (connection) =>
        cancelMakings(connection, { physical: `${team}.p2p`, name: 'numbers' }),
      );
      return client.outcomes.length > 0;
    });
    await making;
    expect(client.outcomes[0]).toBe('cancelled');
    await waitUntil(() => client.outcomes.includes('made'));
    expect(await count(client)).toBe(String(rowsMany));
    expect(await filesIn()).toHaveLength(2);
    expect(client.lines).not.toContain('a copy by columns was not made; PostgreSQL answers');
    await client.end();
  });

  it.each([
    ['while its rows are copied', 1_000],
    ['when it is larger than what is left', 200_000],
  ])('leaves nothing behind where there is no room, %s', async (_when, bytesMax) => {
    await load(1_000);
    const client = await open({ files: { bytesMax } });
    await client.files.ensure(team);
    expect([client.outcomes, await filesIn(), await count(client)]).toEqual([['disk-full'], [], undefined]);
    expect(client.lines).toContain('a copy by columns was not made; PostgreSQL answers');
    await client.end();
  });

  it.each([
    ['its rows are copied', 10_000, 100_000, () => process.pid],
    ['the engine writes it', 10_000, 100_000, (client: ColumnarClient) => client.process.pid ?? 0],
    ['its manifest is written', 1, 300, () => process.pid],
  ])('leaves nothing behind where the disk is full while %s; PostgreSQL answers', async (_when, rows, bytes, pidOf) => {
    await load(rows);
    const client = await open();
    await client.process.version();
    const { pid } = client.process;
    const lift = limitFileSize(pidOf(client), bytes);
    try {
      await client.files.ensure(team);
    } finally {
      lift();
    }
    expect([client.outcomes, await filesIn(), await count(client)]).toEqual([['disk-full'], [], undefined]);
    expect(client.lines).toContain('a copy by columns was not made; PostgreSQL answers');
    expect([await client.process.version(), client.process.pid]).toEqual([expect.any(String), pid]);
    await client.end();
    const next = await open();
    await next.files.ensure(team);
    expect(await count(next)).toBe(String(rows));
    await next.end();
  });

  it.each([
    ['a text is shorter', ',name 42,', ',name 4,'],
    ['a text lost its value', ',name 42,', ',,'],
    ['a truth is another', ',t,2026-02-12,', ',f,2026-02-12,'],
    ['a date is another', ',2026-02-12,', ',2026-02-13,'],
    ['a moment is another', ' 00:00:42.000042,', ' 00:00:42.000043,'],
    ['an instant is another', ' 00:00:42.000001\r', ' 00:00:42.000002\r'],
  ])('is none where the engine read something else: %s', async (_what, copied, changed) => {
    await fixture.load(team, {
      ...{ schema: 'p2p', name: 'numbers' },
      columns: 'id bigint, name text, yes boolean, day date, at timestamp, moment timestamptz',
      rows: `select id, 'name ' || id, id % 2 = 0, date '2026-01-01' + id::int, timestamp '2026-01-01' + id * interval '1.000001 s',
        timestamptz '2026-01-01 00:00+00' + interval '1 microsecond' + id * interval '1 s' from generate_series(1, 100) as id`,
    });
    const client = await open();
    const run = client.process.run.bind(client.process);
    const changes: boolean[] = [];
    jest.spyOn(client.process, 'run').mockImplementation(async (command, options) => {
      if (command.kind === 'make') {
        const csv = await readFile(command.csv, 'utf8');
        changes.push(csv.includes(copied));
        await writeFile(command.csv, csv.replace(copied, changed));
      }
      return run(command, options);
    });
    await client.files.ensure(team);
    expect([changes, client.outcomes, await filesIn()]).toEqual([[true], ['differs'], []]);
    await client.end();
  });

  it('leaves what nobody but its owner may read', async () => {
    const client = await open();
    const [csv, target] = [join(folder, 'none.csv'), join(folder, 'unfinished.duckdb.part')];
    const columns = [{ stored: 'c1', type: 'bigint' }];
    const command = { kind: 'make', csv, columns, target, counted: [] } as const;
    await expect(client.process.run(command, { signal: never, timeoutMs: 60_000 })).rejects.toThrow('none.csv');
    expect((await stat(target)).mode & 0o777).toBe(0o600);
    await client.end();
  });

  it('is cut off when the service stops', async () => {
    await load(rowsMany);
    const client = await open();
    const making = client.files.ensure(team);
    await waitUntil(async () => (await filesIn()).some((name) => name.endsWith('.part')));
    await client.end();
    await making;
    expect([client.outcomes, await filesIn()]).toEqual([['stopped'], []]);
  });

  it('is none where no column can be stored', async () => {
    await fixture.load(team, { schema: 'p2p', name: 'numbers', columns: 'ratio float8', rows: [{ ratio: 1 }] });
    const client = await open();
    await client.files.ensure(team);
    expect([client.outcomes, await filesIn()]).toEqual([['nothing-to-store'], []]);
    await client.end();
  });
});
