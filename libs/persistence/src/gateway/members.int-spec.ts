import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { runInTenantEntityTransaction, openDataSource } from '../data-source.js';
import { createPool } from '../pool.js';
import { SignIns1765100000014 } from './13-sign-ins.migration.js';
import { createTeam } from './api-keys.repository.js';
import { gatewayEntities } from './entities/index.js';
import {
  addAccessChange,
  countRoleHolders,
  deleteMember,
  deleteOldRefusals,
  deleteRole,
  findMember,
  findMemberByIdentity,
  findMemberships,
  listAccessChanges,
  listMembers,
  listRoles,
  lockTeam,
  saveMember,
  saveRole,
  type NewMember,
} from './members.repository.js';

let database: TestDatabase;
let pool: pg.Pool;
let source: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    url: database.urlFor('gateway'),
    applicationName: 'spec',
    connectionsMax: 4,
    statementTimeoutMs: 5000,
  });
  source = openDataSource(pool, gatewayEntities);
  for (const team of ['meridian', 'northgate', 'empty']) await createTeam(source, team, team.toUpperCase());
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const within = <T>(team: string, work: (manager: EntityManager) => Promise<T>): Promise<T> =>
  runInTenantEntityTransaction(source, team, (manager) => work(manager));

const issuer = 'https://login.example.com/realms/one';
const anna: NewMember = {
  memberId: 'anna',
  displayName: 'Anna "Weber" \u00fc',
  identity: { issuer, subject: 'auth0|1' },
  roles: ['analyst', 'buyer'],
  furtherScopes: ['finance:read'],
  attributes: { codes: ['1000', "2'; drop"], region: 'EMEA' },
};
const save = (member: NewMember, team = 'meridian') => within(team, (manager) => saveMember(manager, team, member));
const find = (memberId: string, team = 'meridian') => within(team, (manager) => findMember(manager, team, memberId));

describe('members', () => {
  it('are added with all their properties', async () => {
    const saved = await save(anna);
    expect(saved).toEqual({ ...anna, createdAt: expect.any(Date) });
    expect(await find('anna')).toEqual(saved);
  });

  it('are replaced, except for the instant at which they were added', async () => {
    const { createdAt } = await save(anna);
    const { identity: _, ...local } = anna;
    const disabledAt = new Date('2026-01-01T00:00:00Z');
    const changed = { ...local, roles: [], furtherScopes: [], attributes: {}, disabledAt };
    expect(await save(changed)).toEqual({ ...changed, createdAt });
    expect(await save(anna)).toEqual({ ...anna, createdAt });
  });

  it('are found by issuer and subject, only in their own team', async () => {
    await save(anna);
    const of = (team: string, subject: string) =>
      within(team, (manager) => findMemberByIdentity(manager, team, { issuer, subject }));
    expect(await of('meridian', 'auth0|1')).toMatchObject({ memberId: 'anna' });
    expect(await of('meridian', 'anna')).toBeUndefined();
    expect(await of('northgate', 'auth0|1')).toBeUndefined();
  });

  it('have one row per issuer and subject', async () => {
    await save(anna);
    await expect(save({ ...anna, memberId: 'anna2' })).rejects.toMatchObject({ code: '23505' });
    // The same person in another team, and another of the same name without an issuer, are two others.
    await save(anna, 'northgate');
    expect(await find('anna', 'northgate')).toMatchObject({ memberId: 'anna' });
  });

  it('are listed by id, page by page', async () => {
    for (const memberId of ['cem', 'bo']) await save({ ...anna, memberId, identity: { issuer, subject: memberId } });
    const list = async (after: string, membersMax: number, team = 'meridian') =>
      (await within(team, (manager) => listMembers(manager, team, after, membersMax))).map(({ memberId }) => memberId);
    expect(await list('', 2)).toEqual(['anna', 'bo']);
    expect(await list('bo', 2)).toEqual(['cem']);
    expect(await list('', 2, 'empty')).toEqual([]);
  });

  it('are removed only from their own team', async () => {
    await save(anna);
    await save(anna, 'northgate');
    await within('meridian', (manager) => deleteMember(manager, 'meridian', 'anna'));
    expect(await find('anna')).toBeUndefined();
    expect(await find('anna', 'northgate')).toBeDefined();
  });

  it('are not visible to another team in any query', async () => {
    await save(anna);
    expect(await within('northgate', (manager) => findMember(manager, 'meridian', 'anna'))).toBeUndefined();
    await expect(within('northgate', (manager) => saveMember(manager, 'meridian', anna))).rejects.toThrow(
      'row-level security',
    );
  });
});

