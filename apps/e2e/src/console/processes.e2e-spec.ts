/** The area Processes as people use it: the process house in their language, versions side by side, and how it was before. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { itemsOf, memberOf, parseJson, textOf } from '../json.js';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { callProduct, type ApiAnswer } from '../test-storage.js';
import { accountButtonOf, findFaultsInBothThemes, visitConsole, waitUntilLoaded } from './console-visit.js';
import { arrowTo, chooseFrom, press, typeInto } from './keyboard.js';

const house = '/processes/meridian/p2p';
const houseApi = '/meridian/p2p/_api/rest/facets/processes';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser.close());

/** A row of the tree, by its name from the beginning. */
const rowOf = (page: Page, name: string) => page.getByRole('treegrid').getByRole('row', { name, exact: true });

type Step = { readonly id: string; readonly name: string };

/** The way from a root to the first element without a German name, by the names that are shown in German. */
const wayToGap = (elements: readonly unknown[]): readonly Step[] | undefined => {
  for (const element of elements) {
    const names = memberOf(element, 'attributes', 'name');
    const german = textOf(names, '1031');
    const step = { id: textOf(element, 'id'), name: german === '' ? textOf(names, '1033') : german };
    if (german === '') return [step];
    const below = wayToGap(itemsOf(element, 'children'));
    if (below !== undefined) return [step, ...below];
  }
  return undefined;
};

const readWayToGap = async (): Promise<readonly Step[]> => {
  const resources = '$resources=attributes&$resources=children&$select=name';
  const { document } = await callProduct(product, 'DEMO_KEY', 'GET', `${houseApi}/reporting?${resources}`);
  const way = wayToGap(itemsOf(document, 'values'));
  if (way === undefined) throw new Error('Every element of the demo has a German name.');
  return way;
};

describe('story 4: the process house', () => {
  it('is in German, with a gap shown as a gap', async () => {
    const way = await readWayToGap();
    const gap = way.at(-1)?.name ?? '';
    await visitConsole(browser, { product, person: 'viewer', path: '/processes' }, async (page) => {
      await chooseFrom(page, accountButtonOf(page, 'viewer'), page.getByRole('menuitemradio', { name: 'Deutsch' }));
      await page.locator('html[lang="de"]').waitFor();
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.evaluate('window.isSamePage = true');
      await press(page, page.getByRole('main').getByRole('link', { name: 'Prozesse', exact: true }).first());
      await rowOf(page, way[0]?.name ?? '').waitFor();
      // A link leads there without loading everything again, also by the enter key.
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      await walkToGap(page, way);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      // What is open is in the address.
      await page.reload();
      await rowOf(page, gap).waitFor();
      await waitUntilLoaded(page);
      await arrowTo(page, page.getByRole('treegrid'), rowOf(page, gap));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: gap }).waitFor();
      await page.getByRole('heading', { name: 'Texte' }).waitFor();
      await waitUntilLoaded(page);
      expect(await page.getByRole('main').innerText()).toMatch(/Fehlt auf .?Deutsch/);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    });
  });
});

/** Opens node after node by the arrow keys, until the one without a German name is seen. */
const walkToGap = async (page: Page, way: readonly Step[]): Promise<void> => {
  for (const { name } of way.slice(0, -1)) {
    await arrowTo(page, page.getByRole('treegrid'), rowOf(page, name));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('row', { name, exact: true, expanded: true }).waitFor();
    await waitUntilLoaded(page);
  }
  const row = rowOf(page, way.at(-1)?.name ?? '');
  await row.getByText(/^Fehlt auf .?Deutsch/).waitFor();
};

describe('the search', () => {
  it('story 5: leads to an element, its figures, and two of its versions side by side', () =>
    visitConsole(browser, { product, person: 'author', path: house }, async (page) => {
      await waitUntilLoaded(page);
      await typeInto(page, page.getByRole('searchbox'), 'verify invoices');
      const found = page.getByRole('main').getByRole('link', { name: 'Verify invoices', exact: true });
      await found.first().waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await press(page, found.first());
      await page.getByRole('heading', { level: 1, name: 'Verify invoices' }).waitFor();
      // Computed now: what docs/demo.md has of the small demo.
      await page.getByText(/^17,459\.3.EUR$/).waitFor();
      await waitUntilLoaded(page);
      await compareVersions(page);
    }));
});

const compareVersions = async (page: Page): Promise<void> => {
  await arrowTo(page, page.getByRole('tablist'), page.getByRole('tab', { name: 'Versions' }), 'ArrowRight');
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.getByText('automatically').first().waitFor();
  await chooseFrom(page, page.getByRole('button', { name: /Before/ }), page.getByRole('option', { name: /1\.0/ }));
  await differences.locator('del', { hasText: 'Check' }).first().waitFor();
  await waitUntilLoaded(page);
  expect(await findFaultsInBothThemes(page)).toEqual([]);
  // Both versions are in the address.
  await page.reload();
  await differences.locator('del', { hasText: 'Check' }).first().waitFor();
  await waitUntilLoaded(page);
};

