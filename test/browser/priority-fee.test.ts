import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findViolations, hasChromium, openPage, WIDE } from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;

const PRICES = { normal: 0, fast: 20_000, urgent: 4_000_000 };
const PERCENTILES = { normal: 50, fast: 75, urgent: 95 };

/** The check of a deposit. Nobody pays for the blocks of the embedded cluster, which are never full: prices are given. */
async function openDeposit(): Promise<{ page: Page; problems: readonly string[] }> {
  const opened = await openPage(browser, url, WIDE);
  const { page } = opened;
  onTestFinished(() => page.close());
  await page.route('**/ktx/priority-fee', async (route) => {
    const { computeUnitLimit } = route.request().postDataJSON() as { computeUnitLimit: number };
    const levels = (['normal', 'fast', 'urgent'] as const).map((name) => {
      const lamports = Math.ceil((PRICES[name] * computeUnitLimit) / 1e6);
      const amounts = { lamports: `${lamports}`, sol: (lamports / 1e9).toFixed(9), usd: '0.01' };
      const price = { percentile: PERCENTILES[name], computeUnitPrice: `${PRICES[name]}` };
      return { name, ...price, ...amounts };
    });
    await route.fulfill({ json: { writableAccounts: 9, slots: 150, newestSlot: '1', levels } });
  });
  const { wallet, market, deposit } = demo;
  const fields = { action: 'deposit', wallet, market, ...deposit, step: 'check' };
  await page.goto(`${url}/build?${new URLSearchParams(fields)}`);
  return opened;
}

describe.skipIf(!hasChromium)('the priority fee', () => {
  beforeAll(async () => {
    ({ url, browser, demo } = await openSite(onEnd));
  });

  test('of recent slots is set, shown, and paid', async () => {
    const { page, problems } = await openDeposit();
    await page.getByText('enough in 75 % of the last 150 slots').waitFor();
    await page.getByText(/^Urgent · /).click();
    await page.getByText('enough in 95 % of the last 150 slots').waitFor();
    expect(new URL(page.url()).searchParams.get('fee')).toBe('urgent');
    expect(await findViolations(page)).toEqual([]);
    await page.getByText('It would succeed.').waitFor();
    await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
    await page.getByText(/It landed in slot/).waitFor();
    await page.locator('a[href*="transactions/"]').first().click();
    await page.getByText('Pay a priority fee of 4 lamports per compute unit').waitFor();
    await page.getByText(/^Limit the transaction to \d+ compute units/).waitFor();
    expect(problems).toEqual([]);
  });

  test('that cannot be set leaves the transaction without one, and says why', async () => {
    const { page } = await openDeposit();
    await page.route('**/ktx/klend/deposit*', async (route) => {
      const { computeUnitPrice } = route.request().postDataJSON() as { computeUnitPrice?: string };
      if (computeUnitPrice === undefined) return route.fallback();
      const message = 'The transaction has 1240 bytes, 8 too many';
      return route.fulfill({
        status: 400,
        json: { statusCode: 400, message, error: 'Bad Request' },
      });
    });
    await page.reload();
    await page.getByText('Without this priority fee.').waitFor();
    await page.getByText('The transaction has 1240 bytes, 8 too many').waitFor();
    await page.getByText('It would succeed.').waitFor();
    expect(await page.getByText(/^Set the compute unit price/).count()).toBe(0);
    await page.getByText('None', { exact: true }).click();
    await page.getByText('No priority fee: it lands when blocks have room.').waitFor();
    expect(await page.getByText('Without this priority fee.').count()).toBe(0);
  });
});
