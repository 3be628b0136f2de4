import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@tessera/local-stack';
import { testRunFolder } from '@tessera/testing';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { findAccessibilityFaults, visit } from './visit.js';

const document = (body: string): string =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>${body}</main></body></html>`;

const pages: Readonly<Record<string, string>> = {
  '/good': document('<p id="visitor">Nobody</p>'),
  '/dark': document('<p style="color: #999; background: #aaa">Hard to read</p><input>'),
  '/script': document('<script>throw new Error("The script is wrong.")</script>'),
  '/console': document('<script>console.error("Something is wrong.")</script>'),
  '/policy': document('<script>document.title = "Done by a script"</script>'),
  '/image': document('<img src="/nothing.png" alt="Nothing">'),
  '/unreachable': document('<img src="http://127.0.0.1:1/nothing.png" alt="Nothing">'),
  '/links': document('<a href="/empty">Nowhere</a> <a href="/file">A file</a> <a href="/good">A page</a>'),
  '/waiting': document('<a href="/good">A page</a><script>fetch("/endless")</script>'),
};

/** Answers that show no page; what is endless is never answered. */
const withoutPage: Readonly<Record<string, (answer: ServerResponse) => void>> = {
  '/empty': (answer) => void answer.writeHead(204).end(),
  '/file': (answer) => void answer.writeHead(200, { 'Content-Disposition': 'attachment' }).end('Kept'),
  '/endless': () => undefined,
};

const server = createServer(({ url = '', headers }, answer) => {
  const answerOf = withoutPage[url];
  if (answerOf !== undefined) return answerOf(answer);
  const page = pages[url];
  answer.writeHead(page === undefined ? 404 : 200, {
    'Content-Type': 'text/html',
    'Set-Cookie': 'visitor=Ann',
    ...(url === '/policy' && { 'Content-Security-Policy': "default-src 'none'" }),
  });
  answer.end(page?.replace('Nobody', headers.cookie ?? 'Nobody'));
});

let origin: string;
let browser: Browser;
beforeAll(async () => {
  const port = await findFreePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${port}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

const open = (path: string, ...expectedFaults: readonly RegExp[]) =>
  visit(browser, async (page) => (await page.goto(origin + path))?.status(), { expectedFaults });

describe('a visit', () => {
  it('shows pages and keeps its cookies from other visits', async () => {
    for (const attempt of ['first', 'second'])
      await visit(browser, async (page) => {
        await page.goto(`${origin}/good`);
        expect([attempt, await page.textContent('#visitor')]).toEqual([attempt, 'Nobody']);
        await page.reload();
        expect(await page.textContent('#visitor')).toBe('visitor=Ann');
      });
  });

  it.each([
    ['/script', /^script: The script is wrong\.$/],
    ['/console', /^console: Something is wrong\.$/],
    ['/policy', /^console: .*Content Security Policy/],
    ['/image', /^GET .*\/nothing\.png: 404$/],
    ['/unreachable', /^GET .*:1\/nothing\.png: net::ERR_/],
    ['/nowhere', /^GET .*\/nowhere: 404$/],
  ])('of %s fails for what the browser sees there, unless the spec names it', async (path, fault) => {
    const found = await open(path).catch(({ message }: Error) => message.split('\n').slice(1));
    expect(found).toEqual([expect.stringMatching(fault)]);
    await expect(open(path, fault)).resolves.toBe(path === '/nowhere' ? 404 : 200);
  });

  it.each([
    ['Nowhere', '/empty'],
    ['A file', '/file'],
  ])('fails when a link to a page (%s) shows none', async (name, path) => {
    const follow = (...expectedFaults: readonly RegExp[]) =>
      visit(
        browser,
        async (page) => {
          await page.goto(`${origin}/links`);
          await Promise.all([page.waitForEvent('requestfailed'), page.getByRole('link', { name }).click()]);
        },
        { expectedFaults },
      );
    const fault = new RegExp(`GET .*${path}: net::ERR_ABORTED`);
    await expect(follow()).rejects.toThrow(fault);
    await follow(fault);
  });

  it('does not fail for what a page no longer waits for when it is left', () =>
    visit(browser, async (page) => {
      await Promise.all([page.waitForRequest(/endless$/), page.goto(`${origin}/waiting`)]);
      await Promise.all([page.waitForEvent('requestfailed'), page.getByRole('link', { name: 'A page' }).click()]);
      await page.locator('#visitor').waitFor();
    }));

  it('fails when a fault that is expected does not come', async () => {
    await expect(open('/good', /404$/)).rejects.toThrow('expected, not seen: /404$/');
  });
});

describe('the accessibility of a page', () => {
  it('is looked at again in other colours by the rules about colours alone', async () => {
    const found = await visit(browser, async (page) => {
      await page.goto(`${origin}/dark`);
      await findAccessibilityFaults(page);
      return findAccessibilityFaults(page, 'colours');
    });
    expect(found).toEqual([expect.stringContaining('color-contrast: ')]);
  });

  it.each([
    ['/good', []],
    ['/dark', ['color-contrast: ', 'label: ']],
  ])('%s has the faults %j', async (path, faults) => {
    const found = await visit(browser, async (page) => {
      await page.goto(origin + path);
      return findAccessibilityFaults(page);
    });
    expect(found).toEqual(faults.map((fault) => expect.stringContaining(fault)));
  });
});

describe('the program', () => {
  it('is unpacked once into an empty cache folder by two at once', async () => {
    const cache = mkdtempSync(join(testRunFolder(), 'cache-'));
    const environment = { ...process.env, TESSERA_CACHE: cache };
    const browsers = await Promise.all([launchBrowser(environment), launchBrowser(environment)]);
    expect(browsers.map((each) => each.isConnected())).toEqual([true, true]);
    await Promise.all(browsers.map((each) => each.close()));
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^chromium-\d+\.\d+\.\d+-linux-x64$/)]);
    rmSync(cache, { recursive: true });
  });

  it('is the one of CHROMIUM_PATH where that is set', async () => {
    await expect(launchBrowser({ CHROMIUM_PATH: '/nowhere/chromium' })).rejects.toThrow('/nowhere/chromium');
  });
});
