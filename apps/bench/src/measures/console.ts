/** The pages of the console as Lighthouse measures them: how soon people see what they came for, and whether everybody can use it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { findCacheFolder, findFreePort, installFolder } from '@tessera/local-stack';
import { openBrowserProfile } from '@tessera/testing/chromium';
import { parseJson } from '../answers.js';
import { type Figure, judge } from '../engine.js';
import type { Product } from '../product/product.js';
import { median } from '../statistics.js';

/** Of the demo, with the pages that they are shown; each path from the root of the console. */
const people = [
  {
    name: 'anton.berg',
    password: 'ANALYST_PASSWORD',
    pages: {
      Home: '/',
      Processes: '/processes/meridian/p2p',
      Figures: '/figures/p2p.base-km?kpis=MAVERICK_RATE&fields=PURCHASE_ORDER.PLANT',
      Ask: '/ask',
      Tools: '/tools/p2p-tools',
    },
  },
  {
    name: 'robert.novak',
    password: 'ADMIN_PASSWORD',
    pages: { Data: '/data', Administration: '/administration/members' },
  },
] as const;

/** Fetched when it is needed: it brings more packages than the product has, and nothing else uses it. */
const lighthouseVersion = '12.8.2';
const reportMaxBytes = 100_000_000;
const auditMaxMs = 120_000;
const run = promisify(execFile);

type SentRequest = { readonly url: string; readonly statusCode: number };
type LighthouseReport = {
  readonly audits: Readonly<
    Record<'largest-contentful-paint' | 'total-blocking-time', { readonly numericValue: number }>
  > & { readonly 'network-requests': { readonly details: { readonly items: readonly SentRequest[] } } };
  readonly categories: { readonly accessibility: { readonly score: number } };
  readonly runtimeError?: { readonly message: string };
};

type Audit = { readonly paintMs: number; readonly blockingMs: number; readonly accessibility: number };

/** Each page is loaded once, and then `rounds` times that count, by somebody who is signed in, with nothing kept of the visit before. */
export const measureConsole = async (
  product: Product,
  rounds: number,
  say: (text: string) => void,
): Promise<readonly Figure[]> => {
  const lighthouse = await installLighthouse();
  const origin = `${product.variable('GATEWAY_URL')}/console`;
  const figures: Figure[] = [];
  for (const { name, password, pages } of people) {
    const profile = mkdtempSync(join(tmpdir(), 'tessera-bench-browser-'));
    const port = await findFreePort();
    const context = await openBrowserProfile(profile, [`--remote-debugging-port=${port}`]);
    try {
      await signIn(context, `${origin}/`, name, product.variable(password));
      for (const [page, path] of Object.entries(pages)) {
        say(`measuring: ${page} in the console`);
        const audits: Audit[] = [];
        // The first visit is the server's as well: it reads models and content for the first time.
        while (audits.length <= rounds) audits.push(await audit(lighthouse, origin + path, port));
        figures.push(...describeAudits(page, audits.slice(1)));
      }
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }
  return figures;
};

/** The program of Lighthouse, from npm into the cache folder. */
const installLighthouse = async (): Promise<string> => {
  const cached = join(findCacheFolder(process.env), `lighthouse-${lighthouseVersion}`);
  const folder = await installFolder(cached, async (place) => {
    const options = ['--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...options, `lighthouse@${lighthouseVersion}`]);
  });
  return join(folder, 'node_modules', 'lighthouse', 'cli', 'index.js');
};

const signIn = async (context: BrowserContext, address: string, name: string, password: string): Promise<void> => {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('textbox', { name: 'Team' }).fill('meridian');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor({ state: 'detached' });
  await page.close();
};

const audit = async (lighthouse: string, address: string, port: number): Promise<Audit> => {
  const parameters = [
    lighthouse,
    address,
    `--port=${port}`,
    '--preset=desktop',
    '--only-categories=performance,accessibility',
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
  ];
  const { stdout } = await run(process.execPath, parameters, { maxBuffer: reportMaxBytes, timeout: auditMaxMs });
  const { audits, categories, runtimeError } = parseJson<LighthouseReport>(stdout);
  if (runtimeError !== undefined) throw new Error(`Lighthouse could not measure ${address}: ${runtimeError.message}`);
  const { items } = audits['network-requests'].details;
  if (!items.some(({ url, statusCode }) => new URL(url).pathname === '/me' && statusCode === 200))
    throw new Error(`${address} was shown to nobody who is signed in.`);
  return {
    paintMs: audits['largest-contentful-paint'].numericValue,
    blockingMs: audits['total-blocking-time'].numericValue,
    accessibility: categories.accessibility.score,
  };
};

const describeAudits = (page: string, audits: readonly Audit[]): readonly Figure[] => {
  const paintMs = median(audits.map((each) => each.paintMs));
  const blockingMs = median(audits.map((each) => each.blockingMs));
  const accessibility = Math.min(...audits.map((each) => each.accessibility));
  return [
    judge(`${page}: largest contentful paint`, '<= 1500 ms', paintMs, `${paintMs.toFixed(0)} ms`),
    judge(`${page}: time in which the page is blocked`, '<= 200 ms', blockingMs, `${blockingMs.toFixed(0)} ms`),
    judge(`${page}: accessibility`, '>= 0.95', accessibility, accessibility.toFixed(2)),
  ];
};
