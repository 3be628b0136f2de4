/** Visits of a browser to pages, which fail for every fault that the browser sees and the spec does not name. */
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { itemsOf, textOf } from '../json.js';

/** What the console says about a request that failed is said of the request already. */
const aboutRequest = 'Failed to load resource';
/**
 * A page that is left no longer waits for what it has asked for. Of a request for a page the server can cause it as well, by an answer without
 * content or a file to keep, and then nothing new is shown.
 */
const aborted = 'net::ERR_ABORTED';

/** Errors of the console (violations of the content security policy among them), of scripts, and of requests, as they come. */
const watchFaults = (context: BrowserContext): readonly string[] => {
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith(aboutRequest))
      faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (fault) => faults.push(`script: ${fault.error().message}`));
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== aborted || request.isNavigationRequest())
      faults.push(`${request.method()} ${request.url()}: ${reason}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
  });
  return faults;
};

const compareFaults = (found: readonly string[], expected: readonly RegExp[]): readonly string[] => [
  ...found.filter((fault) => !expected.some((pattern) => pattern.test(fault))),
  ...expected
    .filter((pattern) => !found.some((fault) => pattern.test(fault)))
    .map((one) => `expected, not seen: ${one}`),
];

/** What the browser keeps for somebody: cookies, and what pages have stored. */
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/**
 * Opens a page for somebody who has the cookies of `state`, or none, and hands it to `use`. Throws after it for each fault of any page of
 * the visit that is not expected, and for each expected one that was not seen.
 */
export const visit = async <Result>(
  browser: Browser,
  use: (page: Page) => Promise<Result>,
  {
    expectedFaults = [],
    state = {},
  }: { readonly expectedFaults?: readonly RegExp[]; readonly state?: Partial<BrowserState> } = {},
): Promise<Result> => {
  const context = await browser.newContext({
    // That of the machine may be none that scripts can make formats of.
    locale: 'en-US',
    // What moves is drawn again and again while a page waits.
    reducedMotion: 'reduce',
    storageState: { cookies: [], origins: [], ...state },
  });
  try {
    const found = watchFaults(context);
    const result = await use(await context.newPage());
    const faults = compareFaults(found, expectedFaults);
    if (faults.length > 0) throw new Error(`The visit had faults:\n${faults.join('\n')}`);
    return result;
  } finally {
    await context.close();
  }
};

/** The rules of axe that look at colours. */
const colourRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/**
 * What hinders people on the page as it is shown now, as `rule: what is wrong (where)`; empty when nothing is found. `colours`: by the rules
 * about colours alone, for a page that has been looked at in other ones.
 */
export const findAccessibilityFaults = async (
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> => {
  // Evaluated, not added: the policy of the page keeps foreign scripts out.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // What is read aloud of a button stays a moment longer than the button, and has no name by then.
  const place = `{ exclude: ['[data-live-announcer]'] }`;
  // Style sheets are read again for rules that are not asked, and for sound, which no page has.
  const options = { resultTypes: ['violations'], preload: false, ...(rules === 'colours' && colourRules) };
  const results: unknown = await page.evaluate(`axe.run(${place}, ${JSON.stringify(options)})`);
  return itemsOf(results, 'violations').flatMap((violation) =>
    itemsOf(violation, 'nodes').map(
      (node) => `${textOf(violation, 'id')}: ${textOf(violation, 'help')} (${itemsOf(node, 'target').join(' ')})`,
    ),
  );
};
