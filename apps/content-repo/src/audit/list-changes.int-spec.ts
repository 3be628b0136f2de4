/** The audit of a storage on a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { listChanges, type ContentChange } from '@tessera/contracts/content-repo';
import { runInTenantTransaction } from '@tessera/persistence';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { CreateVersionHandler } from '../release/create-version.handler.js';
import { PerformTransitionHandler } from '../release/perform-transition.handler.js';
import { companyContent } from '../testing/company.js';
import { ListChangesHandler } from './list-changes.handler.js';
import {
  createAdminContext,
  readJsonReply,
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let draft: string;
const idOf = (key: string) => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);
const asRequest = (requestId: string, subject = 'ann') => {
  const context = createWriterContext('meridian');
  return { ...context, requestId, caller: { ...context.caller, subject } };
};

beforeAll(async () => {
  service = await openTestService([companyContent]);
  const transitions = service.get(PerformTransitionHandler);
  const deletions = service.get(DeleteElementHandler);
  const [row] = await service.rows(
    `select version_id::text as id from content_repo.element_version where element_id = $1 and state = 'inProcess'`,
    [idOf('order')],
  );
  const release = {
    ...testStorageNames,
    elementId: String(row?.['id']),
    apiVersion: '4.0',
    ignoreWarnings: true,
  } as const;
  await readJsonReply(transitions.perform({ ...release, transitionId: 'InProcessToReleased' }, asRequest('r1')));
  const versions = service.get(CreateVersionHandler);
  const made = await readJsonReply(
    versions.create({ ...testStorageNames, elementId: idOf('order'), apiVersion: '4.0' }, asRequest('r2', 'carla')),
  );
  draft = made.elements[0].versionId;
  const gone = { ...testStorageNames, facetId: 'processes', viewId: 'detail', apiVersion: '2.0' } as const;
  await readJsonReply(deletions.delete({ ...gone, elementId: draft }, asRequest('r3')));
  await readJsonReply(deletions.delete({ ...gone, elementId: idOf('top') }, asRequest('r4', 'bob')));
});
afterAll(() => service.end());

type Asked = Partial<Parameters<ListChangesHandler['list']>[0]>;

const ask = (asked: Asked = {}, context = createAdminContext('meridian')) => {
  const request = listChanges.request.parse({ team: 'meridian', collection: 'Meridian', storage: 'p2p', ...asked });
  return service.get(ListChangesHandler).list(request, context);
};
const page = async (asked: Asked = {}) => {
  const result = await ask(asked);
  if (!result.ok) throw new Error(result.failure.detail);
  return listChanges.reply.parse(result.value);
};
const requestsOf = ({ changes }: { readonly changes: readonly ContentChange[] }) =>
  changes.map(({ requestId }) => requestId);

describe('the changes of a storage', () => {
  it('record the caller, operation, element, version, time and request', async () => {
    const { changes } = await page();
    expect(requestsOf({ changes })).toEqual(['r4', 'r3', 'r2', 'r1', 'load']);
    expect(changes[2]).toEqual({
      sequence: '3',
      changedAt: expect.stringMatching(/^2.*Z$/),
      operation: 'content.versions.create',
      subject: 'carla',
      requestId: 'r2',
      entries: [
        { action: 'created', elementId: idOf('carla'), detail: { key: 'carla' } },
        {
          action: 'versionCreated',
          elementId: idOf('order'),
          versionId: draft,
          detail: { version: '3.1', from: expect.any(String) },
        },
      ],
    });
  });

  it.each<[string, () => Asked, readonly string[]]>([
    ['an element', () => ({ elementId: idOf('order') }), ['r3', 'r2', 'r1']],
    ['a version', () => ({ versionId: draft }), ['r3', 'r2']],
    ['a caller', () => ({ subject: 'bob' }), ['r4']],
    ['a caller and an element', () => ({ subject: 'bob', elementId: idOf('order') }), []],
    ['an end', () => ({ to: '2000-01-01T00:00:00Z' }), []],
    ['a beginning', () => ({ from: '2000-01-01T00:00:00Z', order: 'oldest' }), ['load', 'r1', 'r2', 'r3', 'r4']],
  ])('can be filtered by %s', async (_what, asked, requests) => {
    expect(requestsOf(await page(asked()))).toEqual(requests);
  });

  it('include the start of a time filter and exclude its end', async () => {
    const { changes } = await page({ order: 'oldest' });
    const [, first, , third] = changes;
    expect(requestsOf(await page({ from: first?.changedAt, to: third?.changedAt }))).toEqual(['r2', 'r1']);
  });

  it('show only the entries of the requested element', async () => {
    const { changes } = await page({ elementId: idOf('order'), subject: 'carla' });
    expect(changes[0]?.entries.map(({ action }) => action)).toEqual(['versionCreated']);
  });

  it.each(['newest', 'oldest'] as const)('are listed page by page, the %s first, without repetition', async (order) => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { changes, next }: Awaited<ReturnType<typeof page>> = await page({ order, pageSize: 2, after });
      seen.push(...requestsOf({ changes }));
      after = next;
    } while (after !== undefined);
    const oldestFirst = ['load', 'r1', 'r2', 'r3', 'r4'];
    expect(seen).toEqual(order === 'oldest' ? oldestFirst : oldestFirst.toReversed());
  });

  it('return 404 without the admin right for the team', async () => {
    for (const context of [createAdminContext('northgate'), createWriterContext('meridian')])
      expect(await readFailure(ask({}, context))).toMatchObject({ code: 'CONTENT_NOTFOUND' });
    expect(await readFailure(ask({ team: 'northgate' }, createAdminContext('northgate')))).toMatchObject({
      code: 'CONTENT_NOTFOUND',
    });
  });

  it.each([
    'update content_repo.change set subject = subject',
    'delete from content_repo.change',
    'truncate content_repo.change cascade',
    'update content_repo.change_entry set action = action',
    'delete from content_repo.change_entry',
  ])('are append-only: the service may not %s', async (text) => {
    const attempt = runInTenantTransaction(service.pools.writes, 'meridian', (client) => client.query(text));
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });
});
