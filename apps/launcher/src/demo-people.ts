/**
 * The people of the demo: members of Meridian with different roles, who sign in with a password that is random for each installation.
 * One of an earlier start stays while it is valid; a lost one is replaced, because the database keeps only what argon2id made of it.
 */
import { randomBytes } from 'node:crypto';
import { runInTenantEntityTransaction, openDataSource } from '@tessera/persistence/data-source';
import {
  deleteMemberSessions,
  findMember,
  findPassword,
  gatewayEntities,
  hashPassword,
  passwordMatches,
  saveMember,
  savePassword,
} from '@tessera/persistence/gateway';
import pg from 'pg';

/** Entities inside of one. */
type Transaction = Parameters<typeof findMember>[0];

type Person = {
  readonly variable: string;
  readonly memberId: string;
  readonly displayName: string;
  readonly roles: readonly string[];
};

const team = 'meridian';
const passwordBytes = 15;

const people: readonly Person[] = [
  { variable: 'VIEWER_PASSWORD', memberId: 'vera.klein', displayName: 'Vera Klein', roles: ['viewer'] },
  { variable: 'ANALYST_PASSWORD', memberId: 'anton.berg', displayName: 'Anton Berg', roles: ['analyst'] },
  { variable: 'AUTHOR_PASSWORD', memberId: 'paula.lindt', displayName: 'Paula Lindt', roles: ['author', 'approver'] },
  { variable: 'ADMIN_PASSWORD', memberId: 'robert.novak', displayName: 'Robert Novak', roles: ['admin'] },
];

/** The variables of the environment file that hold their passwords. */
export const passwordVariableNames = people.map(({ variable }) => variable);

/** Every password by the name of its variable. `databaseUrl` is the gateway's own address; the team has to be there. */
export const ensureDemoMembers = async (
  databaseUrl: string,
  earlier: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2, application_name: 'tessera-launcher' });
  pool.on('error', () => undefined);
  const source = openDataSource(pool, gatewayEntities);
  try {
    const passwords: Record<string, string> = {};
    for (const person of people)
      passwords[person.variable] = await runInTenantEntityTransaction(source, team, (manager) =>
        ensurePerson(manager, person, earlier[person.variable]),
      );
    return passwords;
  } finally {
    await pool.end();
  }
};

/** Who is there already stays as people have changed it. */
const ensurePerson = async (
  manager: Transaction,
  { memberId, displayName, roles }: Person,
  kept: string | undefined,
): Promise<string> => {
  if (!(await findMember(manager, team, memberId)))
    await saveMember(manager, team, { memberId, displayName, roles, furtherScopes: [], attributes: {} });
  const stored = await findPassword(manager, team, memberId);
  if (kept !== undefined && (await passwordMatches(kept, stored?.password))) return kept;
  const password = randomBytes(passwordBytes).toString('base64url');
  await savePassword(manager, team, memberId, await hashPassword(password));
  await deleteMemberSessions(manager, team, memberId);
  return password;
};

/** Who may sign in, with the passwords of the environment file. */
export const formatDemoAccounts = (passwords: Readonly<Record<string, string>>): readonly string[] =>
  people.flatMap(({ variable, memberId, roles }) => {
    const password = passwords[variable];
    return password === undefined ? [] : [`  ${memberId.padEnd(14)} ${password}   ${roles.join(', ')}`];
  });
