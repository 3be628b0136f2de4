/**
 * Every page of the console at the width of a telephone, a tablet and a large screen: nothing of it stands over the edge. With
 * UPDATE_PICTURES=1 the pages are those of the demo in its usual size, and pictures of them are written to `docs/pictures`.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '@tessera/testing/chromium';
import { checkoutFolder, getSharedProduct, startProduct, type Product, type RunningProduct } from '../product.js';
import { consoleAddress, visitConsole, waitUntilLoaded } from './console-visit.js';
import { picturedPages, type PicturedPage } from './pictured-pages.js';
import { shrinkPng } from './small-png.js';

const isUpdate = process.env['UPDATE_PICTURES'] === '1';
const folder = join(checkoutFolder, 'docs', 'pictures');
const bytesMax = 4 * 1024 * 1024;

/** One theme for each width keeps the pictures few. */
const screens = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 1_024, height: 768, colorScheme: 'dark' },
  { width: 1_600, height: 1_000, colorScheme: 'light' },
] as const;

let started: Product | undefined;
let product: RunningProduct;
let browser: Browser;
beforeAll(async () => {
  if (isUpdate) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    started = await startProduct({ demo: 'demo' });
  }
  [product, browser] = await Promise.all([started ?? getSharedProduct(), launchBrowser()]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), started?.stop()]);
});

/** How many pixels of the page stand over the edge of the window. */
const overEdge = async (page: Page): Promise<number> =>
  Number(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'));

const isMissing = (page: Page): Promise<boolean> =>
  page.getByRole('heading', { level: 1, name: 'There is no such page' }).isVisible();

const takePicture = async (page: Page): Promise<Buffer> =>
  shrinkPng(await page.screenshot({ animations: 'disabled', scale: 'css' }));

const lookAt = async (page: Page, { name, path }: PicturedPage): Promise<readonly string[]> => {
  await page.goto(consoleAddress(product, path));
  await waitUntilLoaded(page);
  const faults: string[] = [];
  // A picture of it would show nothing of the page.
  if (isUpdate && (await isMissing(page))) faults.push(`${name}: there is no page ${path}`);
  for (const { colorScheme, ...size } of screens) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const over = await overEdge(page);
    if (over > 0) faults.push(`${name} is ${over} pixels too wide for ${size.width}`);
    if (!isUpdate) continue;
    await page.waitForLoadState('networkidle');
    writeFileSync(join(folder, `${name}-${size.width}.png`), await takePicture(page));
  }
  return faults;
};

it.each([...new Set(picturedPages.map(({ person }) => person))])(
  'pages fit in each screen, as the %s sees them',
  (person) =>
    visitConsole(browser, { product, person }, async (page) => {
      const faults: string[] = [];
      for (const pictured of picturedPages.filter((each) => each.person === person))
        faults.push(...(await lookAt(page, pictured)));
      expect(faults).toEqual([]);
    }),
);

it('names are those of files, and each is there once', () => {
  const names = picturedPages.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

it('pictures take at most 4 MB together', () => {
  const files = isUpdate ? readdirSync(folder) : [];
  expect(files.length).toBe(isUpdate ? picturedPages.length * screens.length : 0);
  expect(files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThanOrEqual(bytesMax);
});
