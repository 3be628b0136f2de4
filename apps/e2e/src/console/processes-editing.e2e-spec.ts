/** Content as authors write it: from a draft to its release past somebody else's write, its diagram, and the bin. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { memberOf, textOf } from '../json.js';
import { getSharedProduct, type RunningProduct } from '../product.js';
import { callProduct, type ApiAnswer } from '../test-storage.js';
import { findFaultsInBothThemes, visitConsole, waitUntilLoaded } from './console-visit.js';
import { expectFocusKept, press, typeInto } from './keyboard.js';

const storage = { collection: 'trial', id: 'drafts' };
const api = `/${storage.collection}/${storage.id}/_api/rest`;
const elementsApi = `${api}/facets/processes/views/detail/elements`;
const place = `/processes/${storage.collection}/${storage.id}`;

const symbolTypes = ['startEvent', 'activitySymbol', 'decision', 'endEvent', 'lane'];
const name = { name: 'name', localised: true };
/** A storage of its own: other specs count what the demo has. */
const definition = {
  ...{ kind: 'Storage', ...storage, title: 'Drafts', cultures: [1033, 1031], defaultCulture: 1033, userType: 'user' },
  facets: [
    { name: 'processes', displayNames: { 1033: 'Processes' } },
    { name: 'users', displayNames: { 1033: 'Users' } },
  ],
  types: [
    {
      ...{ name: 'process', facet: 'processes', versioned: true, displayNames: { 1033: 'Process' } },
      attributes: [
        { ...name, mandatory: true, mandatoryCultures: [1033] },
        { name: 'description', localised: true },
        { name: 'casesPerYear', type: 'number' },
      ],
      contentTypes: symbolTypes,
    },
    ...symbolTypes.map((type) => ({
      ...{ name: type, facet: 'processes', displayNames: { 1033: type }, attributes: [name] },
    })),
    { name: 'user', facet: 'users', displayNames: { 1033: 'User' }, attributes: [{ name: 'name' }] },
  ],
  relations: [
    { name: 'represents', to: ['process'] },
    { name: 'supports', displayNames: { 1033: 'Supports' }, from: ['process'], to: ['process'], many: true },
  ],
};

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
  const imports = `/admin/teams/meridian/storages/${storage.collection}/${storage.id}/imports`;
  const begun = done(await callProduct(product, 'ADMIN_KEY', 'POST', imports, { definition }));
  done(await callProduct(product, 'ADMIN_KEY', 'POST', `${imports}/${textOf(begun, 'importId')}/commit`));
});
afterAll(() => browser.close());

const done = ({ status, document }: ApiAnswer): unknown => {
  if (status >= 300) throw new Error(`Refused: ${JSON.stringify(document)}`);
  return document;
};

/** As a program of the team does, which knows nothing of the console; answers the element. */
const write = async (element: object): Promise<unknown> => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const body = { elements: [element] };
  return memberOf(done(await callProduct(product, 'DEMO_KEY', 'POST', elementsApi, body, { headers })), 'elements', 0);
};
const read = async (id: string): Promise<unknown> =>
  memberOf(done(await callProduct(product, 'DEMO_KEY', 'GET', `${elementsApi}/${id}`)), 'elements', 0);
const createProcess = async (english: string, more: object = {}): Promise<string> =>
  textOf(await write({ type: 'process', attributes: { name: { 1033: english } }, ...more }), 'id');
const pathOf = (id: string): string => `${place}/processes/${id}`;

const nameIn = (page: Page, language: string): Locator =>
  page.getByRole('group', { name: 'Name' }).getByRole('textbox', { name: language });
const headingOf = (page: Page, text: string | RegExp): Locator => page.getByRole('heading', { level: 1, name: text });

describe('a draft', () => {
  it('story 6: is released past what somebody else wrote meanwhile, and nothing of both is lost', async () => {
    const id = await createProcess('Pay invoices');
    const visited = {
      product,
      person: 'author',
      path: pathOf(id),
      expectedFaults: [/^POST .*\/elements: 412$/, /^POST .*\/elements: 400$/],
    } as const;
    await visitConsole(browser, visited, async (page) => {
      const save = page.getByRole('button', { name: 'Save' });
      await press(page, page.getByRole('button', { name: 'Edit' }));
      await typeInto(page, nameIn(page, 'English'), 'Pay invoices in time');
      await press(page, nameIn(page, 'German'), 'ControlOrMeta+A');
      // As it comes from the clipboard.
      await page.keyboard.insertText('x'.repeat(32_001));
      await press(page, save);
      await page.getByRole('group', { name: 'Name' }).getByText('expected at most 32000 characters').waitFor();
      await typeInto(page, nameIn(page, 'German'), 'Rechnungen rechtzeitig bezahlen');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await write({ id, attributes: { name: { 1033: 'Pay invoices twice' }, casesPerYear: 7 } });
      await press(page, save);
      await page.getByRole('heading', { name: /^Someone else has saved/ }).waitFor();
      await mergeWrites(page);
      await headingOf(page, 'Pay invoices in time').waitFor();
      await release(page);
    });
    const element = await read(id);
    expect(memberOf(element, 'attributes', 'name')).toEqual({
      1033: 'Pay invoices in time',
      1031: 'Rechnungen rechtzeitig bezahlen',
    });
    expect(memberOf(element, 'attributes', 'casesPerYear', '127')).toBe(7);
    expect(textOf(element, 'state')).toBe('released');
  });

  it('is edited with a mouse, and what was typed is not left behind by mistake', async () => {
    const id = await createProcess('Order goods');
    const other = await createProcess('Approve orders');
    await visitConsole(browser, { product, person: 'author', path: pathOf(id) }, async (page) => {
      await headingOf(page, 'Order goods').waitFor();
      await page.getByRole('button', { name: 'Edit' }).click();
      await nameIn(page, 'German').fill('Waren bestellen');
      await page.getByRole('textbox', { name: 'Cases per year' }).fill('many');
      await page.getByRole('combobox', { name: /^Add to .?Supports/ }).fill('approve');
      await page.getByRole('option', { name: 'Approve orders' }).click();
      await page.getByRole('button', { name: /^Remove .?Approve orders/ }).waitFor();
      await correctAndSave(page);
    });
    const element = await read(id);
    expect(memberOf(element, 'attributes', 'name')).toEqual({ 1033: 'Order goods', 1031: 'Waren bestellen' });
    expect(memberOf(element, 'attributes', 'casesPerYear', '127')).toBe(1_410);
    expect(textOf(element, 'related', 'supports', 0, 'id')).toBe(other);
  });
});

