/** Tools called in the console, the log of one's own calls, and sessions that end elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { findFaultsInBothThemes, signInByForm, visitConsole, waitUntilLoaded } from './console-visit.js';
import { arrowTo, chooseByTyping, expectFocusKept, press, typeInto } from './keyboard.js';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser?.close());

const person = 'analyst';
const addressOf = (tool: string, given: object = {}): string =>
  `/tools/p2p-tools?${new URLSearchParams({ tool, arguments: JSON.stringify(given) }).toString()}`;

const fieldOf = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const callButtonOf = (page: Page) => page.getByRole('button', { name: 'Call', exact: true });
const call = (page: Page): Promise<void> => callButtonOf(page).click();
const resultOf = (page: Page) => page.getByRole('region', { name: 'Result', exact: true });
const refused = (tool: string, status: number): RegExp => new RegExp(`^POST .*/tool-api/${tool}: ${status}$`);

const expectAccessible = async (page: Page, name: string): Promise<void> => {
  expect([name, await findFaultsInBothThemes(page)]).toEqual([name, []]);
};

describe('a tool', () => {
  it('story 10: is called by its form; what is wrong is shown at its field, mended, and all of it is in the log', () =>
    visitConsole(
      browser,
      { product, person, path: '/tools', expectedFaults: [refused('load-data', 422)] },
      async (page) => {
        await page.getByRole('main').getByRole('link').first().waitFor();
        await expectAccessible(page, 'sets');
        await press(page, page.getByRole('main').getByRole('link').first());
        await press(page, page.getByRole('link', { name: 'Load figures' }));
        await press(page, page.getByRole('button', { name: /Add to .*columns/ }));
        const column = page.getByRole('combobox', { name: /columns/ });
        await chooseByTyping(page, column, 'MAVERICK_RATE', page.getByRole('option', { name: /MAVERICK_RATE/ }));
        await typeInto(page, fieldOf(page, /page_size/), '0');
        await press(page, callButtonOf(page));
        await page.getByText('expected to be >= 1').waitFor();
        // The focus is in it.
        await page.locator('input[aria-invalid="true"]:focus').waitFor();
        await expectAccessible(page, 'fault');

        await typeInto(page, fieldOf(page, /page_size/), '10');
        await press(page, callButtonOf(page));
        await resultOf(page).getByRole('gridcell').or(resultOf(page).getByRole('rowheader')).first().waitFor();
        expect(await resultOf(page).innerText()).toContain('4.2%');
        await expectAccessible(page, 'result');
        await page.waitForURL(/MAVERICK_RATE/);
        await page.reload();
        await column.waitFor();
        expect(await column.inputValue()).toBe('MAVERICK_RATE');

        await arrowTo(page, page.getByRole('tablist'), page.getByRole('tab', { name: 'My calls' }), 'ArrowRight');
        const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'load-data' });
        await rows.first().waitFor();
        expect(await rows.first().innerText()).toContain('Done');
        expect(await rows.nth(1).innerText()).toContain('TOOL_ARGUMENTS_INVALID');
        await arrowTo(page, page.getByRole('grid'), rows.first());
        await page.keyboard.press('Enter');
        const details = page.getByRole('dialog');
        await details.getByText('Request id').first().waitFor();
        await expectAccessible(page, 'log');
        await page.keyboard.press('Escape');
        await details.waitFor({ state: 'detached' });
        await rows.first().and(page.locator(':focus')).waitFor();
      },
    ));

  it('shows hostile text as text, in the form, the fault and the result', () => {
    const hostile = '<img src=x onerror=alert(1)> \u202eنص';
    const path = addressOf('search-data', { search_terms: [hostile] });
    return visitConsole(
      browser,
      { product, person, path, expectedFaults: [refused('search-data', 422)] },
      async (page) => {
        await page.setViewportSize({ width: 390, height: 900 });
        const term = fieldOf(page, /search_terms.* 1/);
        expect(await term.inputValue()).toBe(hostile);
        await call(page);
        await resultOf(page).getByText('<img src=x').first().waitFor();
        await term.fill('x'.repeat(10_000));
        await call(page);
        await page.getByText('expected at most 200 characters').waitFor();
        expect(await page.locator('img[src="x"]').count()).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      },
    );
  });

  it('says what another system answered when it fails', () => {
    const path = addressOf('block-invoice', { invoiceNo: '9999999999', reason: 'Paid before' });
    return visitConsole(
      browser,
      { product, person, path, expectedFaults: [refused('block-invoice', 502)] },
      async (page) => {
        await page.getByText('This tool acts in another system.').waitFor();
        await call(page);
        await page
          .getByRole('alert')
          .getByText(/status 404/)
          .waitFor();
        await page.getByRole('alert').getByText('Request id').waitFor();
      },
    );
  });

  it('is offered to clients by address and file, without a secret', () =>
    visitConsole(browser, { product, person, path: '/tools/p2p-tools?tab=connect' }, async (page) => {
      await page
        .getByText(/\/mcp-servers\/mcp\/p2p-tools$/)
        .first()
        .waitFor();
      await page.getByRole('tab', { name: 'Command line' }).click();
      expect(await fieldOf(page, 'Configuration file').inputValue()).not.toContain('AppKey');
      await page.getByRole('button', { name: /How it proves who you are/ }).click();
      await page.getByRole('option', { name: 'API key' }).click();
      expect(await fieldOf(page, 'Configuration file').inputValue()).toContain('"AppKey": "${TESSERA_KEY}"');
      await page.waitForURL(/client=terminal.*way=key/);
      await expectAccessible(page, 'connect');
    }));
});

describe('story 12: a session that is ended elsewhere', () => {
  const path = addressOf('find-content');
  const expectedFaults = [/^POST .*\/tool-api\/find-content: 401$/];

  const endOthers = (): Promise<void> =>
    visitConsole(browser, { product, person, path: '/sessions', isNewSession: true }, async (page) => {
      await page.getByText('This browser').waitFor();
      await expectAccessible(page, 'sessions');
      await press(page, page.getByRole('button', { name: 'End all others' }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'End all others' }));
      await page.getByText('You are signed in nowhere else.').waitFor();
      await expectFocusKept(page, 'after sessions were ended');
    });

  it('asks to sign in over the page, which goes on with what was typed', () =>
    visitConsole(browser, { product, person, path, expectedFaults, isNewSession: true }, async (page) => {
      await typeInto(page, fieldOf(page, /query/), 'invoice');
      await endOthers();
      await press(page, callButtonOf(page));
      await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      await signInByForm(page, person, product);
      await resultOf(page).getByRole('grid').waitFor();
      expect(await fieldOf(page, /query/).inputValue()).toBe('invoice');
      await waitUntilLoaded(page);
      await press(page, page.getByRole('button', { name: 'See it in the log' }));
      await page.getByRole('grid').getByRole('row').filter({ hasText: 'find-content' }).first().waitFor();
    }));
});