/** Markup, text from right to left, and far more characters than fit anywhere. */
const hostileName = `<img src=x onerror="document.title='run'"> \u202eنص ${'long '.repeat(2_000)}`;

const trial = { collection: 'reading', id: 'processes' };
const trialApi = `/${trial.collection}/${trial.id}/_api/rest`;
const trialDefinition = {
  ...{ kind: 'Storage', ...trial, title: 'Read in the console', cultures: [1033, 1031], defaultCulture: 1033 },
  facets: [{ name: 'areas', displayNames: { 1033: 'Areas' } }],
  types: [
    {
      ...{ name: 'area', facet: 'areas', displayNames: { 1033: 'Area' }, childTypes: ['area'] },
      attributes: [{ name: 'name', localised: true }],
    },
  ],
};

const done = ({ status, document }: ApiAnswer): unknown => {
  if (status >= 300) throw new Error(`Refused: ${JSON.stringify(document)}`);
  return document;
};

const createTrialStorage = async (): Promise<void> => {
  const imports = `/admin/teams/meridian/storages/${trial.collection}/${trial.id}/imports`;
  const begun = done(await callProduct(product, 'ADMIN_KEY', 'POST', imports, { definition: trialDefinition }));
  done(await callProduct(product, 'ADMIN_KEY', 'POST', `${imports}/${textOf(begun, 'importId')}/commit`));
};

const writeName = async (name: string, id?: string): Promise<string> => {
  const path = `${trialApi}/facets/areas/views/detail/elements`;
  const element = { ...(id === undefined ? { type: 'area' } : { id }), attributes: { name: { 1033: name } } };
  const headers = { 'Idempotency-Key': randomUUID() };
  const written = done(await callProduct(product, 'DEMO_KEY', 'POST', path, { elements: [element] }, { headers }));
  return textOf(written, 'elements', 0, 'id');
};

const lastChangeOf = async (id: string): Promise<string> => {
  const changes = `/admin/teams/meridian/storages/${trial.collection}/${trial.id}/changes?elementId=${id}`;
  return textOf(done(await callProduct(product, 'ADMIN_KEY', 'GET', changes)), 'changes', 0, 'changedAt');
};

describe('a storage that changes', () => {
  beforeAll(createTrialStorage);

  it('is shown as it was before a change, and as it is now', async () => {
    const id = await writeName('The first name');
    const at = await lastChangeOf(id);
    await writeName('The second name', id);
    const path = `/processes/${trial.collection}/${trial.id}/areas/${id}?at=${at}`;
    // Before the storage was made there was nothing, which the server says with 404.
    const expectedFaults = [/asOf=2001-.*: 404$/];
    await visitConsole(browser, { product, person: 'author', path, expectedFaults }, async (page) => {
      await page.getByRole('heading', { level: 1, name: 'The first name' }).waitFor();
      await page.getByText('You see the state of').waitFor();
      await waitUntilLoaded(page);
      await page.getByRole('button', { name: 'History' }).click();
      await page.getByLabel('Moment').fill('2001-02-03T10:00');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText('This was not there at').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('button', { name: 'Back to now' }).click();
      await page.getByRole('heading', { level: 1, name: 'The second name' }).waitFor();
      await waitUntilLoaded(page);
      expect(new URL(page.url()).search).toBe('');
    });
  });

  it('shows names as text, however hostile they are', async () => {
    const id = await writeName(hostileName);
    const path = `/processes/${trial.collection}/${trial.id}`;
    await visitConsole(browser, { product, person: 'viewer', path }, async (page) => {
      const row = page.getByRole('treegrid').getByRole('row', { name: /^<img src=x/ });
      await row.waitFor();
      expect(await hasPlace(page)).toBe(true);
      await row.press('Enter');
      await page.getByRole('heading', { level: 1, name: /^<img src=x/ }).waitFor();
      await waitUntilLoaded(page);
      for (const width of [390, 1_600]) {
        await page.setViewportSize({ width, height: 900 });
        expect([width, await hasPlace(page)]).toEqual([width, true]);
      }
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.title()).not.toBe('run');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    });
    const remove = `${trialApi}/facets/areas/views/detail/elements/${id}/delete`;
    done(await callProduct(product, 'DEMO_KEY', 'POST', remove));
  });
});

/** Nothing is wider than the page. */
const hasPlace = async (page: Page): Promise<boolean> =>
  parseJson(
    String(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')),
  ) === true;
