/**
 * People who sign in at the issuer of their operator, in a real browser: a public implementation of OpenID Connect on another site, and
 * two gateways that share the sessions.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { findFreePort } from '@tessera/local-stack';
import { waitUntil } from '@tessera/testing';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { startForeignIssuer, type ForeignIssuer } from './browser/foreign-issuer.js';
import { signInAsAnalyst } from './browser/people.js';
import { findAccessibilityFaults, visit } from './browser/visit.js';
import { parseJson, textOf } from './json.js';
import { startOAuthClient } from './mcp/oauth-client.js';
import { generations } from './mcp/sdk-clients.js';
import { startProduct, type Product } from './product.js';

const issuerName = 'Example Identity';

let issuer: ForeignIssuer;
let product: Product;
let browser: Browser;
/** Two replicas; the issuer knows the first by its address. */
let gateway: string;
let other: string;
beforeAll(async () => {
  const port = await findFreePort();
  gateway = `http://localhost:${port}`;
  const client = { client_id: 'tessera', client_secret: 'a secret of the program' };
  issuer = await startForeignIssuer([
    {
      ...client,
      redirect_uris: [`${gateway}/sign-in/callback`],
      post_logout_redirect_uris: [`${gateway}/sign-out`],
      backchannel_logout_uri: `${gateway}/sign-in/back-channel-logout`,
      backchannel_logout_session_required: true,
    },
  ]);
  const settings = {
    ...{ GATEWAY_PORT: String(port), SSO_ISSUER: issuer.url, SSO_NAME: issuerName },
    ...{ SSO_CLIENT_ID: client.client_id, SSO_CLIENT_SECRET: client.client_secret },
  };
  [product, browser] = await Promise.all([
    startProduct({ demo: 'tiny', replicas: { gateway: 2 }, settings }),
    launchBrowser(),
  ]);
  [, other = ''] = product.gateways;
  await addMember('erika.mann', 'Erika Mann');
});
afterAll(async () => {
  await Promise.all([browser?.close(), product?.stop()]);
  issuer?.stop();
});

const addMember = async (memberId: string, displayName: string): Promise<void> => {
  const identity = { issuer: issuer.url, subject: memberId };
  const { status } = await fetch(`${gateway}/admin/teams/meridian/members/${memberId}`, {
    method: 'PUT',
    headers: { AppKey: product.environment['ADMIN_KEY'] ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify({ displayName, roles: ['analyst'], identity }),
  });
  expect(status).toBe(200);
};

/** From the page for signing in, by way of the issuer. */
const useIssuer = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: issuerName }).click();
  await page.waitForURL(`${issuer.url}/**`);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
};