describe('memberships', () => {
  it('are found for a person in all teams, also where the person is disabled', async () => {
    const identity = { issuer, subject: 'somebody' };
    const disabledAt = new Date('2026-01-01T00:00:00Z');
    await save({ ...anna, memberId: 'some', identity });
    await save({ ...anna, memberId: 'body', identity, displayName: 'Body', disabledAt }, 'northgate');
    expect(await findMemberships(pool, identity)).toEqual([
      { team: 'meridian', teamName: 'MERIDIAN', memberId: 'some', displayName: anna.displayName, disabledAt: null },
      { team: 'northgate', teamName: 'NORTHGATE', memberId: 'body', displayName: 'Body', disabledAt },
    ]);
    expect(await findMemberships(pool, { issuer: 'https://other.example.com', subject: 'somebody' })).toEqual([]);
  });
});

describe('roles', () => {
  const buyer = { name: 'buyer', description: 'Buys', scopes: ['content:read'], furtherScopes: ['finance:read'] };
  const list = (team = 'meridian') => within(team, (manager) => listRoles(manager, team));

  it('are defined, replaced, listed by name and deleted in their team alone', async () => {
    const write = (role: typeof buyer) => within('meridian', (manager) => saveRole(manager, 'meridian', role));
    await write({ ...buyer, name: 'seller' });
    await write(buyer);
    await write({ ...buyer, scopes: [] });
    expect(await list()).toEqual([
      { ...buyer, scopes: [] },
      { ...buyer, name: 'seller' },
    ]);
    expect(await list('northgate')).toEqual([]);
    await within('meridian', (manager) => deleteRole(manager, 'meridian', 'seller'));
    expect((await list()).map(({ name }) => name)).toEqual(['buyer']);
  });

  it('have a count of the members that hold them', async () => {
    await save({ ...anna, roles: ["we'ird", 'buyer'] });
    const count = (role: string) => within('meridian', (manager) => countRoleHolders(manager, 'meridian', role));
    expect(await count("we'ird")).toBe(1);
    expect(await count('we')).toBe(0);
  });
});

describe('the log of changes', () => {
  const change = { subject: 'key:abc', subjectTeam: 'operators', requestId: 'r', action: 'member.added' };
  const add = (target: string) =>
    within('meridian', (manager) => addAccessChange(manager, 'meridian', { ...change, target, detail: { after: {} } }));
  const list = (before: string | undefined, changesMax: number, team = 'meridian') =>
    within(team, (manager) => listAccessChanges(manager, team, before, changesMax));

  it('is read page by page, the newest first', async () => {
    for (const target of ['one', 'two', 'three']) await add(target);
    const [three, two] = await list(undefined, 2);
    expect(three).toMatchObject({ ...change, target: 'three', detail: { after: {} }, changedAt: expect.any(Date) });
    expect(two).toMatchObject({ target: 'two' });
    expect(await list(two?.changeId, 2)).toMatchObject([{ target: 'one' }]);
    expect(await list(undefined, 2, 'northgate')).toEqual([]);
  });

  it.each(['update gateway.access_change set subject = $1', 'delete from gateway.access_change where subject = $1'])(
    'is append-only: %s',
    async (statement) => {
      await add('kept');
      const changed = runInTenantEntityTransaction(source, 'meridian', (_, client) =>
        client.query(statement, ['nobody']),
      );
      await expect(changed).rejects.toThrow('permission denied');
    },
  );
});

