/** The bin of a storage on a real PostgreSQL, through the handlers as the gateway calls them. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { StorageDefinition } from '@tessera/contracts';
import { listBin } from '@tessera/contracts/content-repo';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { companyContent } from '../testing/company.js';
import { openImportClient } from '../testing/import-client.js';
import { BinHandler } from './bin.handler.js';
import {
  createAdminContext,
  readJsonReply,
  type Json,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let bin: BinHandler;
beforeEach(async () => {
  service = await openTestService([companyContent]);
  bin = service.get(BinHandler);
});
afterEach(() => service.end());

const place = { team: 'meridian', collection: 'Meridian', storage: 'p2p' };
const admin = createAdminContext('meridian');
const idOf = (key: string) => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);

const remove = (elementId: string, facetId = 'processes') =>
  readJsonReply(
    service
      .get(DeleteElementHandler)
      .delete(
        { ...testStorageNames, facetId, viewId: 'detail', elementId, apiVersion: '2.0' },
        createWriterContext('meridian'),
      ),
  );
const createVersion = (elementId: string) =>
  readJsonReply(
    service
      .get(CreateVersionHandler)
      .create({ ...testStorageNames, elementId, apiVersion: '4.0' }, createWriterContext('meridian')),
  );
const restore = (id: string, more: { readonly idempotencyKey?: string } = {}) =>
  bin.restore({ ...place, id, ...more }, admin);
const purge = (olderThanDays = 0) => readJsonReply(bin.purge({ ...place, purge: { olderThanDays } }, admin));
const listed = async (pageSize = 100, after?: string) => {
  const result = await bin.list({ ...place, pageSize, after }, admin);
  if (!result.ok) throw new Error(result.failure.detail);
  return result.value;
};
const draftOf = async (key: string): Promise<string> => {
  const [row] = await service.rows(
    `select version_id::text as id from content_repo.element_version where element_id = $1 and state = 'inProcess'`,
    [idOf(key)],
  );
  return String(row?.['id']);
};
/** Everything that reads show, without the numbers of changes. */
const shown = () =>
  service.rows(
    `select to_jsonb(r) - 'from_sequence' - 'revision' as row from content_repo.rendition r order by version_id`,
  );
const entries = () =>
  service.rows(
    `select action, element_id::text as element, detail from content_repo.change_entry
     where sequence = (select max(sequence) from content_repo.change) order by ordinal`,
  );

describe('the bin', () => {
  it.each(['2026-99-01T00:00:00.000Z', '2026-02-01T25:00:00.000Z', '0000-01-01T00:00:00.000Z', ''])(
    'rejects the page key %j',
    (day) => {
      const ask = (after: string) => listBin.request.safeParse({ ...place, after }).success;
      expect(ask(`${day}~${idOf('top')}`)).toBe(false);
      expect(ask(`2026-02-01T00:00:00.000Z~${'-'.repeat(36)}`)).toBe(false);
      expect(ask(`2026-02-01T00:00:00.000Z~${idOf('top')}`)).toBe(true);
    },
  );

  it('lists deleted items with who deleted them and when, the latest first, page by page', async () => {
    const draft = await draftOf('order');
    await remove(idOf('top'));
    await remove(draft);
    await remove(idOf('ann'), 'users');
    const first = await listed(2);
    expect(first.deleted).toEqual([
      {
        id: idOf('ann'),
        facet: 'users',
        type: 'user',
        name: 'Ann',
        deletedAt: expect.stringMatching(/^2.*Z$/),
        deletedBy: 'ann',
      },
      {
        id: idOf('order'),
        versionId: draft,
        version: '2.1',
        facet: 'processes',
        type: 'process',
        name: 'Order goods, better',
        deletedAt: expect.any(String),
        deletedBy: 'ann',
      },
    ]);
    const second = await listed(2, first.next);
    expect(second).toEqual({ deleted: [expect.objectContaining({ id: idOf('top'), name: 'Top step' })] });
  });

  it('returns 404 without the admin right for the team', async () => {
    await remove(idOf('top'));
    for (const context of [createAdminContext('northgate'), createWriterContext('meridian')]) {
      const calls = [
        bin.list({ ...place, pageSize: 1 }, context),
        bin.restore({ ...place, id: idOf('top') }, context),
        bin.purge({ ...place, purge: { olderThanDays: 0 } }, context),
      ];
      for (const call of calls) expect(await readFailure(call)).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    }
    const foreign = await bin.list({ ...place, team: 'northgate', pageSize: 1 }, createAdminContext('northgate'));
    expect(foreign).toMatchObject({ failure: { code: 'CONTENT_NOTFOUND' } });
  });
});

