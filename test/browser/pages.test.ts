import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  devices,
  evaluate,
  findViolations,
  hasChromium,
  layoutShift,
  openBrowser,
  openPage,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { startServer, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;

/** Addresses for the paths of pages. */
type Demo = {
  readonly market: string;
  readonly vault: string;
  readonly wallet: string;
  readonly obligation: string;
  readonly deposit: { readonly reserve: string };
};
let demo: Demo;

const pages: readonly { readonly name: string; readonly path: () => string }[] = [
  { name: 'overview', path: () => '/' },
  { name: 'market', path: () => `/markets/${demo.market}` },
  { name: 'reserve', path: () => `/reserves/${demo.deposit.reserve}` },
  { name: 'vaults', path: () => '/vaults' },
  { name: 'vault', path: () => `/vaults/${demo.vault}` },
  { name: 'loan', path: () => `/loans/${demo.obligation}` },
  { name: 'wallet', path: () => `/wallets/${demo.wallet}` },
  { name: 'loans of a wallet', path: () => `/wallets/${demo.wallet}?tab=loans` },
  { name: 'vaults of a wallet', path: () => `/wallets/${demo.wallet}?tab=earn` },
  { name: 'rewards of a wallet', path: () => `/wallets/${demo.wallet}?tab=rewards` },
  { name: 'activity of a wallet', path: () => `/wallets/${demo.wallet}?tab=activity` },
  { name: 'an empty wallet', path: () => `/wallets/${demo.market}` },
  { name: 'an address that is not valid', path: () => '/wallets/nobody' },
  { name: 'a vault that does not exist', path: () => `/vaults/${demo.market}` },
  { name: 'a loan that does not exist', path: () => `/loans/${demo.market}` },
  { name: 'build', path: () => '/build' },
  { name: 'decode', path: () => '/decode' },
  { name: 'status', path: () => '/status' },
  { name: 'a market that does not exist', path: () => `/markets/${demo.deposit.reserve}` },
];

describe.skipIf(!hasChromium)('pages', () => {
  beforeAll(async () => {
    const server = await startServer({}, onEnd);
    url = server.url;
    await waitUntilReady(url);
    demo = ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
    browser = await openBrowser();
    onEnd(() => void browser.close());
  });

  describe.each(devices)('$name', (device) => {
    test.each(pages)('$name', async ({ name, path }) => {
      const { page, problems } = await openPage(browser, url, device);
      await page.goto(`${url}${path()}`);
      await waitForContent(page);
      expect(await findViolations(page)).toEqual([]);
      // what replaces the skeleton of a page that does not exist is shorter
      const mayShift = name.includes('not exist');
      if (!mayShift) expect(await layoutShift(page)).toBeLessThan(0.01);
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await evaluate(page, overflow)).toBeLessThanOrEqual(0);
      // the browser itself reports a 404 of the API
      const expected = name.includes('not exist')
        ? problems.filter((text) => !/404/.test(text))
        : problems;
      expect(expected).toEqual([]);
      await page.close();
    });
  });

  const openWide = async (path: string) => {
    const [wide] = devices;
    if (wide === undefined) throw new Error('no device');
    const { page } = await openPage(browser, url, wide);
    onTestFinished(() => page.close());
    await page.goto(`${url}${path}`);
    await waitForContent(page);
    return page;
  };

  test('the health of a loan is that of the API', async () => {
    const page = await openWide(`/loans/${demo.obligation}`);
    const shown = await page
      .locator('.stat', { hasText: 'Health' })
      .first()
      .locator('data')
      .getAttribute('value');
    const response = await fetch(`${url}/klend/loans/${demo.obligation}`);
    const { loanInfo } = (await response.json()) as {
      loanInfo: { currentLtv: number; liquidationLtv: number };
    };
    // interest accrues between the two reads
    expect(Number(shown)).toBeCloseTo(loanInfo.liquidationLtv / loanInfo.currentLtv, 3);
  });

  test('the arrow keys change the price in the stress test, and the URL holds the change', async () => {
    const page = await openWide(`/loans/${demo.obligation}`);
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
    const page = await openWide(`/wallets/${demo.wallet}`);
    await page.getByText('Earn', { exact: true }).click();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('earn');
    await page.getByText('Loans', { exact: true }).first().click();
    await waitForContent(page);
    await page.locator('section.block[aria-label="Loans"] tbody a').first().click();
    await page.getByRole('heading', { level: 1, name: 'Loan' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/loans\//);
  });
});