const signIn = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${gateway}/sign-in?next=/me`);
  await useIssuer(page, name);
  await page.waitForURL(`${gateway}/me`);
};

/** Who the gateway says that the browser is; its name, or the status. */
const personAt = async (page: Page, address: string): Promise<string | number> => {
  const answer = await page.goto(`${address}/me`);
  if (answer?.status() !== 200) return answer?.status() ?? 0;
  return textOf(parseJson(await answer.text()), 'displayName');
};

const signedOutEverywhere = (page: Page): Promise<void> =>
  waitUntil(async () => (await personAt(page, gateway)) === 401 && (await personAt(page, other)) === 401);

const afterSignOut = { expectedFaults: [/^GET .*\/me: 401$/] };

/** Each cookie as the gateway has sent it, without its value. */
const watchCookies = (page: Page): Map<string, string> => {
  const cookies = new Map<string, string>();
  page.on('response', async (response) => {
    if (!response.url().startsWith(gateway)) return;
    for (const line of await response.headerValues('set-cookie')) {
      const [, name = '', attributes = ''] = /^([^=]+)=[^;]+(;.*)$/.exec(line) ?? [];
      if (name !== '') cookies.set(name, attributes);
    }
  });
  return cookies;
};

describe('a person whom the issuer knows', () => {
  it('signs in from another site, with cookies that only pages of the gateway get', () =>
    visit(browser, async (page) => {
      const cookies = watchCookies(page);
      await signIn(page, 'erika.mann');
      expect(await page.innerText('body')).toContain('Erika Mann');
      // At plain http on this machine; elsewhere each has `__Host-` and Secure as well.
      expect(Object.fromEntries(cookies)).toEqual({
        'tessera-attempt': '; Path=/; Max-Age=600; HttpOnly; SameSite=Lax',
        'tessera-person': '; Path=/; Max-Age=600; HttpOnly; SameSite=Strict',
        'tessera-form': '; Path=/; Max-Age=3600; HttpOnly; SameSite=Strict',
        'tessera-session': '; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict',
      });
    }));

  it('has one session at all replicas, and none at any after signing out', () =>
    visit(
      browser,
      async (page) => {
        await signIn(page, 'erika.mann');
        expect([await personAt(page, gateway), await personAt(page, other)]).toEqual(['Erika Mann', 'Erika Mann']);
        await page.goto(`${gateway}/sign-out`);
        expect(await findAccessibilityFaults(page)).toEqual([]);
        await page.getByRole('button', { name: 'Sign out' }).click();
        // The issuer asks as well, and sends the browser back.
        await page.getByRole('button', { name: 'Yes, sign me out' }).click();
        await page.waitForURL(`${gateway}/sign-out**`);
        await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
        expect(await findAccessibilityFaults(page)).toEqual([]);
        await signedOutEverywhere(page);
        // The issuer does not know the browser any more either: it asks for the name again.
        await signIn(page, 'erika.mann');
      },
      afterSignOut,
    ));

  it('is signed out at all replicas by the issuer', () =>
    visit(
      browser,
      async (page) => {
        await signIn(page, 'erika.mann');
        expect(await personAt(page, other)).toBe('Erika Mann');
        await page.goto(`${issuer.url}/session/end`);
        await page.getByRole('button', { name: 'Yes, sign me out' }).click();
        await page.waitForURL(`${issuer.url}/session/end/success**`);
        await signedOutEverywhere(page);
      },
      afterSignOut,
    ));
});

describe('a client of an MCP server', () => {
  const [, [, connect]] = generations;

  it('has its user sign in at the issuer on the way', async () => {
    const program = await startOAuthClient();
    const askUser = (): Promise<URL> =>
      visit(browser, async (page) => {
        await page.goto(program.destination());
        await useIssuer(page, 'erika.mann');
        await page.getByRole('button', { name: 'Allow', exact: true }).click();
        await page.waitForURL(`${program.provider.redirectUrl}?**`);
        return new URL(page.url());
      });
    const connection = await connect(new URL(`${gateway}${mcpPrefix}/p2p-tools`), program, askUser);
    expect((await connection.listTools()).tools.map(({ name }) => name)).toContain('load-data');
    await connection.close();
    program.stop();
  });
});

describe('pages', () => {
  it('are accessible, and say what was wrong with a password', () =>
    visit(
      browser,
      async (page) => {
        await page.goto(`${gateway}/sign-in?next=/me`);
        expect(await findAccessibilityFaults(page)).toEqual([]);
        await signInAsAnalyst(page, { ...product, environment: { ANALYST_PASSWORD: 'not the password' } });
        await page.getByRole('alert').waitFor();
        expect(await findAccessibilityFaults(page)).toEqual([]);
        await signInAsAnalyst(page, product);
        await page.waitForURL(`${gateway}/me`);
        expect(await personAt(page, gateway)).toBe('Anton Berg');
      },
      { expectedFaults: [/^POST .*\/sign-in: 401$/] },
    ));

  it('tell a person whom no team knows what an administrator needs', () =>
    visit(
      browser,
      async (page) => {
        await page.goto(`${gateway}/sign-in/sso`);
        await page.getByLabel('Name').fill('somebody');
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.getByRole('heading', { name: 'You are in no team' }).waitFor();
        expect(await page.innerText('main')).toContain(issuer.url);
        expect(await findAccessibilityFaults(page)).toEqual([]);
      },
      { expectedFaults: [/^GET .*\/sign-in\/team: 403$/] },
    ));

  it('take no answer of the issuer that this browser has not asked for', () =>
    visit(
      browser,
      async (page) => {
        expect((await page.goto(`${gateway}/sign-in/callback?code=guessed&state=guessed`))?.status()).toBe(400);
        expect(await findAccessibilityFaults(page)).toEqual([]);
        expect(await page.context().cookies(gateway)).toEqual([]);
      },
      { expectedFaults: [/^GET .*\/sign-in\/callback.*: 400$/] },
    ));

  it('take no form of another site', () =>
    visit(
      browser,
      async (page) => {
        await page.goto(`${gateway}/sign-in`);
        await page.goto(`${issuer.url}/people/nobody`);
        const fields = { team: 'meridian', user: 'anton.berg', password: product.environment['ANALYST_PASSWORD'] };
        const answered = page.waitForResponse(`${gateway}/sign-in`);
        await page.evaluate(`{
          const form = Object.assign(document.createElement('form'), { method: 'post', action: '${gateway}/sign-in' });
          for (const [name, value] of Object.entries(${JSON.stringify(fields)}))
            form.append(Object.assign(document.createElement('input'), { name, value }));
          document.body.append(form);
          form.submit();
        }`);
        expect((await answered).status()).toBe(403);
        expect((await page.context().cookies(gateway)).map(({ name }) => name)).not.toContain('tessera-session');
      },
      { expectedFaults: [/^POST .*\/sign-in: 403$/] },
    ));
});

describe('the issuer', () => {
  /** The gateway reads keys every five seconds at most; that is over by now, or soon. */
  const rereadAfterMs = 5_000;

  it('may sign with another key from one moment to the next', async () => {
    await waitUntil(() => Date.now() > issuer.keysReadAtMs() + rereadAfterMs);
    issuer.rotateKeys();
    await visit(browser, (page) => signIn(page, 'erika.mann'));
  });
});
