/** The area Figures: from a question to charts and rows, its faults, its addresses, its records. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { visit } from '../browser/visit.js';
import { itemsOf, memberOf, parseJson, textOf } from '../json.js';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { callProduct } from '../test-storage.js';
import {
  chooseGerman,
  consoleAddress,
  findFaultsInBothThemes,
  visitConsole,
  waitUntilLoaded,
  type PersonName,
} from './console-visit.js';
import { chooseByTyping, expectFocusKept, press, typeInto } from './keyboard.js';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser?.close());

const model = '/figures/p2p.base-km';
const pathOf = (search: Readonly<Record<string, string>>): string => `${model}?${String(new URLSearchParams(search))}`;
const visitAs = (
  person: PersonName,
  path: string,
  use: (page: Page) => Promise<void>,
  faults: readonly RegExp[] = [],
) => visitConsole(browser, { product, person, path, expectedFaults: faults }, use);

/** What a client with a key is answered. */
const ask = async (address: string): Promise<unknown> => {
  const answer = await fetch(address, { headers: { AppKey: product.environment['DEMO_KEY'] ?? '' } });
  expect(answer.status).toBe(200);
  return parseJson(await answer.text());
};
const query = async (parameters: string): Promise<readonly unknown[]> =>
  itemsOf(
    await ask(`${product.gateways[0]}/intelligence/api/knowledge-models/p2p.base-km/query?${parameters}`),
    'content',
  );
const { format: percent } = new Intl.NumberFormat('en', {
  ...{ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
});

/** By a field that finds by typing; the record tells fields of the same name apart. */
const add = (page: Page, label: string, name: string, record = ''): Promise<void> => {
  const option = page.getByRole('option').filter({ hasText: name }).filter({ hasText: record });
  return chooseByTyping(page, page.getByRole('combobox', { name: label }), name, option.first());
};
/** Until the KPIs over all rows are there: what comes next would break off what is still asked. */
const waitForTotals = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Totals' }).waitFor();
  await waitUntilLoaded(page);
};
const chartOf = (page: Page): Locator => page.getByRole('list', { name: /Maverick buying.*by.*Plant/ });
const scopeOf = (page: Page): Locator => page.getByText(/^.?Of: /);

/** Each bar as its name and figure. */
const barsOf = async (chart: Locator): Promise<readonly string[]> =>
  (await chart.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s*\n\s*/).join(' '));

const maverickBars = async (): Promise<readonly string[]> =>
  (await query('kpis=MAVERICK_RATE&fields=PURCHASE_ORDER.PLANT')).map(
    (row) => `${String(memberOf(row, 'PURCHASE_ORDER.PLANT'))} ${percent(Number(memberOf(row, 'MAVERICK_RATE')))}`,
  );

describe('story 2: the maverick rate by plant', () => {
  it('is a chart, and leads to the rows behind it', () =>
    visitAs('analyst', '/figures', async (page) => {
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await press(page, page.getByRole('link', { name: /p2p\.base-km/ }));
      await waitUntilLoaded(page);
      await add(page, 'Add a KPI', 'Maverick buying');
      await waitForTotals(page);
      await add(page, 'Add a field', 'Plant', 'Purchase order');
      await chartOf(page).waitFor();
      expect(await barsOf(chartOf(page))).toEqual(await maverickBars());
      expect(await scopeOf(page).innerText()).toContain('all rows');
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);

      await press(page, chartOf(page).getByRole('button', { name: '2010' }));
      await press(page, page.getByRole('button', { name: 'Count all rows' }));
      const [items] = await query('kpis=ITEM_COUNT&filterExpr=PURCHASE_ORDER.PLANT%20eq%20%272010%27');
      await page.getByText(`of ${String(memberOf(items, 'ITEM_COUNT'))}`).waitFor();
      expect(await scopeOf(page).innerText()).toContain('Plant is 2010');
      await expectFocusKept(page, 'after rows were counted');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.goBack();
      await chartOf(page).waitFor();
    }));
});

