import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasChromium, openPage, WIDE, waitForContent } from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let site: Site;

async function open(path: string): Promise<Page> {
  const { page } = await openPage(site.browser, site.url, WIDE);
  onTestFinished(() => page.close());
  await page.goto(`${site.url}${path}`);
  await waitForContent(page);
  return page;
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""');
const short = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`;

describe.skipIf(!hasChromium)('navigation', () => {
  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  test('each page names the window by what it shows', async () => {
    const { wallet, obligation } = site.demo;
    const page = await open('/');
    for (const [path, title] of [
      ['/', 'Overview'],
      ['/vaults', 'Vaults'],
      ['/build', 'Build a transaction'],
      ['/decode', 'Decode a transaction'],
      ['/proof', 'Proof'],
      ['/status', 'Status'],
      [`/wallets/${wallet}`, `Wallet ${short(wallet)}`],
      [`/loans/${obligation}`, `Loan ${short(obligation)}`],
      [`/markets/${site.demo.market}`, 'Main Market'],
    ] as const) {
      await page.goto(`${site.url}${path}`);
      await expect.poll(() => page.title(), { message: path }).toBe(`${title} · Tidegate`);
    }
  });

  test('after a link the keyboard goes on in the new page, whose title is announced', async () => {
    const page = await open('/');
    const announced = page.locator('main [role=status]').first();
    expect(await announced.textContent()).toBe('');
    expect(await focused(page)).not.toBe('main');
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Vaults').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => announced.textContent()).toBe('Vaults');
    expect(await focused(page)).toBe('main');
    await page.keyboard.press('Tab');
    const isInPage = "document.getElementById('main').contains(document.activeElement)";
    expect(await page.evaluate<boolean>(isInPage)).toBe(true);
    await page.goBack();
    await expect.poll(() => announced.textContent()).toBe('Overview');
    expect(await page.title()).toBe('Overview · Tidegate');
    expect(await focused(page)).toBe('main');
  });

  test.each([
    ['/healt', /The nearest is \/health\./],
    ['/docs/guide/nope', /The path does not exist/],
  ])('%s says that it does not exist and has the search', async (path, reason) => {
    const { page } = await openPage(site.browser, site.url, WIDE);
    onTestFinished(() => page.close());
    const response = await page.goto(`${site.url}${path}`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByText(reason).waitFor();
    expect(await page.title()).toBe('Not found · Tidegate');
    await page.keyboard.press('/');
    await page.keyboard.type('bitcoin');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bitcoin Credit' }).waitFor();
    await expect.poll(() => page.title()).toBe('Bitcoin Credit · Tidegate');
  });
});
