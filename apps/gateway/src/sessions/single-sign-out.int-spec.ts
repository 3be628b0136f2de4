/** Signing out at a real issuer and here, and what the issuer tells by its back channel. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import { issuerClient, type ForeignIssuer } from '../testing/foreign-issuer.js';
import { authorizationPath, exchangeCode, redirect, registered, type OAuthClient } from '../testing/oauth-client.js';
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
afterAll(() => stack?.stop());

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
const nowSeconds = () => Math.floor(Date.now() / 1000);
const logoutClaims = (more: object = {}) => ({
  ...{ iss: issuer.url, aud: issuerClient.id, iat: nowSeconds(), exp: nowSeconds() + 120, jti: `jti-${++counter}` },
  events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  sub: issuer.person ?? '',
  ...more,
});

describe('signing out', () => {
  it('ends the session here and at the issuer, and comes back', async () => {
    await signInHere();
    const before = browser.cookie(url, 'tessera-session') ?? '';
    await browser.open(`${url}/sign-out?next=/docs`);
    browser.stopBefore = (address) => address.startsWith(issuer.url);
    await browser.submit('/sign-out');
    browser.stopBefore = () => false;
    const asked = new URL(browser.stoppedAt);
    expect([asked.pathname, asked.searchParams.get('client_id'), asked.searchParams.get('state')]).toEqual([
      ...['/session/end', 'tessera', '/docs'],
    ]);
    expect(asked.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect(browser.cookie(url, 'tessera-session')).toBeUndefined();
    await browser.openFrom(url, browser.stoppedAt);
    const page = await browser.submit('/session/end/confirm', { logout: 'yes' });
    expect(page.url).toBe(`${url}/docs`);
    browser.putCookie(url, 'tessera-session', before);
    expect((await me()).status).toBe(401);
    expect(await stack.newestChanges(2)).toEqual(
      ['ended', 'started'].map((what) => `session.${what} ${anna} by member:${anna}`),
    );
  });

  it('at the issuer ends the sessions here, on all gateways', async () => {
    await signInHere();
    await browser.open(`${otherUrl}/docs`);
    expect((await me()).status).toBe(200);
    const another = new TestBrowser();
    await signInHere(another);
    await browser.open(`${issuer.url}/session/end`);
    await browser.submit('/session/end/confirm', { logout: 'yes' });
    await browser.open(`${otherUrl}/docs`);
    await waitUntil(async () => (await me()).status === 401);
    await browser.open(`${url}/docs`);
    expect((await me()).status).toBe(401);
    // It has a session of its own at the issuer.
    expect((await me(another)).status).toBe(200);
    expect(await stack.newestChanges(1)).toEqual([`session.ended ${anna} by ${issuer.url}`]);
  });

  it('says so when the issuer signs nobody out', async () => {
    await signInHere();
    await stack.administrator.query(
      `update gateway.session set issuer = 'https://former.example' where member_id = $1`,
      [anna],
    );
    await stack.administrator.query(
      `update gateway.member set issuer = 'https://former.example' where member_id = $1`,
      [anna],
    );
    await browser.open(`${url}/sign-out`);
    const page = await browser.submit('/sign-out');
    expect(shownBy(page)).toEqual([200, 'You are signed out']);
    expect(page.text).toContain('you may be signed in there still');
  });

  it('is not needed when the member is somebody else: the session is over with the next request', async () => {
    await signInHere();
    expect((await me()).status).toBe(200);
    await stack.saveMember('meridian', anna, 'sub-of-somebody-else');
    expect((await me()).status).toBe(401);
  });
});

describe('what clients were allowed', () => {
  let client: OAuthClient;
  beforeAll(async () => void (client = await registered(stack)));

  /** The access token of a client that the person allows to act. */
  const allow = async (at = browser): Promise<string> => {
    const page = await at.open(`${url}${authorizationPath(client, { scope: 'content:read' })}`);
    at.stopBefore = (address) => address.startsWith(redirect);
    await at.submit(new URL(page.url).pathname, { decision: 'allow' });
    at.stopBefore = () => false;
    const code = new URL(at.stoppedAt).searchParams.get('code') ?? '';
    return String((await exchangeCode(stack, client, code)).body?.['access_token']);
  };
  const answerTo = async (token: string): Promise<number> =>
    (await stack.request('/me', { key: undefined, headers: { Authorization: `Bearer ${token}` } })).status;

  it('ends with a sign-out here that goes on to the issuer', async () => {
    await signInHere();
    const token = await allow();
    const another = new TestBrowser();
    await signInHere(another);
    const tokenOfAnother = await allow(another);
    expect([await answerTo(token), await answerTo(tokenOfAnother)]).toEqual([200, 200]);
    await browser.open(`${url}/sign-out`);
    browser.stopBefore = (address) => address.startsWith(issuer.url);
    await browser.submit('/sign-out');
    expect([await answerTo(token), await answerTo(tokenOfAnother)]).toEqual([401, 200]);
    expect(await stack.newestChanges(2)).toEqual([
      `client.ended ${anna} by ${issuer.url}`,
      `session.ended ${anna} by member:${anna}`,
    ]);
  });

  it('ends with the sign-out of a page, which is told where the issuer signs the person out', async () => {
    await signInHere();
    const token = await allow();
    const secret = browser.cookie(url, 'tessera-session') ?? '';
    const { status, body } = await stack.request('/session', {
      ...{ method: 'DELETE', key: undefined },
      headers: { Cookie: `tessera-session=${secret}`, 'Sec-Fetch-Site': 'same-origin', 'X-Tessera-Request': '1' },
    });
    const continueAt = new URL(String(body?.['continueAt']));
    expect([status, continueAt.origin, continueAt.pathname]).toEqual([200, issuer.url, '/session/end']);
    expect(continueAt.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    expect(await answerTo(token)).toBe(401);
    await browser.openFrom(url, continueAt.href);
    expect(shownBy(await browser.submit('/session/end/confirm', { logout: 'yes' }))).toEqual([
      200,
      'You are signed out',
    ]);
  });

  it('ends when the issuer signs out its session, also when that here is over already', async () => {
    await signInHere();
    const token = await allow();
    await stack.administrator.query('delete from gateway.session where member_id = $1', [anna]);
    const another = new TestBrowser();
    await signInHere(another);
    const tokenOfAnother = await allow(another);
    await browser.open(`${issuer.url}/session/end`);
    await browser.submit('/session/end/confirm', { logout: 'yes' });
    await waitUntil(async () => (await answerTo(token)) === 401);
    expect(await answerTo(tokenOfAnother)).toBe(200);
    expect(await stack.newestChanges(1)).toEqual([`client.ended ${anna} by ${issuer.url}`]);
  });

  it('ends when the issuer signs out the person, with grants of which nobody knows the session', async () => {
    await signInHere();
    const token = await allow();
    await stack.administrator.query('update gateway.oauth_grant set issuer_session = null where member_id = $1', [
      anna,
    ]);
    const nobody = new URLSearchParams({
      logout_token: await issuer.sign(logoutClaims({ sub: undefined, sid: 'other' })),
    });
    const send = (body: URLSearchParams) => fetch(`${url}/sign-in/back-channel-logout`, { method: 'POST', body });
    expect((await send(nobody)).status).toBe(200);
    expect(await answerTo(token)).toBe(200);
    expect((await send(new URLSearchParams({ logout_token: await issuer.sign(logoutClaims()) }))).status).toBe(200);
    expect(await answerTo(token)).toBe(401);
  });
});

