/** Changes that wait for others of their storage, on a real PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTenantTransaction } from '@tessera/persistence';
import { waitUntil } from '@tessera/testing';
import pg from 'pg';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { companyContent } from '../testing/company.js';
import { testElementIdOf } from '../testing/write-client.js';
import {
  openTestService,
  readFailure,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
let holder: pg.Client;
beforeAll(async () => {
  service = await openTestService([companyContent, { ...companyContent, team: 'northgate' }]);
  holder = new pg.Client({ connectionString: service.adminUrl });
  await holder.connect();
});
afterAll(async () => {
  await holder?.end();
  await service?.end();
});

const remove = (team: string, key: string, signal = new AbortController().signal) =>
  service.get(DeleteElementHandler).delete(
    {
      ...testStorageNames,
      facetId: 'processes',
      viewId: 'detail',
      elementId: testElementIdOf(key),
      apiVersion: '2.0',
    },
    { ...createWriterContext(team), signal },
  );
const waiting = async (): Promise<number> => {
  const rows = await service.rows(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'content-repo-changes' and wait_event_type = 'Lock'`,
  );
  return rows.length;
};

it('a change stops waiting for a connection when its caller disconnects', async () => {
  const { changes } = service.pools;
  const teams = Array.from({ length: changes.options.max }, (_, index) => `other-${index}`);
  const held = await Promise.all(teams.map((team) => openTenantTransaction(changes, team)));
  const leaving = new AbortController();
  const change = readFailure(remove('meridian', 'top', leaving.signal));
  await new Promise(setImmediate);
  leaving.abort();
  const detail = 'Other writes to this storage took too long; nothing was done. Try again.';
  expect(await change).toMatchObject({ code: 'SERVICE_UNAVAILABLE', detail });
  await Promise.all(held.map((transaction) => transaction.rollback()));
});

describe('while another caller writes to the storage', () => {
  beforeEach(async () => {
    await holder.query('begin');
    await holder.query(`select from content_repo.storage where tenant = 'meridian' for update`);
  });

  it('a queued change is dropped when its caller disconnects or its deadline passes', async () => {
    const leaving = new AbortController();
    const change = remove('meridian', 'top', leaving.signal);
    await waitUntil(async () => (await waiting()) === 1);
    leaving.abort();
    await holder.query('rollback');
    expect(await readFailure(change)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await service.rows('select from content_repo.element where deleted_at is not null')).toEqual([]);
  });

  it('changes of other storages continue while changes of one storage wait', async () => {
    const leaving = new AbortController();
    const settled: string[] = [];
    const changes = Array.from({ length: 20 }, async (_, index) => {
      const answer = await remove('meridian', 'top', index < 5 ? undefined : leaving.signal);
      settled.push(answer.ok ? 'done' : answer.failure.code);
    });
    await waitUntil(async () => (await waiting()) > 0);
    expect(await remove('northgate', 'top')).toMatchObject({ ok: true });
    expect(settled).toEqual([]);
    leaving.abort();
    await waitUntil(() => settled.length === 15);
    await holder.query('rollback');
    await Promise.all(changes);
    expect(settled.slice(15).sort()).toEqual([...Array.from({ length: 4 }, () => 'CONTENT_NOTFOUND'), 'done']);
  });
});
