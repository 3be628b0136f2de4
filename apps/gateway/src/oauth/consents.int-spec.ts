/** The person whom a client asks: who that is, in which team, and what is answered when it is nobody or nobody any more. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { waitUntil } from '@tessera/testing';
import { decodeJwt } from 'jose';
import pg from 'pg';
import {
  askConsent,
  authorizationPath,
  decide,
  exchangeCode,
  fieldsOf,
  formHeaders,
  latestChanges,
  locationOf,
  nextOf,
  pathOf,
  registered,
  setPassword,
  TestBrowser,
  tokensBy,
  writeMember as writeMemberOf,
  type OAuthClient,
} from '../testing/oauth-client.js';
import type { TestGateway } from '../testing/test-gateway.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let second: TestGateway;
let publicUrl: string;
let client: OAuthClient;
let browser: TestBrowser;
let database: pg.Client;
/** Sees who waits for what `database` holds. */
let observer: pg.Client;
const password = 'correct horse battery';
const mcp = `${mcpPrefix}/p2p-tools`;
const writeMember = (id: string, more: object = {}, team = 'meridian') => writeMemberOf(stack, id, more, team);

beforeAll(async () => {
  // Both have the address of the first, as behind a balancer.
  stack = await openTestStack();
  publicUrl = `http://localhost:${stack.gateway.port}`;
  second = await stack.startGateway({ PUBLIC_URL: publicUrl });
  database = new pg.Client({ connectionString: stack.database.adminUrl });
  observer = new pg.Client({ connectionString: stack.database.adminUrl });
  await Promise.all([database.connect(), observer.connect()]);
  client = await registered(stack);
});
afterAll(async () => {
  await Promise.all([database?.end(), observer?.end()]);
  await stack?.stop();
});

let counter = 0;
let memberId: string;
beforeEach(async () => {
  memberId = `anna.${++counter}`;
  await writeMember(memberId);
  await setPassword(stack, memberId, password);
  browser = new TestBrowser(stack);
  await browser.signIn(memberId, password);
});

/** The cookie of a session of somebody whom an issuer has named. */
const sessionOf = async (of: string, { issuer, subject }: Record<'issuer' | 'subject', string>): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  await database.query(
    `insert into gateway.session (tenant, digest, member_id, ends_at, issuer, subject)
     values ('meridian', sha256($1::bytea), $2, now() + interval '1 hour', $3, $4)`,
    [secret, of, issuer, subject],
  );
  return secret;
};

