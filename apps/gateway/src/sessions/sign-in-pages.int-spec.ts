/** The pages at which people sign in and out, with what a browser sends and what it is told. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAccessChanges, Me } from '@tessera/contracts/gateway';
import { TestBrowser, type Page } from '../testing/test-browser.js';
import { openTestStack, type TestStack } from '../testing/test-stack.js';

let stack: TestStack;
let url: string;
beforeAll(async () => {
  stack = await openTestStack();
  url = `http://localhost:${stack.gateway.port}`;
});
afterAll(() => stack?.stop());

const password = 'correct horse battery';
const admin = (path: string, body: object) =>
  stack.request(`/admin/teams/meridian/members/${path}`, { key: stack.keys.operator, method: 'PUT', body });

let counter = 0;
let browser: TestBrowser;
let user: string;
beforeEach(async () => {
  browser = new TestBrowser();
  user = `anna.${++counter}@example.com`;
  expect((await admin(user, { displayName: 'Anna Weber', roles: ['viewer'] })).status).toBe(200);
  expect((await admin(`${user}/password`, { password })).status).toBe(200);
});

const shown = ({ status, text }: Page) => [status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]];
const alertIn = ({ text }: Page): string | undefined => /<p role="alert"[^>]*>(.*?)<\/p>/s.exec(text)?.[1];
const me = () => browser.fetch('/me');
const signIn = async (next = '/docs', at = url): Promise<Page> => {
  await browser.open(`${at}/sign-in?next=${encodeURIComponent(next)}`);
  return browser.submit('/sign-in', { team: 'meridian', user, password });
};

describe('the page for signing in', () => {
  it('takes a password and leads on, with a session', async () => {
    const page = await signIn('/docs?a=1&b=2');
    expect(page.url).toBe(`${url}/docs?a=1&b=2`);
    expect(browser.hops).toEqual(['303 /sign-in', '200 /docs']);
    expect(browser.setCookie(url, 'tessera-session')).toMatch(
      /^tessera-session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    expect(browser.setCookie(url, 'tessera-form')).toMatch(
      /^tessera-form=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Strict$/,
    );
    expect(Me.parse(await (await me()).json())).toMatchObject({ subject: `member:${user}`, displayName: 'Anna Weber' });
  });

  it('takes an API key', async () => {
    await browser.open(`${url}/sign-in`);
    const page = await browser.submit('/sign-in', { apiKey: stack.keys.reader });
    expect(page.url).toBe(`${url}/console/`);
    expect(Me.parse(await (await me()).json())).toMatchObject({ kind: 'session', scopes: ['knowledge-models:read'] });
  });

  it('has no script, no style but its own, is in no frame and kept by nobody', async () => {
    const { headers, text } = await browser.open(`${url}/sign-in`);
    const style = /<style>(.*)<\/style>/.exec(text)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/<script|https?:/);
  });

  it('sets cookies of this host alone where the public address has https', async () => {
    const gateway = await stack.startGateway({ PUBLIC_URL: 'https://tessera.example' });
    const answer = await fetch(`${gateway.url}/sign-in`);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^__Host-tessera-form=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'leads to no other site: %s',
    async (next) => expect((await signIn(next)).url).toBe(`${url}/console/`),
  );

  it('shows what was typed as text, and never a password', async () => {
    await browser.open(`${url}/sign-in?next=${encodeURIComponent('/"><script>')}`);
    const typed = { team: '"><script>', user: "'<b>", password: 'p<wrong>' };
    const page = await browser.submit('/sign-in', typed);
    expect(page.status).toBe(401);
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(page.text).not.toMatch(/<script>|<b>|p&lt;wrong|p<wrong/);
  });

  it('sends on who is signed in already, also when another site leads there', async () => {
    await signIn();
    expect((await browser.open(`${url}/sign-in?next=/docs`)).url).toBe(`${url}/docs`);
    const page = await browser.openFrom('https://client.example', `${url}/sign-in?next=/docs`);
    expect(page.url).toBe(`${url}/docs`);
    expect(browser.hops).toEqual(['200 /sign-in', '303 /sign-in', '200 /docs']);
  });

  it('signs out first when somebody else wants to sign in, unless another site says so', async () => {
    await signIn();
    const first = browser.cookie(url, 'tessera-session') ?? '';
    await browser.openFrom('https://evil.example', `${url}/sign-in?switch=1`);
    expect((await me()).status).toBe(200);
    for (const next of ['/./sign-in?switch=1', '/%73ign-in?switch=1']) {
      await browser.openFrom('https://evil.example', `${url}/sign-in?next=${encodeURIComponent(next)}`);
      expect((await me()).status).toBe(200);
    }
    const page = await browser.openFrom(url, `${url}/sign-in?switch=1&next=/docs`);
    expect(shown(page)).toEqual([200, 'Sign in']);
    expect(browser.setCookie(url, 'tessera-session')).toBe(
      'tessera-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    );
    browser.putCookie(url, 'tessera-session', first);
    expect((await me()).status).toBe(401);
    expect((await browser.submit('/sign-in', { team: 'meridian', user, password })).url).toBe(`${url}/docs`);
  });

  it('ends nothing for who loads it beforehand, or asks for its head alone', async () => {
    await signIn();
    const head = await browser.fetch('/sign-in?switch=1', { method: 'HEAD' });
    expect([head.status, head.headers.get('set-cookie')]).toEqual([200, null]);
    await browser.fetch('/sign-in?switch=1', { headers: { 'sec-purpose': 'prefetch' } });
    expect((await me()).status).toBe(200);
  });
});

describe('a form for signing in', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a team', { team: '' }, 'Name the team.'],
    ['a name', { user: '' }, 'Give your name or e-mail address in the team.'],
    ['a password', { password: '' }, 'Give your password.'],
    ['texts that fit', { password: 'x'.repeat(257) }, 'A field is too long, or has characters that no name has.'],
  ])('needs %s', async (_, more, message) => {
    await browser.open(`${url}/sign-in`);
    const page = await browser.submit('/sign-in', { team: 'meridian', user, password, ...more });
    expect([page.status, alertIn(page)]).toEqual([400, message]);
  });

  it('is refused alike for a wrong password and for whoever is unknown, each with its line', async () => {
    const pages: Page[] = [];
    for (const typed of [
      { user, password: 'wrong' },
      { user: 'nobody', password },
    ]) {
      await browser.open(`${url}/sign-in`);
      pages.push(await browser.submit('/sign-in', { team: 'meridian', ...typed }));
    }
    for (const page of pages)
      expect([page.status, alertIn(page)]).toEqual([401, 'The name or the password, or the key, is not valid.']);
    const { body } = await stack.request('/admin/teams/meridian/access-changes', { key: stack.keys.operator });
    const lines = listAccessChanges.reply.parse(body).changes.slice(0, 2);
    expect(lines.map(({ action, target }) => `${action} ${target}`)).toEqual([
      expect.stringMatching(/^session\.refused name:[0-9a-f]{16}$/),
      `session.refused ${user}`,
    ]);
    expect(stack.gateway.logged.join('')).not.toContain(password);
  });

  it('is bounded as signing in by a program is, together with it', async () => {
    const gateway = await stack.startGateway();
    const at = `http://localhost:${gateway.port}`;
    const byProgram = (text: string) =>
      stack.request('/session', {
        ...{ gateway, method: 'POST', key: undefined, body: { team: 'meridian', user, password: text } },
        headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Tessera-Request': '1' },
      });
    for (let turn = 0; turn < 5; turn++) {
      await browser.open(`${at}/sign-in`);
      const page = await browser.submit('/sign-in', { team: 'meridian', user, password: 'wrong' });
      expect(page.status).toBe(401);
      expect((await byProgram('wrong')).status).toBe(401);
    }
    const page = await signIn('/', at);
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(200);
    expect(alertIn(page)).toMatch(/too many attempts.*Try again in \d+ seconds\./);
    expect((await byProgram(password)).status).toBe(429);
  });

  it('from elsewhere signs nobody in', async () => {
    const body = new URLSearchParams({ team: 'meridian', user, password });
    for (const origin of ['https://evil.example', 'http://localhost:1']) {
      const page = await browser.openFrom(origin, `${url}/sign-in`, { method: 'POST', body });
      expect(shown(page)).toEqual([403, 'This form comes from elsewhere']);
    }
    const without = await fetch(`${url}/sign-in`, { method: 'POST', body });
    expect(without.status).toBe(403);
    expect(browser.cookie(url, 'tessera-session')).toBeUndefined();
  });

  it('needs the token of its page, and shows another one without', async () => {
    await browser.open(`${url}/sign-in?next=/docs`);
    for (const formToken of ['', 'x'.repeat(43), (browser.cookie(url, 'tessera-form') ?? '').slice(1)]) {
      const page = await browser.submit('/sign-in', { formToken, team: 'meridian', user, password });
      expect([page.status, alertIn(page)]).toEqual([403, 'The form was open for too long; please try again.']);
    }
    browser.putCookie(url, 'tessera-form', '');
    const page = await browser.submit('/sign-in', { team: 'meridian', user, password });
    expect(page.status).toBe(403);
    expect((await browser.submit('/sign-in', { team: 'meridian', user, password })).url).toBe(`${url}/docs`);
  });

  it('has each field once, in a form, and is short, with few fields', async () => {
    const send = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${url}/sign-in`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      });
    expect((await send('team=a&team=b')).status).toBe(400);
    expect((await send('{}', 'application/json')).status).toBe(400);
    expect((await send('team=a', 'multipart/form-data; boundary=x')).status).toBe(400);
    const wide = await send(Array.from({ length: 4_400 }, (_, at) => at.toString(36)).join('&'));
    expect([wide.status, await wide.text()]).toEqual([400, expect.stringContaining('at most 64 fields')]);
    const long = await send(`team=${'x'.repeat(20_000)}`);
    expect([long.status, long.headers.get('content-type')]).toEqual([413, 'text/html; charset=utf-8']);
  });

  it('gives a new session each time, and ends the one that the browser had', async () => {
    await signIn();
    const first = browser.cookie(url, 'tessera-session') ?? '';
    const form = new TestBrowser();
    form.putCookie(url, 'tessera-session', 'x'.repeat(43));
    await form.open(`${url}/sign-in`);
    form.putCookie(url, 'tessera-session', first);
    expect((await form.submit('/sign-in', { team: 'meridian', user, password })).status).toBe(200);
    expect(form.cookie(url, 'tessera-session')).not.toBe(first);
    expect((await me()).status).toBe(401);
  });
});

describe('the page for signing out', () => {
  it('ends the session when its button is pressed, and leads on', async () => {
    await signIn();
    expect(shown(await browser.open(`${url}/sign-out?next=/docs`))).toEqual([200, 'Sign out']);
    expect((await me()).status).toBe(200);
    const session = browser.cookie(url, 'tessera-session') ?? '';
    expect((await browser.submit('/sign-out')).url).toBe(`${url}/docs`);
    expect(browser.cookie(url, 'tessera-session')).toBeUndefined();
    browser.putCookie(url, 'tessera-session', session);
    expect((await me()).status).toBe(401);
    expect(shown(await browser.open(`${url}/sign-out`))).toEqual([200, 'You are signed out']);
  });

  it('tells who wants to go nowhere that it is done', async () => {
    await signIn();
    await browser.open(`${url}/sign-out`);
    expect(shown(await browser.submit('/sign-out'))).toEqual([200, 'You are signed out']);
  });

  it('is not pressed by another site, nor without its token', async () => {
    await signIn();
    const body = new URLSearchParams({ next: '/' });
    await browser.openFrom('https://evil.example', `${url}/sign-out`, { method: 'POST', body });
    expect(shown(await browser.openFrom(url, `${url}/sign-out`, { method: 'POST', body }))).toEqual([403, 'Sign out']);
    expect((await me()).status).toBe(200);
  });

  it('leads nowhere else, whoever sends the browser there', async () => {
    for (const path of [
      '/sign-out?state=//evil.example',
      '/sign-out?state=https://evil.example',
      '/sign-out?next=//e',
    ]) {
      const page = await browser.openFrom('https://evil.example', `${url}${path}`);
      expect(new URL(page.url).origin).toBe(url);
    }
    expect((await browser.openFrom('https://evil.example', `${url}/sign-out?state=/docs`)).url).toBe(`${url}/docs`);
  });
});

it('tells people that the database is away, and when to come back', async () => {
  await browser.open(`${url}/sign-in`);
  const { unblock } = await stack.database.blockConnections();
  try {
    const page = await browser.submit('/sign-in', { team: 'meridian', user, password });
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await unblock();
  }
});
