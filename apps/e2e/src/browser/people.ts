/** People of the demo at the pages of the platform. */
import type { Page } from 'playwright-core';
import type { RunningProduct } from '../product.js';

/** The demo's analyst, on the page for signing in. */
export const signInAsAnalyst = async (page: Page, { environment }: RunningProduct): Promise<void> => {
  await page.getByLabel('Team').fill('meridian');
  await page.getByLabel('Name or e-mail address').fill('anton.berg');
  await page.getByLabel('Password').fill(environment['ANALYST_PASSWORD'] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
