/** The pages of the console as Lighthouse measures them: how soon people see what they came for, and whether everybody can use it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { findCacheFolder, findFreePort, installFolder } from '@tessera/local-stack';
import { openBrowserProfile } from '@tessera/testing/chromium';
import { parseJson } from '../json.js';
import { type Product, requireVariable } from '../product/product.js';
import { median } from '../statistics.js';
import type { Figure } from './bench.js';

const paintMaxMs = 1_500;
const blockingMaxMs = 200;
const accessibilityMin = 0.95;

/** Of the demo, with the pages that they are shown; each path from the root of the console. */
const people = [
  {
    ...{ name: 'anton.berg', password: 'ANALYST_PASSWORD' },
    pages: {
      Home: '/',
      Processes: '/processes/meridian/p2p',
      Figures: '/figures/p2p.base-km?kpis=MAVERICK_RATE&fields=PURCHASE_ORDER.PLANT',
      Ask: '/ask',
      Tools: '/tools/p2p-tools',
    },
  },
  {
    ...{ name: 'robert.novak', password: 'ADMIN_PASSWORD' },
    pages: { Data: '/data', Administration: '/administration/members' },
  },
] as const;
type Person = (typeof people)[number];

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
  const figures: Figure[] = [];
  for (const person of people)
    figures.push(
      ...(await withSignedIn(product, person, async (origin, port) => {
        const measured: Figure[] = [];
        for (const [page, path] of Object.entries(person.pages)) {
          say(`measuring: ${page} in the console`);
          const audits: Audit[] = [];
          // The first visit is the server's as well: it reads models and content for the first time.
          await audit(lighthouse, origin + path, port);
          while (audits.length < rounds) audits.push(await audit(lighthouse, origin + path, port));
          measured.push(...describeAudits(page, audits));
        }
        return measured;
      })),
    );
  return figures;
};

/** `use` gets the root of the console and the port of a browser in which the person is signed in. */
const withSignedIn = async <Result>(
  { environment }: Product,
  { name, password }: Person,
  use: (origin: string, port: number) => Promise<Result>,
): Promise<Result> => {
  const origin = `${requireVariable(environment, 'GATEWAY_URL')}/console`;
  const profile = mkdtempSync(join(tmpdir(), 'tessera-bench-browser-'));
  const port = await findFreePort();
  const context = await openBrowserProfile(profile, [`--remote-debugging-port=${port}`]);
  try {
    await signIn(context, `${origin}/`, name, requireVariable(environment, password));
    return await use(origin, port);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
};

/** The program of Lighthouse, from npm into the cache folder. */
const installLighthouse = async (): Promise<string> => {
  const folder = await installFolder(
    join(findCacheFolder(process.env), `lighthouse-${lighthouseVersion}`),
    async (place) => {
      const options = ['--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts'];
      await run('npm', ['install', ...options, `lighthouse@${lighthouseVersion}`]);
    },
  );
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
    ...[lighthouse, address, `--port=${port}`, '--preset=desktop', '--only-categories=performance,accessibility'],
    ...['--output=json', '--quiet', '--no-enable-error-reporting'],
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
    {
      what: `${page}: largest contentful paint`,
      target: `<= ${paintMaxMs} ms`,
      actual: `${paintMs.toFixed(0)} ms`,
      holds: paintMs <= paintMaxMs,
    },
    {
      what: `${page}: time in which the page is blocked`,
      target: `<= ${blockingMaxMs} ms`,
      actual: `${blockingMs.toFixed(0)} ms`,
      holds: blockingMs <= blockingMaxMs,
    },
    {
      what: `${page}: accessibility`,
      target: `>= ${accessibilityMin}`,
      actual: accessibility.toFixed(2),
      holds: accessibility >= accessibilityMin,
    },
  ];
};