describe('restoring an element', () => {
  it('restores its place, its renditions and the references to it', async () => {
    const before = await shown();
    const [stored] = await service.rows('select digest from content_repo.element where element_id = $1', [idOf('ann')]);
    await remove(idOf('ann'), 'users');
    await remove(idOf('sign'));
    await remove(idOf('approve'));
    expect(await shown()).not.toEqual(before);
    for (const key of ['approve', 'sign', 'ann'])
      expect(await readJsonReply(restore(idOf(key)))).toMatchObject({ id: idOf(key) });
    expect(await shown()).toEqual(before);
    expect((await listed()).deleted).toEqual([]);
    expect(await entries()).toEqual([{ action: 'restored', element: idOf('ann'), detail: {} }]);
    const [told] = await service.rows('select payload from content_repo.outbox order by position desc limit 1');
    expect(JSON.parse(String(told?.['payload']))).toMatchObject({
      type: 'content.element.changed',
      subject: 'admin',
      data: { change: 'restored', elementId: idOf('ann') },
    });
    expect(await service.rows('select digest from content_repo.element where element_id = $1', [idOf('ann')])).toEqual([
      stored,
    ]);
  });

  it('restores its place even after an import', async () => {
    const before = await shown();
    const importing = openImportClient(service, 'meridian', StorageDefinition.parse(companyContent.definition));
    await remove(idOf('receive'));
    await remove(idOf('ann'), 'users');
    expect(await importing.applied(companyContent.elements)).toMatchObject({ changed: 0 });
    await readJsonReply(restore(idOf('receive')));
    await readJsonReply(restore(idOf('ann')));
    expect(await shown()).toEqual(before);
    expect(await importing.applied(companyContent.elements)).toMatchObject({ changed: 0 });
    const renamed = companyContent.elements.map((element) =>
      element.id === 'ann' ? { ...element, attributes: { name: 'Anna' } } : element,
    );
    expect(await importing.applied(renamed)).toMatchObject({ changed: 1 });
  });

  it('is rejected while its parent is deleted, naming the element to restore first', async () => {
    await remove(idOf('sign'));
    await remove(idOf('approve'));
    expect(await readFailure(restore(idOf('sign')))).toMatchObject({
      code: 'CONTENT_CONFLICT',
      detail: `The element cannot come back to its parent: the element "${idOf('approve')}" was deleted; restore it first.`,
    });
  });

  it('runs once per Idempotency-Key and returns 404 for items outside the bin', async () => {
    await remove(idOf('top'));
    const keyed = { idempotencyKey: 'once' };
    const first = await readJsonReply(restore(idOf('top'), keyed));
    expect(await readJsonReply(restore(idOf('top'), keyed))).toEqual(first);
    for (const id of [idOf('top'), idOf('nobody')])
      expect(await readFailure(restore(id))).toMatchObject({
        code: 'CONTENT_NOTFOUND',
        detail: expect.stringContaining(id),
      });
  });
});

