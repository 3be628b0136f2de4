/** Definitions on a real PostgreSQL, by two readers as two replicas have them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fail, succeed, type Result } from '@tessera/failures';
import { createPool, runInTenantTransaction, type Pool } from '@tessera/persistence';
import { agentsEntities } from '@tessera/persistence/agents';
import { runInTenantEntityTransaction, openDataSource } from '@tessera/persistence/data-source';
import { waitUntil, createTestDatabase, type TestDatabase } from '@tessera/testing';
import type { DataSource } from 'typeorm';
import { applyDefinitions, changeDefinitions, toFaultsFailure, removeDefinition } from './apply-definitions.js';
import { DefinitionReader, type VersionRow } from './definition-reader.js';
import { testDefinitionKind, createTestDefinition, type TestDefinition } from './testing/test-kind.js';

type Version = {
  readonly id: string;
  readonly version: number | 'draft';
  readonly digest: string;
  readonly text?: string;
};

let database: TestDatabase;
let pool: Pool;
let source: DataSource;
let queries = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  const url = database.urlFor('agents');
  pool = createPool({ url, applicationName: 'spec', connectionsMax: 8, statementTimeoutMs: 10_000 });
  source = openDataSource(pool, agentsEntities);
  await runInTenantEntityTransaction(source, 'any', () => Promise.resolve());
  pool.on('acquire', () => void queries++);
  reader = readerOf();
  other = readerOf();
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const noDraft = fail('AGENT_NOTFOUND', 'no draft');
const made: string[] = [];
const readerOf = () =>
  new DefinitionReader<Version>({
    pool,
    tables: testDefinitionKind.tables,
    versionOf: (team: string, { id, version, digest, definition }: VersionRow) => {
      made.push(`${team} ${id} ${version}`);
      const parsed = testDefinitionKind.parse(definition);
      return parsed && { id, version, digest, ...(parsed.text !== undefined && { text: parsed.text }) };
    },
    sizeOf: () => 100,
    noDraft,
    unknown: (id, known) => fail('AGENT_NOTFOUND', `${id} is none of ${[...known].join()}`),
  });
let reader: DefinitionReader<Version>;
let other: DefinitionReader<Version>;

let woken = 0;
const events = { wake: () => void woken++ };
const changeOf = (team: string) => ({ source, pool, team, subject: 'admin', requestId: 'r', events });
const apply = (team: string, definitions: readonly TestDefinition[], mode: 'publish' | 'draft' | 'check' = 'publish') =>
  changeDefinitions(changeOf(team), async (writer) =>
    succeed(await applyDefinitions(testDefinitionKind, writer, { definitions, mode })),
  );
const remove = (team: string, id: string) =>
  changeDefinitions(changeOf(team), (writer) => removeDefinition(testDefinitionKind, writer, id));
const told = (team: string) =>
  runInTenantTransaction(pool, team, async (client) => {
    const { rows } = await client.query<{ readonly payload: string }>(
      'select payload from agents.outbox order by position',
    );
    return rows.map(({ payload }) => {
      const { type, data } = JSON.parse(payload);
      return `${type} ${Object.values(data).join(' ')}`;
    });
  });
const textOf = (found: Result<Version>) => (found.ok ? (found.value.text ?? '') : found.failure.detail);

describe('DefinitionReader', () => {
  it('returns at once what any replica has published', async () => {
    for (let turn = 0; turn < 5; turn++) {
      await apply('now', [createTestDefinition('a', `${turn}`)]);
      for (const each of [reader, other]) expect(textOf(await each.find('now', 'a', false))).toBe(`${turn}`);
    }
  });

  it('reads the database once for concurrent callers', async () => {
    await apply('shared', [createTestDefinition('a', 'x')]);
    const before = queries;
    const found = await Promise.all(Array.from({ length: 50 }, () => readerOf().find('shared', 'a', false)));
    const separate = queries - before;
    const fresh = readerOf();
    const together = await Promise.all(Array.from({ length: 50 }, () => fresh.find('shared', 'a', false)));
    expect([...found, ...together].map(textOf)).toEqual(Array.from({ length: 100 }, () => 'x'));
    expect(queries - before - separate).toBeLessThan(separate / 10);
  });

  it('keeps the object of an unchanged version', async () => {
    await apply('same', [createTestDefinition('a'), createTestDefinition('b')]);
    const [a, b] = [await reader.find('same', 'a', false), await reader.find('same', 'b', false)];
    made.length = 0;
    await apply('same', [createTestDefinition('b', 'new')]);
    const [again, changed] = [await reader.find('same', 'a', false), await reader.find('same', 'b', false)];
    expect(a.ok && again.ok && a.value === again.value).toBe(true);
    expect(b.ok && changed.ok && b.value === changed.value).toBe(false);
    expect(made).toEqual(['same b 2']);
  });

  it('reads drafts separately, with the same object while unchanged', async () => {
    await apply('draft', [createTestDefinition('a', 'published')]);
    expect(await reader.find('draft', 'a', true)).toBe(noDraft);
    await apply('draft', [createTestDefinition('a', 'drafted'), createTestDefinition('b')], 'draft');
    const [first, second] = [await reader.find('draft', 'a', true), await reader.find('draft', 'a', true)];
    expect(first).toMatchObject({ value: { version: 'draft', text: 'drafted' } });
    expect(first.ok && second.ok && first.value === second.value).toBe(true);
    expect(textOf(await other.find('draft', 'a', false))).toBe('published');
    expect(textOf(await other.find('draft', 'b', false))).toBe('b is none of a');
    await apply('draft', [createTestDefinition('a', 'drafted')]);
    expect(await other.find('draft', 'a', true)).toBe(noDraft);
  });

  it('lists published definitions ordered by id', async () => {
    await apply('list', [createTestDefinition('b'), createTestDefinition('a', 'x')]);
    await apply('list', [createTestDefinition('c')], 'draft');
    const listed = await reader.list('list');
    expect(listed.ok && listed.value.map(({ id, version }) => `${id} ${version}`)).toEqual(['a 1', 'b 1']);
    expect(await reader.list('nobody')).toEqual(succeed([]));
  });

  it('does not return definitions of another team or ones that do not parse', async () => {
    await apply('mine', [createTestDefinition('a')]);
    expect(textOf(await reader.find('yours', 'a', false))).toBe('a is none of ');
    expect(textOf(await reader.find('yours', 'a', true))).toBe('a is none of ');
    const old = { kind: 'TestDefinition', id: 'old', gone: 1 } as const;
    await apply('mine', [old]);
    expect(textOf(await reader.find('mine', 'old', false))).toBe('old is none of a');
  });

  it('does not query a draft for an invalid id', async () => {
    await apply('names', [createTestDefinition('a')]);
    for (const name of ['nu\u0000l', 'half \ud800', '__proto__', "'; drop table agent; --"])
      for (const isDraft of [true, false])
        expect(textOf(await reader.find('names', name, isDraft))).toBe(`${name} is none of a`);
    expect(textOf(await reader.find('names', 'x'.repeat(10_000), true))).toMatch(/^x{2000}…$/);
  });

  it('checks the revision, and reads nothing when it is unchanged', async () => {
    await apply('looked', [createTestDefinition('a', 'x')]);
    await reader.find('looked', 'a', false);
    made.length = 0;
    const before = queries;
    // More than one look: each begins when what was seen is too old.
    await waitUntil(async () => {
      await reader.find('looked', 'a', false);
      return queries - before >= 3;
    });
    expect(made).toEqual([]);
  });

  it('returns nothing after all definitions were deleted', async () => {
    await apply('emptied', [createTestDefinition('a')]);
    expect(await reader.find('emptied', 'a', false)).toMatchObject({ ok: true });
    await remove('emptied', 'a');
    expect(textOf(await reader.find('emptied', 'a', false))).toBe('a is none of ');
    await apply('emptied', [createTestDefinition('a', 'again')]);
    expect(await reader.find('emptied', 'a', false)).toMatchObject({ value: { version: 1, text: 'again' } });
  });

  it('reports an unavailable database', async () => {
    const broken = createPool({
      url: 'postgres://nobody@127.0.0.1:1/none',
      ...{ applicationName: 'spec', connectionsMax: 1, statementTimeoutMs: 1_000 },
    });
    const away = new DefinitionReader<Version>({
      pool: broken,
      tables: testDefinitionKind.tables,
      versionOf: () => undefined,
      sizeOf: () => 1,
      noDraft,
      unknown: () => noDraft,
    });
    const found = await away.find('now', 'a', false);
    expect(found.ok ? undefined : found.failure.code).toBe('SERVICE_UNAVAILABLE');
    await broken.end();
  });
});

describe('a change', () => {
  it('numbers versions consecutively under concurrent publications', async () => {
    const changes = await Promise.all(
      Array.from({ length: 6 }, (_, turn) => apply('race', [createTestDefinition('a', `Turn ${turn}`)])),
    );
    const versions = changes.map((change) => (change.ok ? change.value[0]?.version : undefined));
    expect(versions.sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('writes events of publications and deletions only, in order', async () => {
    const team = 'told';
    await apply(team, [createTestDefinition('a'), createTestDefinition('b')]);
    await apply(team, [createTestDefinition('a'), createTestDefinition('b', 'x')]);
    await apply(team, [createTestDefinition('c')], 'draft');
    await apply(team, [createTestDefinition('d')], 'check');
    expect(await remove(team, 'c')).toEqual(succeed({ deleted: 'c' }));
    expect(await remove(team, 'a')).toEqual(succeed({ deleted: 'a' }));
    expect(await remove(team, 'a')).toMatchObject({ ok: false, failure: { code: 'GENERAL_NOTFOUND' } });
    expect(await told(team)).toEqual([
      'agents.agent.published a 1',
      'agents.agent.published b 1',
      'agents.agent.published b 2',
      'agents.agent.deleted a',
    ]);
    expect(textOf(await other.find(team, 'a', false))).toBe('a is none of b');
  });

  it('has no effect and publishes no events when it fails', async () => {
    const before = woken;
    const failed = toFaultsFailure([{ in: 'body', path: 'definitions.0', message: 'wrong' }]);
    const result = await changeDefinitions(changeOf('failed'), async (writer) => {
      await applyDefinitions(testDefinitionKind, writer, { definitions: [createTestDefinition('a')], mode: 'publish' });
      return failed;
    });
    expect(result).toBe(failed);
    expect(woken).toBe(before);
    expect(await reader.list('failed')).toEqual(succeed([]));
    expect(await told('failed')).toEqual([]);
    await apply('failed', [createTestDefinition('a')]);
    expect(woken).toBe(before + 1);
  });

  it('does not delete a definition that its owner protects', async () => {
    await apply('keeping', [createTestDefinition('a'), createTestDefinition('b', 'a')]);
    const kept = fail('GENERAL_CONFLICT', 'b needs a');
    const refused = await changeDefinitions(changeOf('keeping'), (writer) =>
      removeDefinition(testDefinitionKind, writer, 'a', (stored) => (stored.has('b') ? kept : undefined)),
    );
    expect(refused).toBe(kept);
    const remaining = await runInTenantEntityTransaction(source, 'keeping', (manager) =>
      testDefinitionKind.tables.readStored(manager, 'keeping'),
    );
    expect(remaining.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('shows no row to another team', async () => {
    await apply('owner', [createTestDefinition('a')]);
    expect(
      await runInTenantEntityTransaction(source, 'stranger', (manager) =>
        testDefinitionKind.tables.readStored(manager, 'owner'),
      ),
    ).toEqual([]);
    expect(await remove('stranger', 'a')).toMatchObject({ ok: false });
    expect(textOf(await reader.find('owner', 'a', false))).toBe('');
  });
});

describe('faults', () => {
  it('are reported up to a maximum of a hundred', () => {
    const fault = { in: 'body', path: '', message: 'wrong' };
    const failure = (count: number) => {
      const result = toFaultsFailure(Array.from({ length: count }, () => fault));
      return result.ok ? undefined : result.failure;
    };
    expect(failure(1)).toMatchObject({ detail: 'The definitions have 1 fault; nothing was changed.', faults: [fault] });
    expect(failure(100)?.detail).toContain('100 faults');
    expect(failure(700)?.detail).toContain('more than 100 faults');
    expect(failure(700)?.faults).toHaveLength(100);
  });
});
