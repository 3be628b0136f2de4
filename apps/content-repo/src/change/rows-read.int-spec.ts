/** How many rows each statement looks at in a storage of thousands of elements: what a change needs, never the storage. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listChanges, listBin, writeElements } from '@tessera/contracts/content-repo';
import type pg from 'pg';
import { ListChangesHandler } from '../audit/list-changes.handler.js';
import { BinHandler } from '../bin/bin.handler.js';
import type { Pools } from '../database.module.js';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { companyContent, companyElements } from '../testing/company.js';
import { createReadsByName, readReplyText } from '../testing/all-reads.js';
import type { TestContent } from '../testing/load-content.js';
import { testElementIdOf } from '../testing/write-client.js';
import { WriteElementsHandler } from '../writing/write-elements.handler.js';
import {
  createAdminContext,
  readJsonReply,
  type Json,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

const groups = 4;
const inGroup = 60;
const copies = 80;
/** Far fewer than the storage has, more than any of these calls is about. */
const rowsMax = 400;

const many: TestContent['elements'] = Array.from({ length: groups }, (_, group) => [
  { id: `group-${group}`, type: 'area' },
  { id: `user-${group}`, type: 'user' },
  ...Array.from({ length: inGroup }, (_, index) => ({
    id: `p-${group}-${index}`,
    type: 'process',
    parent: `group-${group}`,
    relations: { owner: [`user-${group}`], uses: [`p-${(group + 1) % groups}-${index}`] },
    content: [
      { id: 'a', type: 'symbol', relations: { uses: [`p-${group}-${(index + 1) % inGroup}`] } },
      { id: 'b', type: 'symbol' },
    ],
  })),
]).flat();

const other = (column: string): string =>
  `case when ${column} is not null then md5(${column}::text || copy.number)::uuid end`;

const otherPath = `lpad(to_hex(('x' || left(tree_path, 8))::bit(32)::integer + 1000 * copy.number), 8, '0') || substr(tree_path, 9)`;

/** Every element of the storage again and again, under other identifiers and at other places. */
const copyText = `
  begin;
  set local session_replication_role = replica;
  set local app.change = '1';
  create temporary table copy on commit drop as select number from generate_series(1, ${copies}) number;
  insert into content_repo.element select tenant, storage_id, ${other('element_id')}, null, facet, type, stereotype,
    ${other('creation_id')}, ${other('parent_id')}, position + case when parent_id is null then 1000 * copy.number else 0 end,
    ${otherPath}, digest, revision, deleted_at, applied_revision
    from content_repo.element cross join copy;
  insert into content_repo.element_version select tenant, storage_id, ${other('version_id')}, ${other('element_id')}, major,
    minor, state, attributes, created_at, changed_at, revision from content_repo.element_version cross join copy;
  insert into content_repo.content_element select tenant, storage_id, ${other('content_id')}, ${other('version_id')}, key,
    position, ${other('creation_id')}, type, stereotype, state, attributes from content_repo.content_element cross join copy;
  insert into content_repo.relation select tenant, storage_id, ${other('owner_id')}, relation, position,
    ${other('target_id')}, null from content_repo.relation cross join copy;
  insert into content_repo.rendition select tenant, storage_id, ${other('version_id')}, ${other('element_id')},
    ${other('parent_id')}, facet, type, ${otherPath}, identity, display_names, attributes,
    related, content, major, minor, state, stereotype, revision, from_sequence
    from content_repo.rendition cross join copy;
  commit;
  analyze`;

let service: TestService;
/** Statement -> the most rows that it looked at. */
let looked = new Map<string, number>();

const rowsText = `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as rows
  from pg_stat_xact_user_tables where schemaname = 'content_repo'`;

/** A connection whose statements are counted. */
const counting = (client: pg.PoolClient): pg.PoolClient =>
  new Proxy(client, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target);
      if (typeof value !== 'function') return value;
      if (member !== 'query') return value.bind(target);
      return async (statement: pg.QueryConfig | string, values?: unknown[]) => {
        const text = typeof statement === 'string' ? statement : statement.text;
        if (/^(begin|commit|rollback)/.test(text)) return target.query(statement, values);
        const before = (await target.query<{ rows: number }>(rowsText)).rows[0]?.rows ?? 0;
        const answer = await target.query(statement, values);
        const after = (await target.query<{ rows: number }>(rowsText)).rows[0]?.rows ?? 0;
        looked.set(text, Math.max(looked.get(text) ?? 0, after - before));
        return answer;
      };
    },
  });