describe('a person', () => {
  it('who is not signed in is sent to sign in, and back to the question', async () => {
    const visitor = new TestBrowser(stack);
    const asked = await visitor.ask(authorizationPath(client));
    const path = pathOf(locationOf(asked));
    expect(path).toMatch(/^\/oauth2\/consent\/[\w-]+$/);
    const sent = await visitor.ask(path);
    expect([sent.status, locationOf(sent)]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
    await visitor.signIn(memberId, password);
    const page = await visitor.ask(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`/sign-in?switch=1&amp;next=${encodeURIComponent(path)}`);
    expect((await decide(visitor, { page, path })).searchParams.has('code')).toBe(true);
  });

  it('who comes from another site passes a page of this one, from which the browser sends the session', async () => {
    const elsewhere = { headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: '' } };
    const asked = await browser.ask(authorizationPath(client), elsewhere);
    const path = pathOf(locationOf(asked));
    const cookies = browser.cookiesFor(path).replace(/tessera-session=[^;]*;? ?/, '');
    const step = await browser.ask(path, { headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: cookies } });
    expect([step.status, nextOf(step)]).toEqual([200, path]);
    expect((await browser.ask(path)).text).toContain('Allow Spec Client?');
  });

  it('is asked by cookies that scripts cannot read and that are signed', async () => {
    const asked = await browser.ask(authorizationPath(client));
    const lines = asked.headers.getSetCookie();
    expect(lines.map((line) => line.split('=')[0]).toSorted()).toEqual([
      ...['tessera-consent', 'tessera-consent.sig', 'tessera-consented', 'tessera-consented.sig'],
    ]);
    for (const line of lines)
      expect(line.toLowerCase()).toMatch(/; path=\/oauth2\/\w+\/[\w-]+; .*samesite=lax; httponly/);
    const secure = await stack.startGateway({ PUBLIC_URL: 'https://tessera.example' });
    const overTls = await new TestBrowser(stack, secure).ask(authorizationPath(client));
    expect(locationOf(overTls)).toMatch(/^\/oauth2\/consent\//);
    for (const line of overTls.headers.getSetCookie()) expect(line.toLowerCase()).toContain('; secure');
  });

  it('who does not allow it is sent back with that, and so is who has none of the rights', async () => {
    const denied = await decide(browser, await askConsent(browser, client), { decision: 'deny' });
    expect(Object.fromEntries(denied.searchParams)).toMatchObject({
      ...{ error: 'access_denied', state: 'a state', iss: publicUrl },
    });
    expect((await latestChanges(stack))[0]).toMatchObject({ action: 'client.denied', target: memberId });
    const question = await askConsent(browser, client, { scope: 'admin content:write' });
    expect(question.page.text).toContain('You have none of the rights');
    const forced = await decide(browser, question, { team: 'meridian', decision: 'allow' });
    expect(forced.searchParams.get('error')).toBe('access_denied');
  });

  it('who allows it leaves a line in the log of the team', async () => {
    await tokensBy(stack, browser, client, { resource: `${publicUrl}${mcp}` });
    expect((await latestChanges(stack))[0]).toMatchObject({
      ...{ action: 'client.allowed', target: memberId },
      after: { client: client.clientId, resource: `${publicUrl}${mcp}`, scopes: ['tools:execute'] },
    });
  });

  it('of several teams chooses one', async () => {
    const identity = { issuer: 'https://login.example', subject: `sub-${memberId}` };
    await writeMember(memberId, { identity, roles: ['viewer'] });
    await writeMember('a.weber', { identity: { ...identity }, displayName: 'A. Weber' }, 'northgate');
    const signedIn = new TestBrowser(stack);
    const secret = await sessionOf(memberId, identity);
    const headers = { Cookie: `tessera-session=${secret}` };
    const asked = await signedIn.ask(authorizationPath(client));
    const path = pathOf(locationOf(asked));
    const withSession = (more: object = {}) => {
      const cookies = `${signedIn.cookiesFor(path)}; tessera-session=${secret}`;
      return signedIn.ask(path, { ...more, headers: { ...headers, ...formHeaders, Cookie: cookies } });
    };
    const page = await withSession();
    expect(page.text).toMatch(/value="meridian" disabled/);
    expect(page.text).toMatch(/value="northgate"(?! disabled)/);
    const form = /name="form" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const body = new URLSearchParams({ form, team: 'northgate', decision: 'allow' }).toString();
    const decided = await withSession({ method: 'POST', body });
    const back = await signedIn.ask(pathOf(nextOf(decided)));
    const code = new URL(locationOf(back)).searchParams.get('code') ?? '';
    const issued = await exchangeCode(stack, client, code);
    expect(decodeJwt(String(issued.body?.['access_token']))).toMatchObject({
      ...{ team: 'northgate', sub: 'northgate/a.weber' },
    });
  });

  it('is never somebody of another team because its own team says so', async () => {
    const identity = { issuer: 'https://login.example', subject: `victim-${memberId}` };
    await writeMember('victim', { identity, displayName: 'Victim' }, 'northgate');
    const { page: before } = await askConsent(browser, client);
    expect(before.text).not.toContain('northgate');
    // The session began with a password; its member is given the identity of a person of another team.
    await writeMember(memberId, { identity });
    const { page } = await askConsent(browser, client);
    expect([page.status, page.text.includes('northgate')]).toEqual([303, false]);
    expect((await browser.ask('/me')).status).toBe(401);
    // Nor when the session were still there.
    await database.query(
      `insert into gateway.session (tenant, digest, member_id, ends_at)
       values ('meridian', sha256($1::bytea), $2, now() + interval '1 hour')`,
      ['T'.repeat(43), memberId],
    );
    const planted = { headers: { Cookie: `tessera-session=${'T'.repeat(43)}`, 'Sec-Fetch-Site': 'same-origin' } };
    expect((await stack.request('/me', { key: undefined, ...planted })).status).toBe(401);
  });

  it('whose session has ended gives nothing any more, whatever a gateway still remembers', async () => {
    const question = await askConsent(browser, client);
    await database.query('delete from gateway.session where member_id = $1', [memberId]);
    const { form = '' } = fieldsOf(question.page);
    const decided = await browser.ask(question.path, {
      ...{ method: 'POST', headers: formHeaders },
      body: new URLSearchParams({ form, team: 'meridian', decision: 'allow' }).toString(),
    });
    expect([decided.status, decided.text]).toEqual([400, expect.stringContaining('has not asked here')]);
    const { rows } = await database.query('select from gateway.oauth_grant where member_id = $1', [memberId]);
    expect(rows).toEqual([]);
  });

  it('who is somebody else meanwhile in the team that was chosen gives nothing', async () => {
    const identity = { issuer: 'https://login.example', subject: `sub-${memberId}` };
    await writeMember(memberId, { identity });
    await writeMember('b.weber', { identity }, 'northgate');
    const secret = await sessionOf(memberId, identity);
    const signedIn = new TestBrowser(stack);
    const path = pathOf(locationOf(await signedIn.ask(authorizationPath(client))));
    const headers = { ...formHeaders, Cookie: `${signedIn.cookiesFor(path)}; tessera-session=${secret}` };
    const { form = '' } = fieldsOf(await signedIn.ask(path, { headers }));
    await database.query('begin');
    await database.query(`update gateway.member set subject = 'another' where member_id = 'b.weber'`);
    const body = new URLSearchParams({ form, team: 'northgate', decision: 'allow' }).toString();
    const deciding = signedIn.ask(path, { method: 'POST', body, headers });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await Promise.race([deciding, waitUntil(async () => (await observer.query(waiting)).rowCount === 1)]);
    await database.query('commit');
    expect((await deciding).status).toBe(400);
    const { rows } = await database.query(`select from gateway.oauth_grant where member_id = 'b.weber'`);
    expect(rows).toEqual([]);
  });

  it('sends forms in bounds from one address', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: publicUrl });
    const form = { method: 'POST', headers: formHeaders, body: 'form=x' };
    const send = () => new TestBrowser(stack, gateway).ask('/oauth2/consent/none', form);
    for (let turn = 0; turn < 120; turn++) expect((await send()).status).toBe(400);
    expect((await send()).status).toBe(429);
  });

  it('is asked to sign in anew when the client wants that', async () => {
    const anew = async (more: Readonly<Record<string, string>>) => {
      const { path, page } = await askConsent(browser, client, { scope: 'openid tools:execute', ...more });
      return page.status === 303 && locationOf(page) === `/sign-in?switch=1&next=${encodeURIComponent(path)}`;
    };
    expect(await anew({ prompt: 'consent' })).toBe(false);
    expect(await anew({ max_age: '3600' })).toBe(false);
    await database.query(`update gateway.session set created_at = now() - interval '1 hour' where member_id = $1`, [
      memberId,
    ]);
    await stack.startGateway({ PUBLIC_URL: publicUrl }).then((gateway) => (browser = browser.at(gateway)));
    expect(await anew({ prompt: 'login' })).toBe(true);
    expect(await anew({ max_age: '60' })).toBe(true);
    expect(await anew({ max_age: '36000' })).toBe(false);
  });

  it('with a session of a key is told to sign in as a member', async () => {
    const holder = new TestBrowser(stack);
    await holder.ask('/session', {
      ...{ method: 'POST', body: { apiKey: stack.keys.meridian } },
      headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Tessera-Request': '1' },
    });
    const { page } = await askConsent(holder, client);
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('You are signed in with an API key')]);
  });

  it('is asked at one replica and answers at another', async () => {
    const question = await askConsent(browser, client);
    const back = await decide(browser.at(second), question);
    const issued = await exchangeCode(stack, client, back.searchParams.get('code') ?? '', {}, { gateway: second });
    expect(issued.status).toBe(200);
  });
});

