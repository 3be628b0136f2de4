/** The administration of a team in the console, in a real browser, as the administrator of the demo. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tessera/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { consoleAddress, findFaultsInBothThemes, visitConsole, waitUntilLoaded } from './console-visit.js';
import { arrowTo, expectFocusKept, press, typeInto } from './keyboard.js';

/** Names of their own in a product that other specs use as well. */
const own = Date.now().toString(36);

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser?.close());

const administer = <Result>(
  path: string,
  use: (page: Page) => Promise<Result>,
  expectedFaults: readonly RegExp[] = [],
) => visitConsole(browser, { product, person: 'admin', path: `/administration/${path}`, expectedFaults }, use);

const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name });

/** Asks before it is done; the button of the question has the same words. */
const confirm = async (page: Page, words: string): Promise<void> => {
  await page.getByRole('button', { name: words, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: words, exact: true }).click();
};

const statusFor = async (key: string): Promise<number> => {
  const { status } = await fetch(`${product.gateways[0]}/me`, { headers: { AppKey: key } });
  return status;
};

describe('story 11: a key', () => {
  it('is made, shown once, used, revoked and refused', () =>
    administer('keys', async (page) => {
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await press(page, page.getByRole('link', { name: 'Make a key' }));
      await heading(page, 'Make a key').waitFor();
      const make = page.getByRole('button', { name: 'Make the key' });
      await press(page, make);
      await page.getByText('Choose at least one.').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await typeInto(page, page.getByRole('textbox', { name: 'Name' }), `Report ${own}`);
      await press(page, page.getByRole('checkbox', { name: /^Read content/ }), 'Space');
      await press(page, make);

      const shown = page.getByRole('alertdialog', { name: 'Your new key' });
      const key = await shown.locator('code').innerText();
      expect(await statusFor(key)).toBe(200);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await press(page, shown.getByRole('button', { name: 'I have kept it' }));

      await heading(page, `Report ${own}`).waitFor();
      expect(await placesOf(page, key)).toEqual([]);
      await page.goBack();
      await heading(page, 'Keys').waitFor();
      expect(await placesOf(page, key)).toEqual([]);

      await typeInto(page, page.getByRole('searchbox', { name: 'Search keys' }), own);
      await page.getByText(/^1 of /).waitFor();
      await arrowTo(page, page.getByRole('grid'), page.getByRole('row', { name: `Report ${own}` }));
      await page.keyboard.press('Enter');
      await press(page, page.getByRole('button', { name: 'Revoke', exact: true }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }));
      await page.getByText('revoked', { exact: true }).waitFor();
      await expectFocusKept(page, 'after a key was revoked');
      await waitUntil(async () => (await statusFor(key)) === 401);
    }));

  /** Where a page could still have it. */
  const placesOf = async (page: Page, secret: string): Promise<readonly string[]> => {
    const places: unknown = await page.evaluate(`({
      page: document.documentElement.outerHTML + [...document.querySelectorAll('input, textarea')].map((field) => field.value),
      address: location.href,
      history: JSON.stringify(history.state),
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    })`);
    return Object.entries(places ?? {}).flatMap(([place, text]) => (String(text).includes(secret) ? [place] : []));
  };
});

