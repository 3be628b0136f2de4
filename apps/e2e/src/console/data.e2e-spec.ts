/** The area Data as people use it: a file with bad lines that is mended and loaded, and a model whose versions are compared and published. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { callProduct } from '../test-storage.js';
import { findFaultsInBothThemes, visitConsole, waitUntilLoaded } from './console-visit.js';
import { arrowTo, press, typeInto } from './keyboard.js';

/** Names of this run: tables and models of others are left alone. A table without rows for anybody else is left behind. */
const run = randomUUID().slice(0, 8);
const schema = 'console_trial';

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser.close());

const definitionsPath = '/admin/teams/meridian/knowledge-models';

const apply = async (definition: object, mode: 'publish' | 'draft' = 'publish'): Promise<void> => {
  const { status, document } = await callProduct(product, 'ADMIN_KEY', 'POST', definitionsPath, {
    definitions: [definition],
    mode,
  });
  if (status !== 200) throw new Error(`Refused: ${JSON.stringify(document)}`);
};

/** Markup, text from right to left, and far more characters than fit anywhere. */
const hostileText = `<img src=x onerror="document.title='run'"> \u202eنص ${'long '.repeat(700)}`;

/** Nothing is wider than the page, and no text has become markup. */
const expectHarmless = async (page: Page): Promise<void> => {
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')).toBe(
      true,
    );
  }
  expect(await page.locator('main img').count()).toBe(0);
  expect(await page.title()).not.toBe('run');
};

const csvFile = (name: string, lines: readonly string[]) => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`) },
});

const rowCount = 300;
/** Semicolons, a line break in quotes, hostile text, and two values that do not fit far behind the first rows. */
const orders = csvFile(`orders-${run}.csv`, [
  'Order No.;Net amount;Ordered on;Note',
  ...Array.from({ length: rowCount }, (_, at) => {
    const note = at === 0 ? `"${hostileText.replaceAll('"', '""')}"` : at === 3 ? '"two\r\nlines"' : '';
    const amount = at === 249 ? '12,5x' : '10.5';
    return `${at + 1};${amount};${at === 279 ? '31.12.2026' : '2026-06-30'};${note}`;
  }),
]);

const text = async (place: Locator): Promise<string> =>
  (await place.innerText()).replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ');

