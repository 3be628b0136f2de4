/** Home of the four people of the demo, and questions to its analyst: the same figures as a query, asked back, stopped, deleted, hostile. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentsPrefix } from '@tessera/contracts/agents';
import { modelsPrefix } from '@tessera/contracts/knowledge-models';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { itemsOf, memberOf, parseJson, textOf } from '../json.js';
import { getSharedProduct, type RunningProduct } from '../product.js';
import {
  consoleAddress,
  findFaultsInBothThemes,
  visitConsole,
  waitUntilLoaded,
  type PersonName,
} from './console-visit.js';
import { expectFocusKept, press, typeInto } from './keyboard.js';

const conversations = `${agentsPrefix}/p2p-analyst/conversations`;

let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  [product, browser] = await Promise.all([getSharedProduct(), launchBrowser()]);
});
afterAll(() => browser?.close());

/** From inside of the page, as its person. */
const call = (page: Page, method: 'GET' | 'DELETE', path: string): Promise<string> =>
  page.evaluate(
    async (asked) => {
      const answer = await fetch(asked.path, { method: asked.method, headers: { 'X-Tessera-Request': '1' } });
      return answer.ok ? answer.text() : `{"status":${answer.status}}`;
    },
    { method, path },
  );

const read = async (
  page: Page,
  path: string,
  parameters: readonly (readonly [string, string])[] = [],
): Promise<unknown> => {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  return parseJson(await call(page, 'GET', `${path}?${query.toString()}`));
};

const deleteConversations = async (page: Page): Promise<void> => {
  for (const conversation of itemsOf(await read(page, conversations), 'conversations'))
    await call(page, 'DELETE', `${conversations}/${textOf(conversation, 'conversationId')}`);
};

const askAs = (use: (page: Page) => Promise<void>): Promise<void> =>
  visitConsole(browser, { product, person: 'analyst', path: '/ask' }, async (page) => {
    await waitUntilLoaded(page);
    await page.getByRole('button', { name: /by month$/ }).waitFor();
    await use(page);
    await deleteConversations(page);
  });

const field = (page: Page): Locator => page.getByRole('textbox', { name: 'Your question' });
const lastTurn = (page: Page): Locator =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Answer' }) })
    .last();
const list = (page: Page): Locator => page.getByRole('complementary', { name: 'Your conversations' });

/** Once it has been read, with the rows behind it. */
const answerOf = async (page: Page): Promise<Locator> => {
  await lastTurn(page).getByText('builtin').waitFor();
  return lastTurn(page);
};
const ask = async (page: Page, question: string): Promise<Locator> => {
  await field(page).fill(question);
  await field(page).press('Enter');
  return answerOf(page);
};

const lateInFigures = `/figures/p2p.base-km?${new URLSearchParams({
  ...{ kpis: 'POSTING_LAG_DAYS', fields: 'GOODS_RECEIPT.PLANT', sort: '-POSTING_LAG_DAYS' },
  ...{ date: 'GOODS_RECEIPT.DELIVERED_ON', from: '2026-03-01', to: '2026-06-30' },
}).toString()}`;

const percent = (share: unknown): string =>
  Number(share).toLocaleString('en', { style: 'percent', maximumFractionDigits: 2 });

describe('story 1: who signs in sees what they may see', () => {
  const parts = ['Key figures', 'Waits for approval', 'Your last conversations', 'What you may do'];

  it.each<[PersonName, readonly string[], boolean]>([
    ['viewer', ['Key figures', 'What you may do'], false],
    ['analyst', ['Key figures', 'Your last conversations', 'What you may do'], true],
    ['author', ['Key figures', 'Waits for approval', 'What you may do'], false],
    ['admin', ['What you may do'], false],
  ])('%s: %j', (person, shown, mayAsk) =>
    visitConsole(browser, { product, person, isNewSession: true }, async (page) => {
      await waitUntilLoaded(page);
      const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
      expect(headings.filter((heading) => parts.includes(heading))).toEqual(shown);
      const areas = page.getByRole('navigation').getByRole('link', { name: 'Ask', exact: true });
      expect(await areas.count()).toBe(mayAsk ? 1 : 0);
      const content = page.getByRole('main').getByText('Purchase to pay').first();
      expect(await content.count()).toBe(person === 'admin' ? 0 : 1);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    }),
  );
});

