/** Single sign-on over HTTP, at a real issuer on another site, with what a browser sends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Me } from '@tessera/contracts/gateway';
import { advanceSystemClock, waitUntil } from '@tessera/testing';
import { issuerClient, type ForeignIssuer } from '../testing/foreign-issuer.js';
import { authorizationPath, registered } from '../testing/oauth-client.js';
import { openSignOnStack, shownBy, signInAtIssuer, type SignOnStack } from '../testing/sign-on-stack.js';
import { TestBrowser } from '../testing/test-browser.js';

let stack: SignOnStack;
let issuer: ForeignIssuer;
let url: string;
let otherUrl: string;
beforeAll(async () => {
  stack = await openSignOnStack();
  ({ issuer, url, otherUrl } = stack);
});
afterAll(async () => {
  setClockRight();
  await stack?.stop();
});

/** Keys of the issuer are fetched at most every five seconds. The clock stays ahead until the end of the file. */
let [aheadMs, setClockRight] = [0, () => {}];
const letKeysBeFetched = (): void => {
  aheadMs += 5_100;
  setClockRight = advanceSystemClock(aheadMs);
};

let counter = 0;
let browser: TestBrowser;
let anna: string;
/** Somebody new for each test, who is a member of one team. */
beforeEach(async () => {
  counter++;
  browser = new TestBrowser();
  anna = `anna.${counter}`;
  Object.assign(issuer, { person: `sub-${counter}`, changeIdToken: undefined, answerInstead: undefined });
  await stack.saveMember('meridian', anna);
});

const signInHere = (at = browser, next = '/', gatewayUrl = url) => signInAtIssuer(at, gatewayUrl, next);
const me = (at = browser) => at.fetch('/me');
/** Up to the answer of the issuer, which is not sent on. */
const stopAtCallback = async (at = browser): Promise<URL> => {
  at.stopBefore = (address) => address.includes('/sign-in/callback');
  await signInHere(at, '/docs');
  at.stopBefore = () => false;
  return new URL(at.stoppedAt);
};

