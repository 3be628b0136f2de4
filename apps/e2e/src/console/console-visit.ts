/** Visits to the console: a person of the demo is signed in, and what is shown is looked at in both themes. */
import type { Browser, Locator, Page } from 'playwright-core';
import { findAccessibilityFaults, visit, type BrowserState } from '../browser/visit.js';
import type { RunningProduct } from '../product.js';
import { expectFocusKept, typeInto } from './keyboard.js';

/** People of the team meridian, by their roles. */
const people = {
  viewer: { memberId: 'vera.klein', name: 'Vera Klein', password: 'VIEWER_PASSWORD' },
  analyst: { memberId: 'anton.berg', name: 'Anton Berg', password: 'ANALYST_PASSWORD' },
  author: { memberId: 'paula.lindt', name: 'Paula Lindt', password: 'AUTHOR_PASSWORD' },
  admin: { memberId: 'robert.novak', name: 'Robert Novak', password: 'ADMIN_PASSWORD' },
} as const;
export type PersonName = keyof typeof people;

export type ConsoleVisit = {
  readonly product: RunningProduct;
  readonly person: PersonName;
  /** From the root of the console: `/processes`. */
  readonly path?: string;
  readonly expectedFaults?: readonly RegExp[];
  /** In a session of its own, which may be ended; else in the one of the visit before. */
  readonly isNewSession?: boolean;
};

const usualSize = { width: 1_280, height: 900 };

export const consoleAddress = ({ gateways: [gateway = ''] }: RunningProduct, path = '/'): string =>
  `${gateway}/console${path}`;

/** Fills in the form that is shown, in English, by keys alone, and waits until somebody is signed in. */
export const signInByForm = async (page: Page, person: PersonName, product: RunningProduct): Promise<void> => {
  const { memberId, password, name } = people[person];
  await typeInto(page, page.getByRole('textbox', { name: 'Team' }), 'meridian');
  await typeInto(page, page.getByRole('textbox', { name: 'Name', exact: true }), memberId);
  // The part of the form has the same name.
  const passwordField = page.getByLabel('Password', { exact: true }).and(page.locator('input'));
  await typeInto(page, passwordField, product.environment[password] ?? '');
  await page.keyboard.press('Enter');
  await passwordField.waitFor({ state: 'detached' });
  await page.getByRole('banner').getByRole('button', { name }).waitFor();
  await expectFocusKept(page, 'after signing in');
};

/** Sessions that go on from one visit to the next, by person and product: signing in takes longer than opening a page. */
const sessions = new Map<string, BrowserState>();

/** Undefined when there is none, or when it has been ended meanwhile. */
const findSession = async (key: string, { gateways: [gateway = ''] }: RunningProduct) => {
  const state = sessions.get(key);
  if (state === undefined) return undefined;
  const Cookie = state.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  // A session counts for pages of the platform alone.
  const { ok, body } = await fetch(`${gateway}/me`, { headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' } });
  await body?.cancel();
  return ok ? state : undefined;
};

/** Opens the console for a person, who signs in by its form unless that was done before, and fails as `visit` does. */
export const visitConsole = async <Result>(
  browser: Browser,
  { product, person, path, expectedFaults = [], isNewSession = false }: ConsoleVisit,
  use: (page: Page) => Promise<Result>,
): Promise<Result> => {
  const key = `${person} ${product.home}`;
  const state = isNewSession ? undefined : await findSession(key, product);
  return visit(
    browser,
    async (page) => {
      await page.setViewportSize(usualSize);
      await page.goto(consoleAddress(product, path));
      if (state === undefined) await signInByForm(page, person, product);
      if (state === undefined && !isNewSession) sessions.set(key, await page.context().storageState());
      return use(page);
    },
    state === undefined ? { expectedFaults: [/^GET .*\/me: 401$/, ...expectedFaults] } : { expectedFaults, state },
  );
};

export const accountButtonOf = (page: Page, person: PersonName): Locator =>
  page.getByRole('banner').getByRole('button', { name: people[person].name });

/** By the menu of the account, with a mouse. */
export const chooseGerman = async (page: Page, person: PersonName): Promise<void> => {
  await accountButtonOf(page, person).click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.locator('html[lang="de"]').waitFor();
};

/** Nothing is loading any more; with a place, nothing in it. */
export const waitUntilLoaded = async (page: Page, within: Locator = page.locator('body')): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await within
    .getByRole('status', { name: /^(Loading|Wird geladen|Cargando)$/ })
    .first()
    .waitFor({ state: 'detached' });
};

/**
 * What hinders people on the page as it is shown, as `theme rule: what is wrong (where)`; empty when nothing is found. The
 * themes are those of the system, so that menus and dialogs stay as they are.
 */
export const findFaultsInBothThemes = async (page: Page): Promise<readonly string[]> => {
  await page.emulateMedia({ colorScheme: 'light' });
  const inLight = await findAccessibilityFaults(page);
  // They differ in colours alone: one file of design tokens has the values of both.
  await page.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findAccessibilityFaults(page, 'colours');
  await page.emulateMedia({ colorScheme: null });
  return [...inLight.map((fault) => `light ${fault}`), ...inDark.map((fault) => `dark ${fault}`)];
};