describe('a member', () => {
  const memberId = `erika.${own}`;
  const hostile = '<img src=x onerror="document.title=1"> \u202eسلمى\u202c Erika';

  it('is added with a hostile name, gets another role, is seen in the log, and is removed', () =>
    administer(
      'members',
      async (page) => {
        await waitUntilLoaded(page);
        expect(await findFaultsInBothThemes(page)).toEqual([]);
        await page.getByRole('link', { name: 'Add a member' }).click();
        await page.getByRole('textbox', { name: /^Id\b/ }).fill(memberId);
        await page.getByRole('textbox', { name: 'Display name' }).fill(hostile);
        await page.getByRole('button', { name: 'Add', exact: true }).click();

        await heading(page, hostile).waitFor();
        expect(await page.locator('main img').count()).toBe(0);
        await page.getByText('analyst', { exact: true }).click();
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('Talk to agents').waitFor();
        expect(await findFaultsInBothThemes(page)).toEqual([]);
        await page.getByRole('textbox', { name: 'New password' }).fill(`a password of ${own}`);
        await page.getByRole('button', { name: 'Set the password' }).click();
        await page.getByText(/^The password of .* was set\.$/).waitFor();

        await openChange(page, 'Member changed');
        await page.getByRole('dialog').getByText('analyst').waitFor();
        expect(await findFaultsInBothThemes(page)).toEqual([]);
        // The address has the line that is open.
        await page.reload();
        await page.getByRole('dialog').getByText('analyst').waitFor();
        await page.keyboard.press('Escape');

        await page.goto(consoleAddress(product, `/administration/members?q=${memberId}`));
        const row = page.getByRole('row', { name: hostile });
        await row.waitFor();
        expect(await page.locator('main img').count()).toBe(0);
        await row.click();
        await confirm(page, 'Remove');
        await page.getByText('Nothing matches.').or(heading(page, 'Members')).first().waitFor();
        await openChange(page, 'Member removed');
        await page.getByRole('dialog').getByText(hostile).waitFor();
      },
      // Whether there is such a member already.
      [new RegExp(`^GET .*/members/${memberId}: 404$`)],
    ));

  const openChange = async (page: Page, words: string): Promise<void> => {
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('searchbox', { name: 'Search who and what' }).fill(memberId);
    await page.waitForURL(/[?&]text=/);
    await page.getByRole('row').filter({ hasText: words }).first().click();
    await page.getByRole('dialog', { name: 'Access' }).waitFor();
  };
});

describe('with the keyboard alone', () => {
  it('a role is defined, opened and deleted', () =>
    administer('roles', async (page) => {
      // The last one of the list.
      const role = `z-buyer-${own}`;
      await press(page, page.getByRole('link', { name: 'Define a role' }));
      await typeInto(page, page.getByRole('textbox', { name: 'Name of the role' }), role);
      await press(page, page.getByRole('checkbox', { name: /^Read content/ }), 'Space');
      await press(page, page.getByRole('button', { name: 'Add', exact: true }));
      await heading(page, role).waitFor();
      await press(page, page.getByRole('link', { name: 'Roles' }).last());
      await heading(page, 'Roles').waitFor();
      const row = page.getByRole('row', { name: role });
      await row.waitFor();
      await arrowTo(page, page.getByRole('grid'), row, 'End');
      await page.keyboard.press('Enter');
      await heading(page, role).waitFor();
      await press(page, page.getByRole('button', { name: 'Delete', exact: true }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
      await heading(page, 'Roles').waitFor();
      await row.waitFor({ state: 'detached' });
    }));
});

describe('other pages', () => {
  it('show what was used of the limits, who called tools, and whether the services answer', () =>
    administer('limits', async (page) => {
      await page.getByRole('img', { name: /Requests of the team/ }).waitFor();
      await page.getByRole('row', { name: 'robert.novak' }).waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('link', { name: 'Audit' }).click();
      await page.getByRole('tab', { name: 'Content' }).click();
      await page.getByLabel('From', { exact: true }).focus();
      await page.keyboard.type('01022026');
      await page.waitForURL(/[?&]from=2026-01-02/);
      await page.getByRole('row').filter({ hasText: 'content.' }).first().click();
      await page.getByRole('dialog', { name: 'Content' }).waitFor();
      await page.keyboard.press('Escape');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('link', { name: 'Services' }).click();
      await page.getByText('Everything answers.').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    }));
});

it('an analyst does not see the area, and is refused in plain words at its address', () =>
  visitConsole(browser, { product, person: 'analyst', path: '/administration/keys' }, async (page) => {
    await page.getByText('You do not administer a team.').waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    expect(await findFaultsInBothThemes(page)).toEqual([]);
    await page.getByRole('link', { name: 'To the start page' }).click();
    await heading(page, 'Welcome').waitFor();
  }));