describe('lines of refused sign-ins', () => {
  const columns = '(tenant, changed_at, subject, subject_team, request_id, action, target, detail)';
  const line = (action: string, target: string, days: number) =>
    `insert into gateway.access_change ${columns}
     values ('meridian', now() - interval '${days} days', 'member:${target}', 'meridian', 'r', '${action}', '${target}', '{}')`;
  const onAdmin = async (work: (admin: DataSource, gateway: pg.Client) => Promise<void>): Promise<void> => {
    const own = await createTestDatabase();
    const gateway = new pg.Client({ connectionString: own.urlFor('gateway') });
    await gateway.connect();
    const admin = new DataSource({ type: 'postgres', url: own.adminUrl });
    await admin.initialize();
    try {
      await admin.query("insert into gateway.team (tenant, name) values ('meridian', 'M')");
      await work(admin, gateway);
    } finally {
      await gateway.end();
      await admin.destroy();
      await own.drop();
    }
  };
  const targets = async (admin: DataSource) =>
    (await admin.query<{ target: string; subject: string }[]>('select * from gateway.access_change order by 2')).map(
      ({ target, subject }) => [target, subject],
    );

  it('are deleted after 30 days, a part at a time, and no others', () =>
    onAdmin(async (admin, gateway) => {
      const old = ['old', 'old', 'old'].map((name) => line('session.refused', name, 31));
      for (const text of [...old, line('session.started', 'anna', 31), line('session.refused', 'new', 29)])
        await admin.query(text);
      for (const expected of [2, 1, 0]) expect(await deleteOldRefusals(gateway, 2)).toBe(expected);
      expect((await targets(admin)).map(([target]) => target)).toEqual(['anna', 'new']);
    }));

  it('of earlier versions lose the typed names that are no members', () =>
    onAdmin(async (admin) => {
      const runner = admin.createQueryRunner();
      const migration = new SignIns1765100000014();
      await migration.down(runner);
      await runner.query(
        `insert into gateway.member (tenant, member_id, subject, display_name, roles) values ('meridian', 'anna', 'anna', 'A', '{}')`,
      );
      for (const name of ['anna', 'My Passw0rd', 'My Passw0rd']) await runner.query(line('session.refused', name, 1));
      await runner.query(line('session.started', 'berta', 1));
      await migration.up(runner);
      await runner.release();
      const [anna, secret, again, berta] = await targets(admin);
      expect([anna, berta]).toEqual([
        ['anna', 'member:anna'],
        ['berta', 'member:berta'],
      ]);
      expect(secret).toEqual([expect.stringMatching(/^name:[0-9a-f]{16}$/), secret?.[0]]);
      expect(again).toEqual(secret);
    }));
});

describe('the lock of a team', () => {
  it('lets one writer after the other change its members', async () => {
    const first = Promise.withResolvers<void>();
    const order: string[] = [];
    const holder = within('meridian', async (manager) => {
      expect(await lockTeam(manager, 'meridian')).toMatchObject({ team: 'meridian', name: 'MERIDIAN' });
      order.push('first');
      await first.promise;
      order.push('first ends');
    });
    while (order.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const next = within('meridian', async (manager) => {
      await lockTeam(manager, 'meridian');
      order.push('second');
    });
    // Another team does not wait.
    await within('northgate', (manager) => lockTeam(manager, 'northgate'));
    first.resolve();
    await Promise.all([holder, next]);
    expect(order).toEqual(['first', 'first ends', 'second']);
  });

  it('is not given for an unknown team', async () => {
    expect(await within('nobody', (manager) => lockTeam(manager, 'nobody'))).toBeUndefined();
  });
});
