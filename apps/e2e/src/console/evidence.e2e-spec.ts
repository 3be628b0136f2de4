/** Evidence in the browser: from an answer in Figures to its record, asked again, saved, and opened by a colleague. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { memberOf, parseJson, textOf } from '../json.js';
import { getSharedProduct, type RunningProduct } from '../product.js';
import {
  chooseGerman,
  findFaultsInBothThemes,
  visitConsole,
  waitUntilLoaded,
  type PersonName,
} from './console-visit.js';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser?.close());

const visitAs = <Result>(
  person: PersonName,
  path: string,
  use: (page: Page) => Promise<Result>,
  faults: RegExp[] = [],
) => visitConsole(browser, { product, person, path, expectedFaults: faults }, use);

const figures = (search: Readonly<Record<string, string>>): string =>
  `/figures/p2p.base-km?${String(new URLSearchParams(search))}`;

/** Asks for evidence of the answer that is shown; answers the path of its page. */
const openEvidence = async (page: Page): Promise<string> => {
  await waitUntilLoaded(page);
  await page.getByRole('button', { name: 'Evidence', exact: true }).click();
  await page.getByRole('heading', { name: 'Evidence', level: 1 }).waitFor();
  await page.getByRole('heading', { name: 'To check it' }).waitFor();
  await waitUntilLoaded(page);
  return new URL(page.url()).pathname.replace('/console', '');
};
const textOfPage = (page: Page): Promise<string> => page.getByRole('main').innerText();

it('evidence of the maverick rate by plant says what was asked of which data, and a colleague reads the same', async () => {
  const asked = figures({ kpis: 'MAVERICK_RATE', fields: 'PURCHASE_ORDER.PLANT' });
  const path = await visitAs('analyst', asked, async (page) => {
    const evidence = await openEvidence(page);
    const text = await textOfPage(page);
    for (const told of ['Maverick buying', 'by Plant', 'anton.berg', 'po_item', 'Group by', 'Rows of'])
      expect(text).toContain(told);
    expect(text).toMatch(/\d+ rows/);
    expect(await findFaultsInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Same: the answer is the same now').waitFor();
    expect(await findFaultsInBothThemes(page)).toEqual([]);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save signed file' }).click(),
    ]);
    const saved = parseJson(readFileSync(await file.path(), 'utf8'));
    expect(evidence).toBe(`/evidence/${textOf(saved, 'statement', 'id')}`);
    expect(memberOf(saved, 'signature', 'algorithm')).toBe('Ed25519');
    return evidence;
  });
  await visitAs('viewer', path, async (page) => {
    await page.getByText('anton.berg').waitFor();
    await waitUntilLoaded(page);
    expect(await textOfPage(page)).toMatch(/\d+ rows/);
    const rows = page.getByRole('link', { name: /^Rows of/ });
    await rows.first().click();
    await page.getByRole('grid', { name: 'Rows' }).waitFor();
  });
});

it('evidence of a figure has its unit and its exact value, and shows hostile text as text, also in German', () => {
  const condition = `PURCHASE_ORDER.NOTE ne '<img src=x onerror=alert(1)> \u202eنص ${'x'.repeat(1_000)}'`;
  return visitAs('analyst', figures({ kpis: 'MAVERICK_RATE', where: JSON.stringify([condition]) }), async (page) => {
    await openEvidence(page);
    expect(await textOfPage(page)).toMatch(
      /Maverick buying[\s\S]*\d%[\s\S]*<img src=x onerror=alert\(1\)>[\s\S]*Exactly/,
    );
    expect(await page.locator('main img').count()).toBe(0);
    await chooseGerman(page, 'analyst');
    await page.getByRole('heading', { name: 'So wird gerechnet' }).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    expect(await findFaultsInBothThemes(page)).toEqual([]);
  });
});

it('evidence that is not there for a person says so, and the way on', () =>
  visitAs(
    'analyst',
    '/evidence/019aa0c4-6f00-7000-8000-5d2c1e7f9b10',
    async (page) => {
      await page.getByText('There is no evidence here for you').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('link', { name: 'Ask something in Figures' }).click();
      await page.waitForURL(/\/figures$/);
    },
    [/^GET .*\/evidence\/019a.*: 404$/],
  ));