describe('a logout token', () => {
  const send = (body: URLSearchParams | string, at = url) =>
    fetch(`${at}/sign-in/back-channel-logout`, { method: 'POST', body });
  const sendToken = (token: string, at = url) => send(new URLSearchParams({ logout_token: token }), at);
  const tell = async (more: object = {}, type?: string, at = url) =>
    sendToken(await issuer.sign(logoutClaims(more), type), at);

  it('of a person ends all sessions of that person, whichever gateway it reaches', async () => {
    await signInHere();
    const another = new TestBrowser();
    await signInHere(another, '/', otherUrl);
    const answer = await tell({}, 'logout+jwt', otherUrl);
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', '']);
    await waitUntil(async () => (await me()).status === 401);
    expect((await me(another)).status).toBe(401);
  });

  it('of somebody who has no session is taken as well', async () => {
    expect((await tell({ sub: 'sub-nobody' })).status).toBe(200);
    expect((await tell({ sub: undefined, sid: 'sid-nobody' })).status).toBe(200);
  });

  it.each<[string, object]>([
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'else' }],
    ['without a time', { iat: undefined }],
    ['of ten minutes ago', { iat: nowSeconds() - 600 }],
    ['of later', { iat: nowSeconds() + 600 }],
    ['that has expired', { exp: nowSeconds() - 60 }],
    ['without an id', { jti: undefined }],
    ['with an id that is none', { jti: 7 }],
    ['without events', { events: undefined }],
    ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
    ['with an event that is none', { events: { 'http://schemas.openid.net/event/backchannel-logout': null } }],
    ['with a nonce', { nonce: 'x' }],
    ['of nobody', { sub: undefined }],
    ['of a session that is no text', { sid: 7 }],
  ])('%s is refused', async (_, more) => {
    await signInHere();
    const answer = await tell(more);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The logout token is not valid.' },
    ]);
    expect((await me()).status).toBe(200);
  });

  it('of another type is refused', async () => expect((await tell({}, 'at+jwt')).status).toBe(400));

  it('counts once', async () => {
    // Within one second nobody knows which came first: then the sign-out counts.
    const token = await issuer.sign(logoutClaims({ iat: nowSeconds() - 1 }));
    expect((await sendToken(token)).status).toBe(200);
    await signInHere();
    expect((await sendToken(token)).status).toBe(400);
    expect((await sendToken(token, otherUrl)).status).toBe(400);
    expect((await me()).status).toBe(200);
  });

  it('with another signature, or none, is refused', async () => {
    await signInHere();
    const token = await issuer.sign(logoutClaims());
    const [head = '', payload = '', signature = ''] = token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const shared = Buffer.from('{"alg":"HS256"}').toString('base64url');
    const others = [`${head}.${payload}.${signature.slice(0, -4)}AAAA`, `${none}.${payload}.`];
    const lengths = ['', 'x', `${token}.x`, 'x'.repeat(9_000), `${shared}.${payload}.${signature}`];
    for (const each of [...others, ...lengths]) expect((await sendToken(each)).status).toBe(400);
    expect((await me()).status).toBe(200);
  });

  it('comes alone, in a form', async () => {
    const token = await issuer.sign(logoutClaims());
    const twice = new URLSearchParams([
      ['logout_token', token],
      ['logout_token', token],
    ]);
    for (const body of [twice, JSON.stringify({ logout_token: token }), new URLSearchParams()])
      expect((await send(body)).status).toBe(400);
    expect((await send(new URLSearchParams({ logout_token: 'x'.repeat(20_000) }))).status).toBe(413);
    expect((await fetch(`${url}/sign-in/back-channel-logout`)).status).toBe(405);
  });

  it('ends a sign-in that is under way', async () => {
    browser.stopBefore = (address) => address.endsWith('/sign-in/team');
    await signInHere();
    browser.stopBefore = () => false;
    expect((await tell({ iat: nowSeconds() + 1 })).status).toBe(200);
    const page = await browser.openFrom(url, browser.stoppedAt);
    expect(shownBy(page)).toEqual([403, 'You are signed out']);
    expect((await me()).status).toBe(401);
    const { rows } = await stack.administrator.query('select from gateway.session where member_id = $1', [anna]);
    expect(rows).toEqual([]);
  });

  it('may be told again when nobody could take it', async () => {
    const token = await issuer.sign(logoutClaims());
    await signInHere();
    await stack.administrator.query('alter function gateway.find_issuer_sessions(text, text, text) rename to away');
    const away = await sendToken(token);
    await stack.administrator.query('alter function gateway.away(text, text, text) rename to find_issuer_sessions');
    expect(away.status).toBeGreaterThanOrEqual(500);
    expect((await sendToken(token)).status).toBe(200);
    expect((await me()).status).toBe(401);
  });
});