describe('story 9: a CSV file', () => {
  it('with two bad lines is refused by line, mended and loaded into a table that is made for it', async () => {
    const table = `orders_${run}`;
    const visited = { product, person: 'admin', path: '/data', expectedFaults: [/^POST .*\/rows: 400$/] } as const;
    await visitConsole(browser, visited, async (page) => {
      const main = page.getByRole('main');
      await page.getByRole('row', { name: /p2p\.po_item/ }).waitFor();
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      const chooser = page.waitForEvent('filechooser');
      await press(page, main.getByRole('button', { name: 'Choose a file…' }));
      await (await chooser).setFiles(orders);

      await typeInto(page, page.getByRole('textbox', { name: 'Schema' }), schema);
      await typeInto(page, page.getByRole('textbox', { name: 'Name of the table' }), table);
      expect(await page.getByRole('textbox', { name: 'Net amount' }).inputValue()).toBe('net_amount');
      await main.getByText('<img src=x').first().waitFor();
      await expectHarmless(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await press(page, page.getByRole('button', { name: 'Create the table and load' }));

      await page.getByRole('heading', { name: 'Nothing was loaded' }).waitFor();
      // The header, and the line break in quotes before them.
      const lineOf = (line: number): Locator => page.getByRole('textbox', { name: `Line ${line}` });
      const said = await text(main);
      expect(said).toContain('Line 252, column net_amount "12,5x" is not a number');
      expect(said).toContain('Line 282, column ordered_on "31.12.2026" is not a date, e.g. 2026-06-30');
      expect(await lineOf(252).inputValue()).toBe('250;12,5x;2026-06-30;');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await typeInto(page, lineOf(252), '250;12.5;2026-06-30;');
      await typeInto(page, lineOf(282), '280;10.5;2026-12-31;');
      await press(page, page.getByRole('button', { name: 'Load with these lines' }));

      await main.getByText(`${rowCount} rows were loaded.`).waitFor();
      await press(page, page.getByRole('link', { name: 'Open the table' }));
      await page.getByRole('heading', { level: 1, name: table }).waitFor();
      await main.getByText(`${rowCount} rows`, { exact: true }).waitFor();
      expect(await text(main)).toContain('Loaded by robert.novak');
      await arrowTo(page, page.getByRole('tablist'), page.getByRole('tab', { name: 'Loads' }), 'ArrowRight');
      await page.getByRole('listitem').filter({ hasText: 'Refused' }).getByText('2 faults').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    });
  });
});

describe('the rows of a table', () => {
  it('become more by a file that is chosen with a mouse, in any order of its columns', async () => {
    const table = `items_${run}`;
    const columns = [
      { id: 'no', type: 'integer' },
      { id: 'note', type: 'string', description: hostileText },
    ];
    await apply({ kind: 'Table', schema, id: table, description: hostileText, columns, primaryKey: ['no'] });
    const path = `/data/tables/${schema}/${table}`;
    await visitConsole(browser, { product, person: 'admin', path }, async (page) => {
      const main = page.getByRole('main');
      await page.getByRole('gridcell', { name: 'Whole number' }).waitFor();
      await waitUntilLoaded(page);
      await expectHarmless(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      for (const [at, lines] of [
        ['no,note', '1,a', '2,b'],
        ['Note,No', 'c,3'],
      ].entries()) {
        const chooser = page.waitForEvent('filechooser');
        await main.getByRole('button', { name: 'Choose a file…' }).click();
        await (await chooser).setFiles(csvFile(`${table}.csv`, lines));
        await page.getByRole('button', { name: /Rows that are there/ }).click();
        await page.getByRole('option', { name: 'Add to the rows' }).click();
        await page.getByRole('button', { name: 'Load', exact: true }).click();
        await page.getByRole('link', { name: 'Open the table' }).click();
        await main.getByText(at === 0 ? '2 rows' : '3 rows', { exact: true }).waitFor();
      }
    });
  });
});

describe('a knowledge model', () => {
  const modelId = `console-trial-${run}`;
  const kpi = { id: 'TRIAL_ITEMS', expression: 'count(PO_ITEM.*)' };
  const model = { kind: 'KnowledgeModel', id: modelId, extends: 'p2p.base-km', name: hostileText.slice(0, 200) };
  beforeAll(async () => {
    await apply({ ...model, kpis: [{ ...kpi, unit: 'items' }] });
    await apply({ ...model, kpis: [{ ...kpi, unit: 'pieces' }] });
    await apply({ ...model, kpis: [{ ...kpi, unit: 'pieces' }], description: hostileText }, 'draft');
  });
  afterAll(() =>
    fetch(`${product.gateways[0]}${definitionsPath}/${modelId}`, {
      method: 'DELETE',
      headers: { AppKey: product.environment['ADMIN_KEY'] ?? '' },
    }),
  );

  it('has two versions that are compared, and a draft that is published after a question', () =>
    visitConsole(browser, { product, person: 'admin', path: '/data?tab=models' }, async (page) => {
      const main = page.getByRole('main');
      await page.getByRole('row', { name: new RegExp(modelId) }).press('Enter');
      await page.getByRole('heading', { level: 1, name: modelId }).waitFor();
      await waitUntilLoaded(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('tab', { name: 'Compare' }).click();
      await choose(page, /From/, 'Version 1');
      await choose(page, /To/, 'Version 2');
      const change = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
      await change.filter({ hasText: 'kpis.TRIAL_ITEMS.unit' }).waitFor();
      expect(await text(change)).toBe('Changed kpis.TRIAL_ITEMS.unit Before items After pieces');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      // What is compared is in the address.
      await page.reload();
      await change.filter({ hasText: 'kpis.TRIAL_ITEMS.unit' }).waitFor();

      await page.getByRole('tab', { name: 'Versions' }).click();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const question = page.getByRole('dialog', { name: 'Publish this draft?' });
      await question.getByText('1 change').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await question.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('row').filter({ hasText: 'Version 3' }).getByText('Published').waitFor();
      await main.getByText('There is no draft.').waitFor();
    }));

  it('is written as text, with its faults by line', () => {
    const path = `/data/models/${modelId}?tab=definition`;
    const expectedFaults = [/^POST .*\/knowledge-models: 400$/];
    return visitConsole(browser, { product, person: 'admin', path, expectedFaults }, async (page) => {
      await page.getByRole('list', { name: 'Definition' }).getByText('count(PO_ITEM.*)').waitFor();
      await expectHarmless(page);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.getByRole('button', { name: 'Edit the definition' }).click();
      const written = page.getByRole('textbox', { name: 'Definition' });
      const sound = await written.inputValue();
      await written.fill(sound.replace('count(PO_ITEM.*)', 'count(PO_ITEMS.*)'));
      await page.getByRole('button', { name: 'Check' }).click();
      const faults = page.getByRole('alert');
      await faults.waitFor();
      const line = sound.split('\n').findIndex((each) => each.includes('count(PO_ITEM.*)')) + 1;
      expect(await text(faults)).toMatch(new RegExp(`Line ${line} .*PO_ITEMS.*kpis\\.0\\.expression: "expression"`));
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      // What is written is there after a look elsewhere.
      await page.getByRole('tab', { name: 'Versions' }).click();
      await page.getByRole('tab', { name: 'Definition' }).click();
      expect(await written.inputValue()).toContain('count(PO_ITEMS.*)');
      await written.fill(sound);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.getByText('The definition has no faults.').waitFor();
      // A draft that somebody else has saved meanwhile is replaced only by who knows of it.
      await apply({ ...model, kpis: [kpi] }, 'draft');
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('There is another draft').waitFor();
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText(/^The draft of .* is saved\.$/).waitFor();
    });
  });
});

const choose = async (page: Page, label: RegExp, option: string): Promise<void> => {
  // What is asked for is not broken off.
  await waitUntilLoaded(page);
  await page.getByRole('tabpanel').getByRole('button', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
};

it('is closed to who does not administer the team', () =>
  visitConsole(browser, { product, person: 'viewer', path: '/data' }, async (page) => {
    await page.getByRole('main').getByText('This area is for who administers the team.').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Data' }).count()).toBe(0);
    expect(await findFaultsInBothThemes(page)).toEqual([]);
  }));
