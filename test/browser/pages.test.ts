import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  evaluate,
  findDeviceViolations,
  findLayoutShifts,
  hasChromium,
  openPage,
  PHONE,
  type WatchedPage,
  WIDE,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let site: Site;

const pages: readonly { readonly name: string; readonly path: (demo: Site['demo']) => string }[] = [
  { name: 'overview', path: () => '/' },
  { name: 'market', path: (demo) => `/markets/${demo.market}` },
  { name: 'reserve', path: (demo) => `/reserves/${demo.deposit.reserve}` },
  { name: 'vaults', path: () => '/vaults' },
  { name: 'vault', path: (demo) => `/vaults/${demo.vault}` },
  { name: 'loan', path: (demo) => `/loans/${demo.obligation}` },
  { name: 'wallet', path: (demo) => `/wallets/${demo.wallet}` },
  { name: 'loans of a wallet', path: (demo) => `/wallets/${demo.wallet}?tab=loans` },
  { name: 'vaults of a wallet', path: (demo) => `/wallets/${demo.wallet}?tab=earn` },
  { name: 'rewards of a wallet', path: (demo) => `/wallets/${demo.wallet}?tab=rewards` },
  { name: 'activity of a wallet', path: (demo) => `/wallets/${demo.wallet}?tab=activity` },
  { name: 'an empty wallet', path: (demo) => `/wallets/${demo.market}` },
  { name: 'an address that is not valid', path: () => '/wallets/nobody' },
  { name: 'a vault that does not exist', path: (demo) => `/vaults/${demo.market}` },
  { name: 'a loan that does not exist', path: (demo) => `/loans/${demo.market}` },
  { name: 'build', path: () => '/build' },
  { name: 'decode', path: () => '/decode' },
  { name: 'a transaction that nobody knows', path: () => `/transactions/${'1'.repeat(64)}` },
  { name: 'a signature that is not valid', path: () => '/transactions/nothing' },
  { name: 'status', path: () => '/status' },
  { name: 'proof', path: () => '/proof' },
  { name: 'a market that does not exist', path: (demo) => `/markets/${demo.deposit.reserve}` },
];

/** How many pixels the page is wider than the screen. */
const overflow = (page: Page): Promise<unknown> =>
  evaluate(page, 'document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Tables of which a part is out of sight. */
const findCutTables = (page: Page): Promise<unknown> =>
  evaluate(
    page,
    `[...document.querySelectorAll('.table-frame')]
      .filter((frame) => frame.scrollWidth > frame.clientWidth)
      .map((frame) => frame.scrollWidth - frame.clientWidth + ' px of ' + frame.innerText.slice(0, 80))`,
  );

describe.skipIf(!hasChromium)('pages', () => {
  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  describe.each([WIDE, PHONE])('$name', (device) => {
    // a new tab costs more than the page
    let tab: WatchedPage;
    beforeAll(async () => {
      tab = await openPage(site.browser, site.url, device);
    });

    test.each(pages)('$name', async ({ name, path }) => {
      const { page, problems } = tab;
      problems.length = 0;
      await page.emulateMedia({ colorScheme: device.theme });
      await page.goto(`${site.url}${path(site.demo)}`);
      await waitForContent(page);
      const isUnknown = name.includes('not exist');
      // what replaces the skeleton of a page that does not exist is shorter
      if (!isUnknown) expect(await findLayoutShifts(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await findCutTables(page)).toEqual([]);
      expect(await findDeviceViolations(page, device)).toEqual([]);
      // the browser itself reports a 404 of the API
      const unexpected = problems.filter((text) => !(isUnknown && /404/.test(text)));
      expect(unexpected).toEqual([]);
    });
  });

  test('long errors of a source move nothing that was painted', async () => {
    const { page } = await openPage(site.browser, site.url, PHONE);
    onTestFinished(() => page.close());
    const error =
      'the socket was silent for 10 seconds and three reads in a row timed out, so it is not used';
    await page.route('**/status', async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      const response = await route.fetch();
      const status = (await response.json()) as { clusters: { source: { reason: string } }[] };
      for (const { source } of status.clusters) source.reason = error;
      return route.fulfill({ response, json: status });
    });
    await page.goto(`${site.url}/status`);
    await waitForContent(page);
    await page.getByText(error).first().waitFor();
    expect(await findLayoutShifts(page)).toEqual([]);
  });

  const openWide = async (path: string) => {
    const { page } = await openPage(site.browser, site.url, WIDE);
    onTestFinished(() => page.close());
    await page.goto(`${site.url}${path}`);
    await waitForContent(page);
    return page;
  };

  test('the health of a loan is that of the API', async () => {
    const page = await openWide(`/loans/${site.demo.obligation}`);
    const shown = await page
      .locator('.stat', { hasText: 'Health' })
      .first()
      .locator('data')
      .getAttribute('value');
    const response = await fetch(`${site.url}/klend/loans/${site.demo.obligation}`);
    const { loanInfo } = (await response.json()) as {
      loanInfo: { currentLtv: number; liquidationLtv: number };
    };
    // interest accrues between the two reads
    expect(Number(shown)).toBeCloseTo(loanInfo.liquidationLtv / loanInfo.currentLtv, 3);
  });

  test('the arrow keys change the price in the stress test, and the URL holds the change', async () => {
    const page = await openWide(`/loans/${site.demo.obligation}`);
    const stress = page.locator('section.block[aria-label="What if prices change"]');
    const netValue = async () =>
      Number(
        await stress
          .locator('.stat', { hasText: 'Net value' })
          .locator('data')
          .getAttribute('value'),
      );
    const before = await netValue();
    await page.getByRole('slider').focus();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
    await stress.getByText('−3 %', { exact: true }).waitFor();
    expect(await netValue()).toBeLessThan(before);
    expect(new URL(page.url()).searchParams.get('stress.change')).toBe('-3');
    await page.reload();
    await stress.getByText('−3 %', { exact: true }).waitFor();
  });

  test('a tab of a wallet is in the URL, and its rows open their pages', async () => {
    const page = await openWide(`/wallets/${site.demo.wallet}`);
    await page.getByText('Earn', { exact: true }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('earn');
    await page.getByText('Loans', { exact: true }).first().click();
    await waitForContent(page);
    await page.locator('section.block[aria-label="Loans"] tbody a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Loan' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/loans\//);
  });
});