describe('signing in at the issuer', () => {
  it('leads back to where the person wanted to go, with a session', async () => {
    await browser.open(`${url}/sign-in?next=/docs?a=1%26b=2`);
    const page = await browser.click('Sign in with Meridian <Login>');
    expect(page.url).toBe(`${url}/docs?a=1&b=2`);
    expect(browser.hops).toContain('200 /sign-in/callback');
    const answer = await me();
    expect(Me.parse(await answer.json())).toMatchObject({
      ...{ kind: 'session', subject: `member:${anna}`, displayName: 'Anna Weber', team: 'meridian' },
      scopes: ['content:read', 'knowledge-models:read'],
    });
    expect(await stack.newestChanges(1)).toEqual([`session.started ${anna} by member:${anna}`]);
  });

  it('asks with PKCE, state and nonce, which the browser keeps in a cookie that comes back from another site', async () => {
    browser.stopBefore = (address) => address.startsWith(issuer.url);
    await signInHere();
    const asked = Object.fromEntries(new URL(browser.stoppedAt).searchParams);
    expect(asked).toMatchObject({
      ...{ response_type: 'code', client_id: 'tessera', scope: 'openid', code_challenge_method: 'S256' },
      redirect_uri: `${url}/sign-in/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(asked['prompt']).toBeUndefined();
    expect(browser.setCookie(url, 'tessera-attempt')).toMatch(
      /^tessera-attempt=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
  });

  it('takes every cookie back but that of the session', async () => {
    await signInHere();
    expect(browser.setCookie(url, 'tessera-session')).toMatch(
      /^tessera-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(browser.setCookie(url, 'tessera-attempt')).toBe(
      'tessera-attempt=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    );
    expect(browser.setCookie(url, 'tessera-person')).toBe(
      'tessera-person=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
  });

  it('sets cookies of this host alone where the public address has https', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: 'https://tessera.example' });
    const answer = await fetch(`${gateway.url}/sign-in/sso`, { redirect: 'manual' });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-tessera-attempt=[\w-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
    const { searchParams } = new URL(answer.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe('https://tessera.example/sign-in/callback');
  });

  it('begins a session that all gateways know', async () => {
    await signInHere(browser, '/', otherUrl);
    expect((await me()).status).toBe(200);
    await browser.open(`${url}/docs`);
    expect((await me()).status).toBe(200);
  });

  it('gives a new session each time, and ends the one that the browser had', async () => {
    await signInHere();
    const first = browser.cookie(url, 'tessera-session') ?? '';
    await signInHere();
    expect(browser.cookie(url, 'tessera-session')).not.toBe(first);
    expect((await me()).status).toBe(200);
    browser.putCookie(url, 'tessera-session', first);
    expect((await me()).status).toBe(401);
    expect(await stack.newestChanges(3)).toEqual(
      ['started', 'ended', 'started'].map((what) => `session.${what} ${anna} by member:${anna}`),
    );
  });

  it('takes no session that somebody else has put into the browser', async () => {
    const fixed = 'x'.repeat(43);
    browser.putCookie(url, 'tessera-session', fixed);
    await signInHere();
    expect(browser.cookie(url, 'tessera-session')).not.toBe(fixed);
  });

  it('lets somebody else sign in: the issuer asks again, and the session before is over', async () => {
    await signInHere();
    const before = browser.cookie(url, 'tessera-session') ?? '';
    await browser.open(`${url}/docs`);
    await browser.openFrom(url, `${url}/sign-in?switch=1&next=/docs`);
    expect(browser.cookie(url, 'tessera-session')).toBeUndefined();
    issuer.person = 'sub-somebody-else';
    await stack.saveMember('meridian', 'somebody.else');
    browser.stopBefore = (address) => address.startsWith(issuer.url);
    await browser.click('Sign in with Meridian <Login>');
    expect(new URL(browser.stoppedAt).searchParams.get('prompt')).toBe('login');
    browser.stopBefore = () => false;
    await browser.openFrom(url, browser.stoppedAt);
    // The issuer ends the session of the first person there.
    const page = await browser.submit('/session/end/confirm');
    expect(page.url).toBe(`${url}/docs`);
    expect(Me.parse(await (await me()).json())).toMatchObject({ subject: 'member:somebody.else' });
    browser.putCookie(url, 'tessera-session', before);
    expect((await me()).status).toBe(401);
  });

  it('shows the way to the issuer only where there is one', async () => {
    const gateway = await stack.startGateway({
      SSO_ISSUER: '',
      SSO_CLIENT_ID: '',
      SSO_CLIENT_SECRET: '',
      SSO_NAME: '',
    });
    const page = await fetch(`${gateway.url}/sign-in`);
    expect([page.status, (await page.text()).includes('/sign-in/sso')]).toEqual([200, false]);
    expect((await fetch(`${gateway.url}/sign-in/sso`)).status).toBe(404);
  });
});

describe('the team', () => {
  it('is chosen by who is a member of several', async () => {
    await stack.saveMember('northgate', 'anna');
    const page = await signInHere(browser, '/docs');
    expect(shownBy(page)).toEqual([200, 'Choose a team']);
    for (const team of ['meridian', 'northgate']) expect(page.text).toContain(`(${team})</button>`);
    expect((await me()).status).toBe(401);
    expect((await browser.submit('/sign-in/team', { team: 'northgate' })).url).toBe(`${url}/docs`);
    expect(Me.parse(await (await me()).json())).toMatchObject({
      ...{ subject: 'member:anna', team: 'northgate' },
      teams: [{ team: 'northgate' }, { team: 'meridian' }],
    });
  });

  it('is one of the person alone, and chosen once', async () => {
    await stack.saveMember('northgate', 'anna');
    await signInHere();
    const secret = browser.cookie(url, 'tessera-person') ?? '';
    const { page } = browser;
    expect(shownBy(await browser.submit('/sign-in/team', { team: 'operators' }))).toEqual([403, 'You are in no team']);
    browser.page = page;
    browser.putCookie(url, 'tessera-person', secret);
    expect(shownBy(await browser.submit('/sign-in/team', { team: 'meridian' }))).toEqual([400, 'This sign-in is over']);
    expect((await me()).status).toBe(401);
  });

  it('is not chosen by a form from elsewhere', async () => {
    await stack.saveMember('northgate', 'anna');
    await signInHere();
    const body = new URLSearchParams({ team: 'meridian' });
    const page = await browser.openFrom('https://evil.example', `${url}/sign-in/team`, { method: 'POST', body });
    expect(shownBy(page)).toEqual([403, 'This form comes from elsewhere']);
    const again = await browser.openFrom(url, `${url}/sign-in/team`, { method: 'POST', body });
    expect(shownBy(again)).toEqual([200, 'Choose a team']);
    expect((await browser.submit('/sign-in/team', { team: 'meridian' })).url).toBe(`${url}/console/`);
  });

  it('is missing for who is no member: the page says what the administrator has to know', async () => {
    issuer.person = 'sub-<nobody>';
    const page = await signInHere();
    expect(shownBy(page)).toEqual([403, 'You are in no team']);
    expect(page.text).toContain(`Issuer <code>${issuer.url}</code>`);
    expect(page.text).toContain('Subject <code>sub-&lt;nobody&gt;</code>');
    expect(stack.gateway.logged.join('')).toContain('"subject":"sub-<nobody>"');
    expect(browser.cookie(url, 'tessera-session')).toBeUndefined();
    expect(browser.cookie(url, 'tessera-person')).toBeUndefined();
  });

  it('lets nobody in who is disabled there, and has a line of it in its log', async () => {
    await stack.saveMember('meridian', anna, issuer.person, { disabled: true });
    const page = await signInHere();
    expect(shownBy(page)).toEqual([403, 'You are in no team']);
    expect(page.text).toContain('Your membership is disabled.');
    expect(await stack.newestChanges(1)).toEqual([`session.refused ${anna} by member:${anna}`]);
  });

  it('is among those that the issuer names, where a claim says so', async () => {
    const gateway = await stack.startGateway({ SSO_TEAMS_CLAIM: 'teams' });
    const own = `http://localhost:${gateway.port}`;
    issuer.serve(url, otherUrl, own);
    await stack.saveMember('northgate', 'anna');
    const teamOf = async (claims: object) => {
      issuer.changeIdToken = (given) => ({ ...given, ...claims });
      const at = new TestBrowser();
      const page = await signInHere(at, '/', own);
      const answer = await me(at);
      return answer.status === 200 ? Me.parse(await answer.json()).team : shownBy(page);
    };
    expect(await teamOf({ teams: ['northgate', 'elsewhere'] })).toBe('northgate');
    expect(await teamOf({ teams: 'meridian' })).toBe('meridian');
    expect(await teamOf({ teams: ['meridian', 'northgate'] })).toEqual([200, 'Choose a team']);
    for (const claims of [{}, { teams: [] }, { teams: 7 }, { teams: ['elsewhere'] }])
      expect(await teamOf(claims)).toEqual([403, 'You are in no team']);
    // Nor does the person allow a client to act in another one.
    issuer.changeIdToken = (given) => ({ ...given, teams: ['meridian'] });
    await signInHere(browser, '/', own);
    const consent = await browser.open(`${own}${authorizationPath(await registered(stack))}`);
    expect([consent.text.includes('"meridian"'), consent.text.includes('northgate')]).toEqual([true, false]);
  });
});

describe('an answer of the issuer that is none to this sign-in', () => {
  const comeBack = (address: URL) => browser.openFrom(issuer.url, address.href);
  const tamper = (change: (attempt: Record<string, unknown>) => void): void => {
    const text = browser.cookie(url, 'tessera-attempt') ?? '';
    const attempt = JSON.parse(Buffer.from(text, 'base64url').toString());
    change(attempt);
    browser.putCookie(url, 'tessera-attempt', Buffer.from(JSON.stringify(attempt)).toString('base64url'));
  };

  it.each<[string, (address: URL) => void, readonly [number, string]]>([
    ['another state', ({ searchParams }) => searchParams.set('state', 'x'), [400, 'This sign-in is not the last one']],
    ['no state', ({ searchParams }) => searchParams.delete('state'), [400, 'This sign-in is not the last one']],
    [
      'two states',
      ({ searchParams }) => searchParams.append('state', searchParams.get('state') ?? ''),
      [400, 'This sign-in is not the last one'],
    ],
    ['a code that is none', ({ searchParams }) => searchParams.set('code', 'x'), [400, 'The sign-in did not work']],
    ['no code', ({ searchParams }) => searchParams.delete('code'), [401, 'The sign-in did not work']],
    [
      'another issuer',
      ({ searchParams }) => searchParams.set('iss', 'https://evil.example'),
      [401, 'The sign-in did not work'],
    ],
  ])('is refused for %s, with a way on', async (_, change, expected) => {
    const address = await stopAtCallback();
    change(address);
    const page = await comeBack(address);
    expect(shownBy(page)).toEqual(expected);
    expect(browser.cookie(url, 'tessera-attempt')).toBeUndefined();
    expect(browser.cookie(url, 'tessera-person')).toBeUndefined();
    expect((await browser.click('Sign in again')).url).toContain('/sign-in?next=%2Fdocs');
    expect((await me()).status).toBe(401);
  });

  it.each<[string, (attempt: Record<string, unknown>) => void, readonly [number, string]]>([
    ['another nonce', (attempt) => (attempt['nonce'] = 'x'), [401, 'The sign-in did not work']],
    ['another PKCE verifier', (attempt) => (attempt['verifier'] = 'x'.repeat(43)), [400, 'The sign-in did not work']],
    [
      'an attempt of ten minutes ago',
      (attempt) => (attempt['startedAtMs'] = Date.now() - 600_001),
      [400, 'This sign-in is over'],
    ],
    ['an attempt that is none', (attempt) => delete attempt['nonce'], [400, 'This sign-in is over']],
  ])('is refused for %s', async (_, change, expected) => {
    const address = await stopAtCallback();
    tamper(change);
    expect(shownBy(await comeBack(address))).toEqual(expected);
    expect((await me()).status).toBe(401);
  });

  it('is refused in another browser, and when it comes twice', async () => {
    const address = await stopAtCallback();
    const elsewhere = new TestBrowser();
    expect(shownBy(await elsewhere.open(address.href))).toEqual([400, 'This sign-in is over']);
    const attempt = browser.cookie(url, 'tessera-attempt') ?? '';
    expect((await comeBack(address)).url).toBe(`${url}/docs`);
    expect(shownBy(await comeBack(address))).toEqual([400, 'This sign-in is over']);
    browser.putCookie(url, 'tessera-attempt', attempt);
    expect(shownBy(await comeBack(address))).toEqual([400, 'The sign-in did not work']);
  });

  it('leads nowhere else, whatever the cookie says', async () => {
    const address = await stopAtCallback();
    tamper((attempt) => (attempt['next'] = '//evil.example'));
    expect((await comeBack(address)).url).toBe(`${url}/console/`);
  });

  it('is told to the person when the issuer says no', async () => {
    issuer.person = undefined;
    const page = await signInHere();
    expect(shownBy(page)).toEqual([403, 'The sign-in did not work']);
    expect(page.text).toContain('declined');
    const address = await stopAtCallback();
    for (const [error, status] of [
      ['temporarily_unavailable', 502],
      ['<script>', 502],
    ] as const) {
      await stopAtCallback();
      const asked = new URL(browser.stoppedAt);
      asked.searchParams.set('error', error);
      const told = await comeBack(asked);
      expect(told.status).toBe(status);
      expect(told.text).not.toContain('<script>');
    }
    expect(address.searchParams.get('error')).toBe('access_denied');
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another client', { aud: 'else' }],
    ['for another client as well', { aud: ['tessera', 'else'], azp: 'else' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['without a nonce', { nonce: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a subject that no database stores', { sub: 'a\u0000' }],
    ['that was issued later', { iat: Math.floor(Date.now() / 1000) + 600 }],
  ])('is refused with an ID token %s', async (_, more) => {
    issuer.changeIdToken = (claims) => ({ ...claims, ...more });
    expect(shownBy(await signInHere())).toEqual([401, 'The sign-in did not work']);
    expect((await me()).status).toBe(401);
  });

  it('is refused when nobody knows the key that signed', async () => {
    issuer.changeIdToken = (claims) => claims;
    issuer.rotate(false);
    expect(shownBy(await signInHere())).toEqual([401, 'The sign-in did not work']);
    issuer.rotate();
    letKeysBeFetched();
    expect((await signInHere()).status).toBe(200);
  });

  it('leaves no code, no token and no secret in the log', async () => {
    const address = await stopAtCallback();
    await comeBack(address);
    const logged = stack.gateway.logged.join('');
    const secrets = [
      address.searchParams.get('code') ?? '',
      issuerClient.secret,
      browser.cookie(url, 'tessera-session'),
    ];
    for (const secret of secrets) expect(logged).not.toContain(secret);
    expect(logged).not.toMatch(/eyJ/);
  });
});

describe('the issuer', () => {
  it('may be away when the gateway starts, and is asked again when somebody signs in', async () => {
    issuer.answerInstead = (_request, response) => void response.writeHead(503).end();
    const gateway = await stack.startGateway();
    const own = `http://localhost:${gateway.port}`;
    issuer.serve(url, otherUrl, own);
    const asked = issuer.requests.length;
    expect(shownBy(await signInHere(browser, '/docs', own))).toEqual([502, 'The sign-in did not work']);
    for (let turn = 0; turn < 5; turn++) expect((await signInHere(browser, '/', own)).status).toBe(502);
    expect(issuer.requests.length).toBe(asked + 1);
    issuer.answerInstead = undefined;
    await waitUntil(async () => (await signInHere(browser, '/docs', own)).url === `${own}/docs`);
  });

  it.each<[string, NonNullable<ForeignIssuer['answerInstead']>]>([
    ['answers nothing that is a document', (_, response) => void response.end('<html>')],
    ['sends elsewhere', (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    [
      'says that it is another one',
      (_, response) =>
        void response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ issuer: 'https://evil.example', jwks_uri: 'https://evil.example/jwks' })),
    ],
    [
      'answers without an end',
      (_, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(`{"issuer":"${' '.repeat(2 * 1024 * 1024)}"}`);
      },
    ],
  ])('that %s is no issuer', async (_, answer) => {
    issuer.answerInstead = answer;
    const gateway = await stack.startGateway();
    const page = await signInHere(browser, '/', `http://localhost:${gateway.port}`);
    expect(shownBy(page)).toEqual([502, 'The sign-in did not work']);
  });

  it('may be away between two steps, and the person tries again', async () => {
    const address = await stopAtCallback();
    issuer.answerInstead = (_request, response) => void response.destroy();
    expect(shownBy(await browser.openFrom(issuer.url, address.href))).toEqual([502, 'The sign-in did not work']);
    issuer.answerInstead = undefined;
    await browser.click('Sign in again');
    expect((await browser.click('Sign in with Meridian <Login>')).url).toBe(`${url}/docs`);
  });

  it('may sign with new keys, which are fetched once for whatever key ids there are', async () => {
    await signInHere();
    letKeysBeFetched();
    issuer.rotate();
    const fetched = () => issuer.requests.filter((each) => each === 'GET /jwks').length;
    const before = fetched();
    expect((await signInHere()).status).toBe(200);
    expect(fetched()).toBe(before + 1);
    issuer.rotate(false);
    issuer.changeIdToken = (claims) => claims;
    for (let turn = 0; turn < 3; turn++) expect((await signInHere()).status).toBe(401);
    expect(fetched()).toBe(before + 1);
    issuer.changeIdToken = undefined;
    issuer.rotate();
    letKeysBeFetched();
    expect((await signInHere()).status).toBe(200);
  });

  it('is asked for at most 100 answers of a network that are made up', async () => {
    const gateway = await stack.startGateway();
    const own = `http://localhost:${gateway.port}`;
    issuer.serve(url, otherUrl, own);
    const statuses: number[] = [];
    for (let turn = 0; turn < 102; turn++) {
      browser.stopBefore = (address) => address.startsWith(issuer.url);
      await signInHere(browser, '/', own);
      browser.stopBefore = () => false;
      const state = new URL(browser.stoppedAt).searchParams.get('state') ?? '';
      const answer = `${own}/sign-in/callback?code=x&state=${state}&iss=${encodeURIComponent(issuer.url)}`;
      statuses.push((await browser.open(answer)).status);
    }
    expect(statuses.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 400));
    expect(statuses.slice(100)).toEqual([429, 429]);
    expect(Number(browser.page?.headers.get('retry-after'))).toBeGreaterThan(200);
  });
});
