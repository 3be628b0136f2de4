/** Visits of a browser to pages, which fail for every fault that the browser sees and the spec does not name. */
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { itemsOf, textOf } from '../json.js';

/** What the console says about a request that failed is said of the request already. */
const aboutRequest = 'Failed to load resource';
/** A page that is left no longer waits for what it has asked for. No server can cause this. */
const abortedByPage = 'net::ERR_ABORTED';

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
    if (reason !== abortedByPage) faults.push(`${request.method()} ${request.url()}: ${reason}`);
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

/**
 * Opens a page for somebody who has no cookies yet and hands it to `use`. Throws after it for each fault of any page of
 * the visit that is not expected, and for each expected one that was not seen.
 */
export const visit = async <Result>(
  browser: Browser,
  use: (page: Page) => Promise<Result>,
  { expectedFaults = [] }: { readonly expectedFaults?: readonly RegExp[] } = {},
): Promise<Result> => {
  // That of the machine may be none that scripts can make formats of.
  const context = await browser.newContext({ locale: 'en-US' });
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

/** What hinders people on the page as it is shown now, as `rule: what is wrong (where)`; empty when nothing is found. */
export const findAccessibilityFaults = async (page: Page): Promise<readonly string[]> => {
  // Evaluated, not added: the policy of the page keeps foreign scripts out.
  await page.evaluate(axe.source);
  // What is read aloud of a button stays a moment longer than the button, and has no name by then.
  const place = `{ exclude: ['[data-live-announcer]'] }`;
  const results: unknown = await page.evaluate(`axe.run(${place}, { resultTypes: ['violations'] })`);
  return itemsOf(results, 'violations').flatMap((violation) =>
    itemsOf(violation, 'nodes').map(
      (node) => `${textOf(violation, 'id')}: ${textOf(violation, 'help')} (${itemsOf(node, 'target').join(' ')})`,
    ),
  );
};
