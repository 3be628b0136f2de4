import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@tessera/persistence';
import { runInTenantEntityTransaction, openDataSource } from '@tessera/persistence/data-source';
import {
  createTeam,
  deleteMember,
  findPassword,
  gatewayEntities,
  listMembers,
  passwordMatches,
  saveMember,
} from '@tessera/persistence/gateway';
import { createTestDatabase, type TestDatabase } from '@tessera/testing';
import { ensureDemoMembers, passwordVariableNames, formatDemoAccounts } from './demo-people.js';

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let source: ReturnType<typeof openDataSource>;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool({
    ...{ url: database.urlFor('gateway'), applicationName: 'spec', connectionsMax: 2, statementTimeoutMs: 5_000 },
  });
  source = openDataSource(pool, gatewayEntities);
  await createTeam(source, 'meridian', 'Meridian');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const within = <T>(work: (manager: Parameters<typeof findPassword>[0]) => Promise<T>): Promise<T> =>
  runInTenantEntityTransaction(source, 'meridian', (manager) => work(manager));
const ensure = (earlier: Readonly<Record<string, string>> = {}) =>
  ensureDemoMembers(database.urlFor('gateway'), earlier);

describe('the members of the demo team', () => {
  it('have different roles and unguessable passwords', async () => {
    const passwords = await ensure();
    expect(Object.keys(passwords)).toEqual(passwordVariableNames);
    expect(new Set(Object.values(passwords)).size).toBe(4);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^[A-Za-z0-9_-]{20}$/);
    const members = await within((manager) => listMembers(manager, 'meridian', '', 10));
    expect(members.map(({ memberId, roles }) => `${memberId}: ${roles.join(' ')}`)).toEqual([
      ...['anton.berg: analyst', 'paula.lindt: author approver', 'robert.novak: admin', 'vera.klein: viewer'],
    ]);
    const stored = await within((manager) => findPassword(manager, 'meridian', 'anton.berg'));
    expect(await passwordMatches(passwords['ANALYST_PASSWORD'] ?? '', stored?.password)).toBe(true);
  });

  it('keep their passwords and edits across starts, and get a new password when it is lost', async () => {
    const before = await ensure();
    await within((manager) =>
      saveMember(manager, 'meridian', {
        ...{ memberId: 'vera.klein', displayName: 'V.', roles: ['analyst'], furtherScopes: [], attributes: {} },
      }),
    );
    expect(await ensure(before)).toEqual(before);
    await within((manager) => deleteMember(manager, 'meridian', 'anton.berg'));
    const { ANALYST_PASSWORD: lost, ...others } = await ensure(before);
    expect(lost).not.toBe(before['ANALYST_PASSWORD']);
    expect(before).toMatchObject(others);
    const members = await within((manager) => listMembers(manager, 'meridian', 'vera', 10));
    expect(members).toMatchObject([{ displayName: 'V.', roles: ['analyst'] }]);
  });

  it('are printed when their passwords are known', () => {
    expect(formatDemoAccounts({ ANALYST_PASSWORD: 'abc', DEMO_KEY: 'tsk' })).toEqual([
      '  anton.berg     abc   analyst',
    ]);
    expect(formatDemoAccounts({})).toEqual([]);
  });
});