describe('a KPI by the months of a date', () => {
  it('is a line, above a table of the same months', () =>
    visitAs('viewer', pathOf({ kpis: 'ITEM_COUNT', fields: 'PO_ITEM.ORDER_DATE:month' }), async (page) => {
      await page.getByRole('img', { name: /Order items.*by.*Order date/ }).waitFor();
      await page.getByRole('columnheader', { name: 'Order date, month' }).waitFor();
      await waitForTotals(page);
      expect(await page.getByRole('rowheader').first().innerText()).toBe('Jul 2024');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      // The legend of the line has headers as well.
      const items = page.getByRole('grid', { name: 'Rows' }).getByRole('columnheader', { name: 'Order items' });
      await items.click();
      await page.waitForURL(/sort=ITEM_COUNT/);
      await items.and(page.locator('[aria-sort="ascending"]')).waitFor();
    }));

  it('by suppliers has all of them in its charts, and each bar leads to the rows of its own KPI', () =>
    visitAs(
      'viewer',
      pathOf({ kpis: 'MAVERICK_RATE,LOST_DISCOUNT', fields: 'SUPPLIER.NAME', page: '1' }),
      async (page) => {
        const suppliers = await query('kpis=MAVERICK_RATE,LOST_DISCOUNT&fields=SUPPLIER.NAME&pageSize=1000');
        const lost = page.getByRole('list', { name: /Lost discount.*by/ }).getByRole('listitem');
        await lost.first().waitFor();
        expect(await lost.count()).toBe(Math.min(30, suppliers.length));
        await lost.first().getByRole('button').click();
        await page.waitForURL(/[?&]fields=PAYMENT\./);
        await waitUntilLoaded(page);
      },
    ));
});

describe('story 7: a condition with a fault', () => {
  it('is marked at its place and mended there, and what is typed elsewhere stays', () =>
    visitAs(
      'analyst',
      pathOf({ kpis: 'MAVERICK_RATE', fields: 'PURCHASE_ORDER.PLANT' }),
      async (page) => {
        await waitForTotals(page);
        const conditions = page.getByRole('region', { name: 'Conditions' });
        await press(page, conditions.getByRole('button', { name: 'Write as text' }));
        const further = conditions.getByRole('textbox', { name: 'Filter expression' }).last();
        await typeInto(page, further, "PURCHASE_ORDER.PLANT = '2010'");
        await press(page, conditions.getByRole('button', { name: 'Add condition' }));
        const fault = conditions.getByRole('alert');
        await fault.waitFor();
        expect(await fault.locator('mark').innerText()).toBe('=');
        expect(await fault.innerText()).toContain('write eq');
        await typeInto(page, further, 'half of a condi');
        expect(await findFaultsInBothThemes(page)).toEqual([]);
        const mended = conditions.getByRole('textbox', { name: 'Filter expression' }).first();
        await typeInto(page, mended, "PURCHASE_ORDER.PLANT eq '2010'");
        await page.keyboard.press('Enter');
        await chartOf(page).waitFor();
        await expectFocusKept(page, 'after a condition was mended');
        expect(await barsOf(chartOf(page))).toEqual((await maverickBars()).filter((bar) => bar.startsWith('2010')));
        expect(await further.inputValue()).toBe('half of a condi');
      },
      [/^GET .*\/data\?.*PLANT\+%3D.*: 400$/],
    ));
});

const late = {
  ...{ kpis: 'POSTING_LAG_DAYS', fields: 'GOODS_RECEIPT.PLANT', sort: '-POSTING_LAG_DAYS' },
  ...{ date: 'GOODS_RECEIPT.DELIVERED_ON', from: '2026-03-01', to: '2026-06-30', compare: 'before' },
};

describe('an address', () => {
  it('shows the plant that posts late, with the figure, and the same when it is opened anew', () =>
    visitAs('viewer', pathOf(late), async (page) => {
      const chart = page.getByRole('list', { name: /Posting lag.*by.*Plant/ });
      await waitForTotals(page);
      const bars = await barsOf(chart);
      expect(bars[0]).toBe('1020 8.8\u00a0days');
      const totals = await page.getByRole('region', { name: 'Totals' }).innerText();
      expect(totals).toContain('Before:');
      const anew = await page.context().newPage();
      await anew.goto(page.url());
      await waitForTotals(anew);
      expect(await barsOf(anew.getByRole('list', { name: /Posting lag.*by.*Plant/ }))).toEqual(bars);
      expect(await anew.getByRole('region', { name: 'Totals' }).innerText()).toBe(totals);
      expect(await findFaultsInBothThemes(anew)).toEqual([]);
    }));

  it('story 8: of OData is copied, and a client with a key is answered the same', () =>
    visitAs('analyst', pathOf({ kpis: 'MAVERICK_RATE', fields: 'PURCHASE_ORDER.PLANT' }), async (page) => {
      await waitForTotals(page);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const opener = page.getByRole('button', { name: 'Use elsewhere' });
      await press(page, opener);
      const odata = page.getByRole('region', { name: 'OData address' });
      await press(page, odata.getByRole('button'));
      await odata.getByRole('button', { name: 'Copied' }).waitFor();
      const address = await page.evaluate('navigator.clipboard.readText()');
      const entries = itemsOf(await ask(String(address)), 'value');
      const bars = entries.map(
        (entry) =>
          `${String(memberOf(entry, 'PURCHASE_ORDER', 'PLANT'))} ${percent(Number(memberOf(entry, 'MAVERICK_RATE')))}`,
      );
      expect(bars).toEqual(await maverickBars());
      expect(await page.getByRole('region', { name: 'Command line' }).innerText()).toContain('AppKey: $API_KEY');
      const call = parseJson(await page.getByRole('region', { name: 'Tool call' }).locator('code').innerText());
      expect(memberOf(call, 'columns')).toEqual(['PURCHASE_ORDER.PLANT', 'MAVERICK_RATE']);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        press(page, page.getByRole('link', { name: 'Download all rows' })),
      ]);
      expect(file.suggestedFilename()).toMatch(/\.csv$/);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await opener.and(page.locator(':focus')).waitFor();
    }));

  it('with hostile text shows it as text', () =>
    visitAs(
      'analyst',
      pathOf({
        fields: 'PURCHASE_ORDER.ORDER_NO',
        where: JSON.stringify([`PURCHASE_ORDER.NOTE ne '<img src=x onerror=alert(1)> \u202eنص ${'x'.repeat(1_000)}'`]),
      }),
      async (page) => {
        await page.getByRole('grid', { name: 'Rows' }).waitFor();
        expect(await scopeOf(page).innerText()).toContain('<img src=x onerror=alert(1)>');
        expect(await page.locator('main img').count()).toBe(0);
        await page.setViewportSize({ width: 390, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
      },
    ));
});

