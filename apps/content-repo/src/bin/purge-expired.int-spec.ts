/** The job that purges, on a real PostgreSQL with several teams. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { elementIdOf } from '@tessera/content-model';
import { runInTenantTransaction } from '@tessera/persistence';
import { DeleteElementHandler } from '../deletion/delete-element.handler.js';
import { purgeExpiredDeletions } from './purge-expired.js';
import { findStoragesWithDeleted, tryAcquirePurgeLock } from './purge.repository.js';
import { companyContent } from '../testing/company.js';
import {
  readJsonReply,
  openTestService,
  testStorageNames,
  type TestService,
  createWriterContext,
} from '../testing/open-service.js';

let service: TestService;
const teams = ['meridian', 'northgate', 'third'];
const signal = new AbortController().signal;
const failures: string[] = [];
const onFailure = (reason: unknown) => void failures.push(String(reason));
const turn = (retentionDays = 90) =>
  purgeExpiredDeletions(service.pools, service.changes, { retentionDays, signal, onFailure });
const idOf = (key: string) => elementIdOf({ collection: 'Meridian', id: 'p2p' }, key);
const deletedOf = async (team: string) =>
  (await service.rows('select from content_repo.element where tenant = $1 and deleted_at is not null', [team])).length;

beforeAll(async () => {
  service = await openTestService(teams.map((team) => ({ ...companyContent, team })));
});
afterAll(() => service.end());

beforeEach(async () => {
  for (const team of teams)
    await service
      .get(DeleteElementHandler)
      .delete(
        { ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId: idOf('top'), apiVersion: '2.0' },
        createWriterContext(team),
      )
      .catch(() => undefined);
});
const age = (team: string, days: number) =>
  service.rows(
    `update content_repo.element set deleted_at = now() - make_interval(days => $2) where tenant = $1 and deleted_at is not null`,
    [team, days],
  );

describe('the job that purges expired items', () => {
  it('does nothing while another replica holds the lock', async () => {
    await age('meridian', 91);
    await runInTenantTransaction(service.pools.writes, '', async (client) => {
      expect(await tryAcquirePurgeLock(client)).toBe(true);
      expect(await turn()).toBe('busy');
    });
    expect(await deletedOf('meridian')).toBe(1);
  });

  it('removes only expired items, in every team', async () => {
    await age('meridian', 91);
    await age('northgate', 91);
    await age('third', 89);
    expect(await turn()).toBe('done');
    expect([await deletedOf('meridian'), await deletedOf('northgate'), await deletedOf('third')]).toEqual([0, 0, 1]);
    const recorded = await service.rows(
      `select c.tenant, c.subject, c.operation, given.action from content_repo.change c
       join content_repo.change_entry given using (tenant, storage_id, sequence) where given.action = 'purged' order by 1`,
    );
    const purged = { subject: 'system', operation: 'content.bin.purge', action: 'purged' };
    expect(recorded).toEqual([
      { tenant: 'meridian', ...purged },
      { tenant: 'northgate', ...purged },
    ]);
    expect(await turn()).toBe('done');
    expect(await turn(1)).toBe('done');
    expect(await deletedOf('third')).toBe(0);
  });

  it("can read only the names of other teams' storages to purge, not their rows", async () => {
    await readJsonReply(
      service
        .get(DeleteElementHandler)
        .delete(
          { ...testStorageNames, facetId: 'processes', viewId: 'detail', elementId: idOf('pay'), apiVersion: '2.0' },
          createWriterContext('third'),
        ),
    );
    await age('third', 91);
    await runInTenantTransaction(service.pools.writes, '', async (client) => {
      expect(await findStoragesWithDeleted(client, 90)).toEqual([
        { team: 'third', collection: 'Meridian', storage: 'p2p' },
      ]);
      expect((await client.query('select from content_repo.element')).rows).toEqual([]);
      expect((await client.query('select from content_repo.storage')).rows).toEqual([]);
    });
    expect(await turn()).toBe('done');
  });

  it('continues with other storages when one fails, and logs the reason', async () => {
    const receive = idOf('receive');
    for (const team of ['meridian', 'northgate']) {
      const handler = service.get(DeleteElementHandler);
      const place = { ...testStorageNames, facetId: 'processes', viewId: 'detail', apiVersion: '2.0' as const };
      await readJsonReply(handler.delete({ ...place, elementId: receive }, createWriterContext(team)));
      await age(team, 91);
    }
    // Nothing that the service writes: an element under one that was deleted.
    const under = `update content_repo.element set parent_id = $1 where tenant = 'meridian' and element_id = $2`;
    await service.rows(under, [receive, idOf('bob')]);
    expect(await turn()).toBe('done');
    expect(failures).toEqual([expect.stringContaining('foreign key')]);
    expect([await deletedOf('meridian'), await deletedOf('northgate')]).toEqual([1, 0]);
    await service.rows(under, [null, idOf('bob')]);
    expect(await turn()).toBe('done');
  });
});