describe('many requests for authorization at once', () => {
  it('begin in an iteration of the event loop each, so that others are answered between them', async () => {
    const scope = Array.from({ length: 2_800 }, (_, index) => (index + 46_656).toString(36)).join(' ');
    const path = authorizationPath(client, { scope });
    let iteration = 0;
    let isCounting = true;
    const count = (): void => {
      iteration++;
      if (isCounting) setImmediate(count);
    };
    count();
    const send = (socket: Socket, target: string): Promise<{ readonly text: string; readonly iteration: number }> =>
      new Promise((resolve) => {
        socket.once('data', (bytes) => resolve({ text: bytes.toString('latin1'), iteration }));
        socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      });
    // No other spec asks from this address.
    const from = { port: stack.gateway.port, host: '127.0.0.1', localAddress: '127.0.0.9' };
    const sockets = Array.from({ length: 30 }, () => connect(from));
    await Promise.all(sockets.map((socket) => send(socket, '/health/live')));
    const answers = await Promise.all(sockets.map((socket) => send(socket, path)));
    isCounting = false;
    for (const socket of sockets) socket.destroy();
    for (const { text } of answers) expect(text).toMatch(/^HTTP\/1\.1 400 /);
    // Some come in one piece where the machine is busy; without turns all of them do.
    expect(new Set(answers.map((each) => each.iteration)).size).toBeGreaterThan(10);
  });
});