describe('a question', () => {
  it('shows the same figures as a query of the model, as text, chart and link', () =>
    askAs(async (page) => {
      const plant = 'PO_ITEM.PLANT';
      const document = await read(page, `${modelsPrefix}/p2p.base-km/query`, [
        ['fields', plant],
        ['kpis', 'MAVERICK_RATE'],
      ]);
      const answer = await ask(page, 'What is the maverick rate by plant?');
      const chart = answer.getByRole('list', { name: /^.?Maverick buying/ });
      const rows = itemsOf(document, 'content');
      expect(rows.length).toBeGreaterThan(1);
      for (const row of rows) {
        const bar = chart.getByRole('listitem').filter({ hasText: textOf(row, plant) });
        expect(await bar.textContent()).toBe(`${textOf(row, plant)}${percent(memberOf(row, 'MAVERICK_RATE'))}`);
      }
      const link = answer.getByRole('link', { name: /Figures/ });
      const address = new URL((await link.getAttribute('href')) ?? '', consoleAddress(product));
      expect([address.pathname, address.searchParams.get('kpis'), address.searchParams.get('fields')]).toEqual([
        ...['/console/figures/p2p.base-km', 'MAVERICK_RATE', plant],
      ]);
      await answer.getByRole('button', { name: /load-data/ }).click();
      await answer
        .getByRole('grid')
        .getByText(percent(memberOf(itemsOf(document, 'content')[0], 'MAVERICK_RATE')))
        .waitFor();
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      // The address has all of it.
      await page.reload();
      await lastTurn(page).getByRole('grid').waitFor();
    }));

  it('story 3: finds the plant that is late, with the figure that Figures shows of it', () =>
    visitConsole(browser, { product, person: 'analyst', path: lateInFigures }, async (page) => {
      const chart = page.getByRole('list', { name: /Posting lag.*by.*Plant/ });
      const latest = /^(\S+)\s+([\d.]+)\u00a0days$/.exec(await chart.getByRole('listitem').first().innerText());
      expect(latest?.[1]).toBe('1020');
      await waitUntilLoaded(page);
      await press(page, page.getByRole('navigation').getByRole('link', { name: 'Ask', exact: true }));
      await typeInto(page, field(page), 'Which plant is late with goods receipts, and since when?');
      await page.keyboard.press('Enter');
      const answer = await answerOf(page);
      await answer.getByText('Plant 1020', { exact: true }).waitFor();
      const told = await answer.getByRole('definition').filter({ hasText: 'days' }).first().innerText();
      expect(Number.parseFloat(told).toFixed(1)).toBe(latest?.[2]);
      // Going on is possible at once: the focus is still in the field.
      await field(page).and(page.locator(':focus')).waitFor();
      await press(page, answer.getByRole('button', { name: /load-data/ }).first());
      await answer.getByRole('grid').first().waitFor();
      // Deleted after a question; the page begins a new conversation.
      await press(page, list(page).getByRole('button', { name: /^Delete: .*late/ }));
      await press(page, page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
      await list(page).getByText('No conversations yet').waitFor();
      await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor();
      await expectFocusKept(page, 'after a conversation was deleted');
      expect(itemsOf(await read(page, conversations), 'conversations')).toEqual([]);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    }));

  it('that the agent asks back is answered by a button, and the answer leads to its evidence', () =>
    askAs(async (page) => {
      const choices = page.getByRole('list', { name: 'What is meant' }).getByRole('button');
      await ask(page, 'What is the order value by country?');
      expect(await choices.allTextContents()).toEqual(['1. Country (Purchase order item)', '2. Country (Supplier)']);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await choices.last().click();
      await page.getByRole('heading', { name: 'Answer' }).nth(1).waitFor();
      await field(page).and(page.locator(':focus')).waitFor();
      const answer = lastTurn(page);
      await answer.getByText('builtin').waitFor();
      await answer.getByText('2. Country (Supplier)', { exact: true }).waitFor();
      expect(await choices.count()).toBe(0);
      await answer.getByRole('button', { name: /load-data/ }).click();
      const step = answer.getByRole('link', { name: /^Evidence: .?load-data/ });
      const [kept] = itemsOf(await read(page, conversations), 'conversations');
      const conversation = await read(page, `${conversations}/${textOf(kept, 'conversationId')}`);
      const evidence = itemsOf(conversation, 'turns', 1, 'steps').map((each) => textOf(each, 'evidence'));
      const address = evidence.join('').replace('/intelligence/api/', '/console/');
      expect(address).toMatch(/^\/console\/evidence\/[\w-]+$/);
      expect(await step.getAttribute('href')).toBe(address);
      const figure = answer.getByRole('link').filter({ hasText: /^[\d.,]+/ });
      expect(await figure.first().getAttribute('href')).toBe(address);
      expect(await findFaultsInBothThemes(page)).toEqual([]);
      await page.reload();
      await lastTurn(page)
        .getByRole('link', { name: /^Evidence: .?load-data/ })
        .waitFor();
    }));

  it('can be stopped, and asked again', () =>
    askAs(async (page) => {
      const held = Promise.withResolvers<void>();
      await page.route(`**${conversations}`, async (route) => {
        if (route.request().method() === 'POST') await held.promise;
        await route.continue().catch(() => undefined);
      });
      await field(page).fill('What is the maverick rate?');
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
      const aborted = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Stop' }).click();
      await aborted;
      await page.getByText('You stopped this answer.').waitFor();
      await field(page).and(page.locator(':focus')).waitFor();
      held.resolve();
      await page.unroute(`**${conversations}`);
      await page.getByRole('button', { name: 'Ask again' }).click();
      await lastTurn(page).getByText('builtin').waitFor();
      await lastTurn(page).getByRole('definition').filter({ hasText: '%' }).first().waitFor();
    }));

  it('that is markup, right to left and 10,000 characters long stays text and keeps its place', () =>
    askAs(async (page) => {
      const hostile = `<img src=x onerror=alert(1)> \u202eنص ${'x'.repeat(10_000)}`;
      page.on('dialog', () => expect('a script of the question').toBe('not run'));
      const answer = await ask(page, hostile);
      await answer.getByText('<img src=x onerror=alert(1)>').waitFor();
      await answer.getByRole('button', { name: 'Show all' }).click();
      for (const width of [390, 1_024, 1_600]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
      expect(await findFaultsInBothThemes(page)).toEqual([]);
    }));
});