/** Theirs where nothing was typed here, mine where both did. */
const mergeWrites = async (page: Page): Promise<void> => {
  const save = page.getByRole('button', { name: 'Save the selection' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByText(/saved it on/).waitFor();
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(1);
  expect(await findFaultsInBothThemes(page)).toEqual([]);
  const field = page.getByRole('group', { name: /^.?Name.?, .?English/ });
  await field.getByText('Pay invoices twice').waitFor();
  await press(page, field.getByRole('radio', { name: 'Your entry' }), 'Space');
  await press(page, save);
};

const release = async (page: Page): Promise<void> => {
  await press(page, page.getByRole('button', { name: 'Release', exact: true }));
  const question = page.getByRole('dialog', { name: /Release/ });
  await question.getByText('next whole number').waitFor();
  expect(await findFaultsInBothThemes(page)).toEqual([]);
  await press(page, question.getByRole('button', { name: 'Release', exact: true }));
  // German is not mandatory here, but it is a language of the storage.
  await page.getByRole('main').getByText('Released', { exact: true }).waitFor();
  await waitUntilLoaded(page);
  await expectFocusKept(page, 'after the release');
};

const correctAndSave = async (page: Page): Promise<void> => {
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await page.getByText('Enter a number, for example 1410.5.').waitFor();
  expect(await findFaultsInBothThemes(page)).toEqual([]);
  const cancel = page.getByRole('button', { name: 'Cancel' });
  await cancel.click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await cancel.and(page.locator(':focus')).waitFor();
  await page.getByRole('textbox', { name: 'Cases per year' }).fill('1410');
  await save.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await headingOf(page, 'Order goods').waitFor();
  await waitUntilLoaded(page);
};

/** Markup, text from right to left, and far more characters than fit anywhere. */
const hostileName = `<img src=x onerror="document.title='run'"> \u202eنص ${'long '.repeat(2_000)}`;

describe('the content of a version', () => {
  it('is a diagram whose symbols lead to what they stand for, and a list', async () => {
    const step = await createProcess('Match invoice');
    const symbol = (type: string, english: string, more: object = {}) => ({
      ...{ type, attributes: { name: { 1033: english } } },
      ...more,
    });
    const id = await createProcess('Verify invoices', {
      content: [
        symbol('startEvent', 'Invoice is there'),
        symbol('activitySymbol', 'Match the invoice with its order', { related: { represents: [step] } }),
        symbol('decision', hostileName),
        symbol('endEvent', 'Done'),
      ],
    });
    await visitConsole(browser, { product, person: 'author', path: `${pathOf(id)}?tab=diagram` }, async (page) => {
      const diagram = page.getByRole('group', { name: 'Diagram', exact: true });
      const match = diagram.getByRole('link', { name: /Match the invoice with its order/ });
      await match.waitFor();
      await page.getByText('Diagram as a list').click();
      await page.getByRole('listitem').filter({ hasText: 'Invoice is there' }).first().waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect(await page.title()).not.toBe('run');
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await match.press('Enter');
      await headingOf(page, 'Match invoice').waitFor();
      await waitUntilLoaded(page);
    });
  });
});

describe('a deleted element', () => {
  it('is in the bin, where administrators restore it', async () => {
    const id = await createProcess('Deleted by mistake');
    await visitConsole(browser, { product, person: 'author', path: pathOf(id) }, async (page) => {
      await page.getByRole('button', { name: 'Delete' }).click();
      const question = page.getByRole('dialog', { name: 'Delete?' });
      await question.getByText(/goes to the bin/).waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL((url) => !url.pathname.endsWith(id));
      await waitUntilLoaded(page);
    });
    const bin = `/processes/bin?storage=${storage.collection}%2F${storage.id}`;
    await visitConsole(browser, { product, person: 'admin', path: bin }, async (page) => {
      const row = page.getByRole('row', { name: 'Deleted by mistake' });
      await row.waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await row.press('Enter');
      const question = page.getByRole('dialog', { name: 'Restore?' });
      await question.getByText('paula.lindt').waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await question.getByRole('button', { name: 'Restore' }).click();
      await row.waitFor({ state: 'detached' });
    });
    expect(textOf(await read(id), 'state')).toBe('inProcess');
  });
});
