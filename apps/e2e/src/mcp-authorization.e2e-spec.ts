/**
 * An MCP client that knows nothing but the address of a server: the official SDK registers, sends its user through a real browser, and
 * works with what the user has allowed.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mcpPrefix } from '@tessera/contracts/tool-gateway';
import { findFreePort } from '@tessera/local-stack';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { signInAsAnalyst } from './browser/people.js';
import { findAccessibilityFaults, visit } from './browser/visit.js';
import { parseJson, textOf } from './json.js';
import { clientName, startOAuthClient, type OAuthClient } from './mcp/oauth-client.js';
import { runAuthorizationConformance } from './mcp/run-conformance.js';
import { generations } from './mcp/sdk-clients.js';
import { getSharedProduct, type RunningProduct } from './product.js';

const asset = 'p2p-tools';
const callbackAddress = /^http:\/\/127\.0\.0\.1:\d+\/callback\?/;

let product: RunningProduct;
let gateway: string;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
  [gateway = ''] = product.gateways;
});
afterAll(() => browser.close());

const addressOf = (name: string): URL => new URL(`${gateway}${mcpPrefix}/${name}`);

/** Signs in where it is led to, and waits for the question. */
const openConsent = async (page: Page, address: string): Promise<void> => {
  await page.goto(address);
  await page.waitForURL('**/sign-in?*');
  expect(await findAccessibilityFaults(page)).toEqual([]);
  await signInAsAnalyst(page, product);
  await page.waitForURL('**/oauth2/consent/*');
};

const answer = async (page: Page, button: 'Allow' | 'Do not allow'): Promise<URL> => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.waitForURL(callbackAddress);
  return new URL(page.url());
};

const allow = (program: OAuthClient) => (): Promise<URL> =>
  visit(browser, async (page) => {
    await openConsent(page, program.destination());
    return answer(page, 'Allow');
  });
const nobody = (): Promise<URL> => Promise.reject(new Error('The program sent its user to sign in again.'));

const withProgram = async (use: (program: OAuthClient) => Promise<void>): Promise<void> => {
  const program = await startOAuthClient();
  try {
    await use(program);
  } finally {
    program.stop();
  }
};

const statusAt = async (address: URL, program: OAuthClient): Promise<number> => {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      ...{ Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' },
      Authorization: `Bearer ${program.kept.tokens?.access_token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await response.text();
  return response.status;
};

describe.each(generations)('the official client, %s', (_, connect) => {
  const load = { name: 'load-data', arguments: { columns: ['MAVERICK_RATE'] } };

  it('registers, is allowed in by the analyst, lists and calls, and refreshes', () =>
    withProgram(async (program) => {
      const address = addressOf(asset);
      const connection = await connect(address, program, allow(program));
      const { tools } = await connection.listTools();
      expect(tools.map(({ name }) => name)).toContain(load.name);
      expect(await connection.callTool(load)).toMatchObject({ structuredContent: { total: 1 } });
      const first = program.kept.tokens;
      if (!first) throw new Error('The program has no tokens.');
      // As if its ten minutes were over.
      program.kept.tokens = { ...first, access_token: 'expired' };
      expect(await connection.callTool(load)).toMatchObject({ structuredContent: { total: 1 } });
      expect(program.kept.tokens?.refresh_token).not.toBe(first.refresh_token);
      await connection.close();
      // What it keeps is enough the next time.
      const again = await connect(address, program, nobody);
      expect((await again.listTools()).tools).toEqual(tools);
      await again.close();
    }));

  it('is refused at another MCP server, and everywhere once its token is revoked', () =>
    withProgram(async (program) => {
      await (await connect(addressOf(asset), program, allow(program))).close();
      expect(await statusAt(addressOf(asset), program)).toBe(200);
      expect(await statusAt(addressOf('mcp-conformance'), program)).toBe(401);
      const { information, tokens } = program.kept;
      const revoked = await fetch(`${gateway}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: tokens?.refresh_token ?? '', client_id: information?.client_id ?? '' }),
      });
      expect(revoked.status).toBe(200);
      expect(await statusAt(addressOf(asset), program)).toBe(401);
      await expect(connect(addressOf(asset), program, nobody)).rejects.toThrow('sent its user to sign in again');
    }));
});

describe('the page that asks', () => {
  const [[, connect]] = generations;
  /** Where a program wants its user. */
  const destinationOf = async (program: OAuthClient): Promise<string> => {
    await connect(addressOf(asset), program, nobody).catch(() => undefined);
    return program.destination();
  };

  it('says who asks, for what, in which team, and where the answer goes', () =>
    withProgram(async (program) => {
      const destination = await destinationOf(program);
      const shown = await visit(browser, async (page) => {
        await openConsent(page, destination);
        expect(await findAccessibilityFaults(page)).toEqual([]);
        return page.innerText('body');
      });
      const { host } = new URL(program.provider.redirectUrl);
      for (const part of [clientName, 'Meridian', 'Anton Berg', asset, 'tools:execute', host])
        expect(shown).toContain(part);
    }));

  it('sends a refusal back to the program, which is not connected', () =>
    withProgram(async (program) => {
      const destination = await destinationOf(program);
      const back = await visit(browser, async (page) => {
        await openConsent(page, destination);
        return answer(page, 'Do not allow');
      });
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        ...{ error: 'access_denied', state: program.kept.state, iss: gateway },
      });
      expect(back.searchParams.get('code')).toBeNull();
    }));

  it.each([
    ['another redirect address', { redirect_uri: 'http://127.0.0.1:1/elsewhere' }],
    ['an unknown client', { client_id: 'somebody' }],
  ])('is a page of its own for %s, and leads nowhere', (_, parameters) =>
    withProgram(async (program) => {
      const destination = new URL(await destinationOf(program));
      for (const [name, value] of Object.entries(parameters)) destination.searchParams.set(name, value);
      const open = async (page: Page) => {
        expect((await page.goto(destination.href))?.status()).toBe(400);
        expect(new URL(page.url()).origin).toBe(gateway);
        expect(await findAccessibilityFaults(page)).toEqual([]);
      };
      await visit(browser, open, { expectedFaults: [/oauth2\/authorize.*: 400$/] });
    }),
  );
});

describe('the conformance runner', () => {
  it('finds no failure of the authorization server', async () => {
    const port = await findFreePort();
    const registration = await fetch(`${gateway}/oauth2/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ client_name: 'The conformance runner', redirect_uris: [`http://127.0.0.1:${port}/callback`] },
        token_endpoint_auth_method: 'none',
      }),
    });
    const clientId = textOf(parseJson(await registration.text()), 'client_id');
    const target = { issuer: gateway, resource: addressOf(asset).href, clientId, port };
    const { exitCode, output, scenarios } = await runAuthorizationConformance(target, (address) =>
      visit(browser, async (page) => {
        await openConsent(page, address);
        await answer(page, 'Allow');
      }),
    );
    if (exitCode !== 0) throw new Error(output);
    expect(scenarios.map(({ name, checks }) => [name, checks.map(({ status }) => status)])).toEqual([
      ['authorization-code-grant', ['SUCCESS']],
      ['authorization-server-metadata-endpoint', ['SUCCESS', 'SUCCESS']],
    ]);
  });
});