const countingPool = (pool: pg.Pool): pg.Pool =>
  new Proxy(pool, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target);
      if (member === 'connect')
        return (...given: unknown[]) =>
          given.length === 0 ? target.connect().then(counting) : Reflect.apply(target.connect, target, given);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

beforeAll(async () => {
  const wrapPools = (pools: Pools): Pools =>
    Object.create(
      pools,
      Object.getOwnPropertyDescriptors({
        light: countingPool(pools.light),
        reports: countingPool(pools.reports),
        writes: countingPool(pools.writes),
        changes: countingPool(pools.changes),
      }),
    );
  service = await openTestService([{ ...companyContent, elements: [...companyElements, ...many] }], { wrapPools });
  await service.rows(copyText);
}, 120_000);
afterAll(() => service?.end());

const writer = createWriterContext('meridian');
const admin = createAdminContext('meridian');
const place = { team: 'meridian', collection: 'Meridian', storage: 'p2p' };
const apiVersion = '4.0' as const;

const write = (batch: readonly object[]): Promise<Json> =>
  readJsonReply(
    service.get(WriteElementsHandler).write(
      writeElements.request.parse({
        ...testStorageNames,
        facetId: 'processes',
        viewId: 'detail',
        batch: { elements: batch },
      }),
      writer,
    ),
  );
const perform = (elementId: string, transitionId: string) =>
  readJsonReply(
    service
      .get(PerformTransitionHandler)
      .perform({ ...testStorageNames, elementId, transitionId, ignoreWarnings: true, apiVersion }, writer),
  );
const follow = async (elementId: string): Promise<string> => {
  const made = await readJsonReply(
    service.get(CreateVersionHandler).create({ ...testStorageNames, elementId, apiVersion }, writer),
  );
  return made.elements[0].versionId;
};
const remove = (elementId: string) =>
  readJsonReply(
    service
      .get(DeleteElementHandler)
      .delete({ ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId, apiVersion: '2.0' }, writer),
  );

const few = async (work: () => Promise<unknown>): Promise<void> => {
  looked = new Map();
  await work();
  expect([...looked].filter(([, rows]) => rows > rowsMax)).toEqual([]);
};

describe('in a storage of thousands of elements, PostgreSQL reads few rows for', () => {
  it('writes of elements, their positions and their relations', () =>
    few(async () => {
      const relations = { uses: [{ id: testElementIdOf('p-1-1') }] };
      await write([{ key: 'new', type: 'process', parentId: testElementIdOf('group-3'), related: relations }]);
      await write([
        {
          id: testElementIdOf('p-1-5'),
          parentId: testElementIdOf('group-2'),
          attributes: { note: { 127: 'moved' } },
          related: relations,
        },
      ]);
      await write([{ id: testElementIdOf('p-1-6'), content: [{ key: 'a', type: 'symbol' }] }]);
    }));

  it('new versions and transitions', () =>
    few(async () => {
      await perform(testElementIdOf('p-2-2'), 'InProcessToReleased');
      const draft = await follow(testElementIdOf('p-2-2'));
      await perform(draft, 'InProcessToReleased');
    }));

  it('deletions, restores and purges', () =>
    few(async () => {
      await perform(testElementIdOf('p-3-7'), 'InProcessToReleased');
      const draft = await follow(testElementIdOf('p-3-7'));
      await remove(draft);
      await remove(testElementIdOf('p-3-8'));
      await remove(testElementIdOf('p-3-9'));
      const bin = service.get(BinHandler);
      await bin.list(listBin.request.parse(place), admin);
      await readJsonReply(bin.restore({ ...place, id: draft }, admin));
      await readJsonReply(bin.restore({ ...place, id: testElementIdOf('p-3-8') }, admin));
      await readJsonReply(bin.purge({ ...place, purge: { olderThanDays: 0 } }, admin));
    }));

  it('lists of changes', () =>
    few(async () => {
      const audit = service.get(ListChangesHandler);
      for (const more of [
        {},
        { elementId: testElementIdOf('p-2-2') },
        { order: 'oldest', subject: 'ann' },
        { from: '2026-01-01T00:00:00Z' },
      ])
        await audit.list(listChanges.request.parse({ ...place, ...more }), admin);
    }));

  it.each(['now', 'then'])('reads of an element and its parts (as of: %s)', async (when) => {
    const [row] = await service.rows(
      `select to_char(min(changed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from content_repo.change`,
    );
    const query = when === 'now' ? {} : { asOf: String(row?.['at']) };
    for (const [name, ask] of createReadsByName(service, [testElementIdOf('p-2-2')])) {
      if (!name.includes(testElementIdOf('p-2-2'))) continue;
      await few(() => readReplyText(ask(query)));
    }
  });
});