describe('a model', () => {
  it('shows its records as a drawing, and its KPIs and filters with what they mean', () =>
    visitAs('analyst', pathOf({ tab: 'records', record: 'PO_ITEM' }), async (page) => {
      const drawing = page.getByRole('region', { name: 'Records and their relationships' });
      await drawing.waitFor();
      expect(await drawing.getByRole('button').count()).toBe(7);
      await page.getByRole('heading', { name: 'Purchase order item' }).waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await drawing.getByRole('button', { name: 'Supplier' }).click();
      await page.getByRole('heading', { name: 'Supplier', exact: true }).waitFor();
      expect(page.url()).toContain('record=SUPPLIER');
      await page.getByRole('tab', { name: 'KPIs and filters' }).click();
      await page.getByRole('searchbox').fill('maverick');
      await page.getByText('Items that nobody had asked for').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await chooseGerman(page, 'analyst');
      await page.getByRole('button', { name: 'Fragen' }).first().click();
      await page.getByText('Betrachtet:').waitFor();
      await waitUntilLoaded(page);
      expect(await page.getByRole('region', { name: 'Gesamt' }).innerText()).toMatch(/\d,\d\s%/);
    }));
});

describe('an explanation', () => {
  it('is for who may administer the team, and tells what is hidden and how rows are read', async () => {
    const asked = { team: 'meridian', name: 'figures', scopes: ['admin', 'knowledge-models:read'] };
    const { document } = await callProduct(product, 'ADMIN_KEY', 'POST', '/admin/keys', asked);
    const path = pathOf({ kpis: 'MAVERICK_RATE', fields: 'PURCHASE_ORDER.PLANT' });
    await visit(
      browser,
      async (page) => {
        await page.goto(consoleAddress(product, path));
        await page.getByRole('tab', { name: 'API key' }).click();
        await page.getByLabel('API key', { exact: true }).and(page.locator('input')).fill(textOf(document, 'key'));
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await waitForTotals(page);
        await page.getByRole('button', { name: 'Explain', exact: true }).click();
        const dialog = page.getByRole('dialog', { name: 'Explain' });
        await dialog.getByText('SUPPLIER.BANK_ACCOUNT').waitFor();
        expect(await dialog.locator('code').innerText()).toContain('select "PURCHASE_ORDER"."plant", avg(');
        expect(await findFaultsInBothThemes(page)).toEqual([]);
      },
      { expectedFaults: [/^GET .*\/me: 401$/] },
    );
    await callProduct(product, 'ADMIN_KEY', 'POST', `/admin/keys/${textOf(document, 'keyId')}/revoke`);
  });

  it('tells others what restricts them, whose totals are searched as their rows are', () =>
    visitAs('analyst', pathOf({ kpis: 'ITEM_COUNT', fields: 'PO_ITEM.PLANT', search: '2010' }), async (page) => {
      await waitForTotals(page);
      const [items] = await query('kpis=ITEM_COUNT&filterExpr=PO_ITEM.PLANT%20eq%20%272010%27');
      const chart = page.getByRole('list', { name: /Order items.*by.*Plant/ });
      expect(await barsOf(chart)).toContain(`2010 ${String(memberOf(items, 'ITEM_COUNT'))}`);
      await page.getByRole('button', { name: 'Explain', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Explain' });
      await dialog.getByText('In your own view.').waitFor();
      await dialog.getByText('Purchase order item', { exact: true }).waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await chart.getByRole('button', { name: '2010' }).click();
      await page.getByRole('grid', { name: 'Rows' }).waitFor();
    }));
});
