/**
 * Many people behind one address, beside those who guess. Outcomes are counted; how long one waits depends on the machine.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPassword } from '@tessera/persistence/gateway';
import pg from 'pg';
import { openTestStack, type TestStack } from '../testing/test-stack.js';
import type { TestGateway } from '../testing/test-gateway.js';

const office = '203.0.113.7';
const password = 'correct horse battery';
const floodSize = 60;

let stack: TestStack;
let database: pg.Client;
let gateway: TestGateway;
beforeAll(async () => {
  stack = await openTestStack();
  gateway = await stack.startGateway({ TRUST_PROXY: '127.0.0.1' });
  database = new pg.Client({ connectionString: stack.database.adminUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});

let crowds = 0;
const addPeople = async (count: number): Promise<readonly string[]> => {
  const people = Array.from({ length: count }, (_, index) => `person.${crowds}.${index}`);
  crowds++;
  await database.query(
    `insert into gateway.member (tenant, member_id, subject, display_name, roles)
     select 'meridian', id, id, id, '{viewer}' from unnest($1::text[]) id`,
    [people],
  );
  await database.query(
    `insert into gateway.local_user (tenant, member_id, password) select 'meridian', id, $2 from unnest($1::text[]) id`,
    [people, await hashPassword(password)],
  );
  return people;
};

const signIn = async (user: string, text: string, forwardedFor: string, at: TestGateway = gateway): Promise<number> => {
  const { status } = await stack.request('/session', {
    ...{ gateway: at, method: 'POST', key: undefined, body: { team: 'meridian', user, password: text } },
    headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Tessera-Request': '1', 'X-Forwarded-For': forwardedFor },
  });
  return status;
};
const count = (statuses: readonly number[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const all = async (attempts: Iterable<Promise<number>>) => count(await Promise.all(attempts));
/** As people arrive: some at the same time, all in the end. */
const arrive = async (people: readonly string[], forwardedFor: string) => {
  const statuses: number[] = [];
  const waiting = [...people];
  const next = async (): Promise<void> => {
    for (let user = waiting.pop(); user !== undefined; user = waiting.pop())
      statuses.push(await signIn(user, password, forwardedFor));
  };
  await Promise.all(Array.from({ length: 10 }, next));
  return count(statuses);
};
const addressOf = (index: number): string => `198.51.${100 + (index >> 8)}.${index & 255}`;
/** Each of them with a name that nobody has, two from an address. */
const flood = (): Promise<number>[] =>
  Array.from({ length: floodSize }, (_, index) => signIn(`guess-${index}`, password, addressOf(index >> 1)));

describe('a hundred people behind one address', () => {
  it('all sign in for the first time, after 30 wrong passwords from there', async () => {
    const people = await addPeople(100);
    const [victim = ''] = await addPeople(1);
    const wrong = [...people.slice(0, 15), ...Array.from({ length: 15 }, () => victim)];
    expect(await all(wrong.map((user) => signIn(user, 'wrong password', office)))).toEqual({ 401: 25, 429: 5 });
    expect(await arrive(people, office)).toEqual({ 200: 100 });
    expect(await signIn(victim, password, office)).toBe(429);
  });

  it('who signed in there before all sign in beside a flood of guesses, and so does somebody who never did', async () => {
    const people = await addPeople(100);
    const [stranger = ''] = await addPeople(1);
    await database.query(`update gateway.local_user set networks = $1 where member_id = any($2)`, [[office], people]);
    const guesses = flood();
    const strange = signIn(stranger, password, '192.0.2.9');
    expect(await arrive(people, office)).toEqual({ 200: 100 });
    expect(await strange).toBe(200);
    const { 401: wrong = 0, 503: busy = 0 } = await all(guesses);
    expect(wrong + busy).toBe(floodSize);
  });
});

it('whoever is attacked from elsewhere signs in at the usual place, on every replica', async () => {
  const [anna = ''] = await addPeople(1);
  const other = await stack.startGateway({ TRUST_PROXY: '127.0.0.1' });
  expect(await signIn(anna, password, office, other)).toBe(200);
  const guesses = Array.from({ length: 40 }, (_, index) => signIn(anna, 'wrong password', `192.0.2.${100 + index}`));
  expect(await all(guesses)).toEqual({ 401: 30, 429: 10 });
  expect(await signIn(anna, password, '192.0.2.200')).toBe(429);
  expect(await signIn(anna, password, office)).toBe(200);
});

it('a typed name that is no member is nowhere in the logs, the same name has the same digest', async () => {
  const typed = 'My Secret Passw0rd!';
  for (const address of ['192.0.2.60', '192.0.2.61']) expect(await signIn(typed, password, address)).toBe(401);
  const { rows } = await database.query<{ line: string; target: string; subject: string }>(
    `select c::text as line, target, subject from gateway.access_change c
     where action = 'session.refused' and detail::text like '%192.0.2.6%'`,
  );
  expect(rows).toHaveLength(2);
  expect(new Set(rows.map(({ target }) => target)).size).toBe(1);
  for (const { line, target, subject } of rows) {
    expect([target, subject]).toEqual([expect.stringMatching(/^name:[0-9a-f]{16}$/), target]);
    expect(line).not.toContain('Secret');
  }
  expect(gateway.logged.join('')).not.toContain('Secret');
});