describe('restoring a draft', () => {
  it('restores its content and relations', async () => {
    await remove(await draftOf('order'));
    await createVersion(idOf('order'));
    const [before, draft] = [await shown(), await draftOf('order')];
    await remove(draft);
    expect(await readJsonReply(restore(draft))).toEqual({
      id: idOf('order'),
      versionId: draft,
      facet: 'processes',
      type: 'process',
    });
    expect(await shown()).toEqual(before);
    expect(await entries()).toMatchObject([{ action: 'restored', detail: { version: '2.1', state: 'inProcess' } }]);
  });

  it('is rejected while its element has another draft or is deleted', async () => {
    const draft = await draftOf('order');
    await remove(draft);
    await createVersion(idOf('order'));
    const second = await draftOf('order');
    expect((await readFailure(restore(draft)))?.detail).toContain(`Version 2.1 (${second}) is in the state inProcess`);
    await remove(second);
    await service.rows('update content_repo.element set deleted_at = now() where element_id = $1', [idOf('order')]);
    expect((await readFailure(restore(draft)))?.detail).toContain('was deleted as well; restore it first');
  });

  it('leaves out relations to purged elements', async () => {
    await remove(await draftOf('order'));
    await createVersion(idOf('order'));
    const draft = await draftOf('order');
    await remove(draft);
    await remove(idOf('bob'), 'users');
    await service.rows(`update content_repo.deleted_version set deleted_at = now() + interval '1 day'`);
    expect(await purge()).toMatchObject({ elements: 1, versions: 0 });
    await readJsonReply(restore(draft));
    const [row] = await service.rows(`select content from content_repo.rendition where version_id = $1`, [draft]);
    expect(String(row?.['content'])).not.toContain(idOf('bob'));
  });
});

describe('a purge', () => {
  const leftOf = async (id: string): Promise<readonly Json[]> =>
    service.rows(
      `select 'element' as left from content_repo.element where element_id = $1
       union all select 'version' from content_repo.element_version where element_id = $1
       union all select 'relation' from content_repo.relation where target_id = $1 or owner_id in (
         select version_id from content_repo.rendition_history where element_id = $1)
       union all select 'rendition' from content_repo.rendition where element_id = $1
       union all select 'bin' from content_repo.deleted_version where element_id = $1
       union all select 'history' from content_repo.rendition_history where element_id = $1`,
      [id],
    );

  it('removes elements with all their rows and the references to them', async () => {
    await remove(idOf('ann'), 'users');
    await remove(idOf('sign'));
    await remove(idOf('approve'));
    expect(await purge()).toEqual({ elements: 3, versions: 0, more: false });
    for (const key of ['ann', 'sign', 'approve']) expect(await leftOf(idOf(key))).toEqual([]);
    expect(await readFailure(restore(idOf('ann')))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect((await entries()).map(({ action, element }) => [action, element])).toEqual(
      ['ann', 'sign', 'approve'].map((key) => ['purged', idOf(key)]),
    );
    expect(await purge()).toEqual({ elements: 0, versions: 0, more: false });
  });

  it('removes a draft and keeps its element', async () => {
    const draft = await draftOf('order');
    await remove(draft);
    expect(await purge()).toEqual({ elements: 0, versions: 1, more: false });
    expect(await service.rows('select from content_repo.rendition_history where version_id = $1', [draft])).toEqual([]);
    expect((await listed()).deleted).toEqual([]);
    expect(await createVersion(idOf('order'))).toMatchObject({ count: 1 });
  });

  it('keeps items that were deleted too recently, and their ancestors', async () => {
    await remove(idOf('sign'));
    await remove(idOf('approve'));
    await remove(idOf('top'));
    await service.rows(
      `update content_repo.element set deleted_at = deleted_at - interval '10 days' where key = any($1)`,
      [['approve', 'top']],
    );
    expect(await purge(9)).toEqual({ elements: 1, versions: 0, more: false });
    expect((await listed()).deleted.map(({ id }) => id)).toEqual([idOf('sign'), idOf('approve')]);
  });
});
