/** Sessions and grants of a team in the hands of its administrator, over HTTP, on a real PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listTeamClientGrants, listTeamSessions } from '@tessera/contracts/gateway';
import { waitUntil } from '@tessera/testing';
import {
  latestChanges,
  registered,
  setPassword,
  TestBrowser,
  tokensBy,
  writeMember,
  type OAuthClient,
} from '../testing/oauth-client.js';
import type { TestGateway } from '../testing/test-gateway.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

const password = 'correct horse battery';
const team = '/admin/teams/meridian';
let stack: TestStack;
let second: TestGateway;
let client: OAuthClient;
beforeAll(async () => {
  stack = await openTestStack();
  second = await stack.startGateway({ PUBLIC_URL: `http://localhost:${stack.gateway.port}` });
  client = await registered(stack);
});
afterAll(() => stack?.stop());

const ask = (path: string, method = 'GET', key = stack.keys.meridianAdmin) => stack.request(path, { method, key });
const sessionsOf = async (query: string) => listTeamSessions.reply.parse((await ask(`${team}/sessions?${query}`)).body);
const grantsOf = async (query: string) =>
  listTeamClientGrants.reply.parse((await ask(`${team}/client-grants?${query}`)).body);
const signedIn = async (memberId: string): Promise<TestBrowser> => {
  const browser = new TestBrowser(stack);
  await browser.signIn(memberId, password);
  return browser;
};
const statusOf = async (browser: TestBrowser) => (await browser.ask('/me')).status;
const answerTo = async (token: string, gateway = stack.gateway) =>
  (await stack.request('/me', { key: undefined, gateway, headers: { Authorization: `Bearer ${token}` } })).status;

let counter = 0;
let anna: string;
beforeEach(async () => {
  anna = `anna.${++counter}`;
  await writeMember(stack, anna);
  await setPassword(stack, anna, password);
});

describe('sessions of a team', () => {
  it('are listed in pages, and one is ended for all replicas with a line in the log', async () => {
    const browsers = [await signedIn(anna), await signedIn(anna), await signedIn(anna)];
    const first = await sessionsOf(`memberId=${anna}&pageSize=2`);
    const rest = await sessionsOf(`memberId=${anna}&pageSize=2&after=${first.next}`);
    expect([first.sessions.length, rest.sessions.length, rest.next]).toEqual([2, 1, undefined]);
    const [newest] = first.sessions;
    expect(newest).toMatchObject({ memberId: anna, userAgent: expect.any(String) });
    expect(newest).not.toHaveProperty('current');
    const elsewhere = browsers[2]?.at(second);
    if (!elsewhere) throw new Error('There are three browsers.');
    expect(await statusOf(elsewhere)).toBe(200);
    const path = `${team}/sessions/${newest?.sessionId}`;
    expect((await ask(path, 'DELETE', stack.keys.meridian)).status).toBe(403);
    expect((await ask(path.replace('meridian', 'northgate'), 'DELETE', stack.keys.operator)).status).toBe(404);
    expect((await ask(path, 'DELETE')).body).toEqual({ ended: newest?.sessionId });
    await waitUntil(async () => (await statusOf(elsewhere)) === 401);
    expect(await Promise.all(browsers.map(statusOf))).toEqual([200, 200, 401]);
    expect((await latestChanges(stack))[0]).toMatchObject({
      ...{ action: 'session.ended', target: anna, before: { sessionId: newest?.sessionId } },
      subject: expect.stringMatching(/^key:/),
    });
    expect((await ask(path, 'DELETE')).status).toBe(404);
  });

  it('that began with a key have its id', async () => {
    const holder = new TestBrowser(stack);
    await holder.ask('/session', {
      ...{ method: 'POST', body: { apiKey: stack.keys.meridian } },
      headers: { 'X-Tessera-Request': '1' },
    });
    const { sessions } = await sessionsOf('');
    const found = sessions.find(({ keyId }) => keyId !== undefined);
    expect(found).not.toHaveProperty('memberId');
    expect((await ask(`${team}/sessions/${found?.sessionId}`, 'DELETE')).status).toBe(200);
    expect(await statusOf(holder)).toBe(401);
  });
});

describe('what members of a team have allowed clients', () => {
  it('is listed in pages, and one grant is taken back', async () => {
    const browser = await signedIn(anna);
    const tokens = [await tokensBy(stack, browser, client), await tokensBy(stack, browser, client)];
    const first = await grantsOf(`memberId=${anna}&pageSize=1`);
    const rest = await grantsOf(`memberId=${anna}&pageSize=1&after=${first.next}`);
    expect(first.grants).toMatchObject([{ memberId: anna, clientName: 'Spec Client', scopes: ['tools:execute'] }]);
    expect([rest.grants.length, rest.next]).toEqual([1, undefined]);
    const [newest] = first.grants;
    expect(await answerTo(tokens[1]?.access_token ?? '', second)).toBe(200);
    const path = `${team}/client-grants/${newest?.grantId}`;
    expect((await ask(path.replace('meridian', 'northgate'), 'DELETE', stack.keys.operator)).status).toBe(404);
    expect((await ask(path, 'DELETE')).body).toEqual({ ended: newest?.grantId });
    await waitUntil(async () => (await answerTo(tokens[1]?.access_token ?? '', second)) === 401);
    expect(await answerTo(tokens[0]?.access_token ?? '')).toBe(200);
    expect((await latestChanges(stack))[0]).toMatchObject({
      ...{ action: 'client.ended', target: anna, after: { reason: 'an administrator took it back' } },
      subject: expect.stringMatching(/^key:/),
    });
    expect((await ask(path, 'DELETE')).status).toBe(404);
  });
});

it('all access of a member ends at once, and nobody else loses any', async () => {
  const berta = `berta.${counter}`;
  await writeMember(stack, berta);
  await setPassword(stack, berta, password);
  const [one, two, other] = [await signedIn(anna), await signedIn(anna), await signedIn(berta)];
  const { access_token: token } = await tokensBy(stack, one, client);
  expect(await answerTo(token)).toBe(200);
  const { status, body } = await ask(`${team}/members/${anna}/access`, 'DELETE');
  expect([status, body]).toEqual([200, { sessions: 2, clientGrants: 1 }]);
  expect([await statusOf(one), await statusOf(two), await statusOf(other)]).toEqual([401, 401, 200]);
  expect(await answerTo(token)).toBe(401);
  expect((await latestChanges(stack)).slice(0, 3).map(({ action, target }) => `${action} ${target}`)).toEqual(
    ['client', 'session', 'session'].map((what) => `${what}.ended ${anna}`),
  );
  expect((await ask(`${team}/members/nobody/access`, 'DELETE')).status).toBe(404);
  expect(await statusOf(await signedIn(anna))).toBe(200);
});
