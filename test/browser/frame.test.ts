import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type Device,
  findViolations,
  hasChromium,
  openPage,
  PHONE,
  WIDE,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let site: Site;

async function open(path: string, device: Device = WIDE) {
  const opened = await openPage(site.browser, site.url, device);
  onTestFinished(() => opened.page.close());
  await opened.page.goto(`${site.url}${path}`);
  return opened;
}

const themeOf = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

/** Place, size and look of the parts that every page has. */
const READ_FRAME = `[
  '.navigation', '.navigation li:nth-child(2) a', '.navigation li:last-child', '.topbar',
  '#search-input', '#theme-button', '#theme-button svg:not([hidden])', '.footer', '.footer a',
].map((selector) => {
  const element = document.querySelector(selector);
  const { x, y, width, height } = element.getBoundingClientRect();
  const { backgroundColor, font, borderTop, padding } = getComputedStyle(element);
  const place = selector.startsWith('.footer') ? { x, height } : { x, y, height };
  return [selector, place, width, { backgroundColor, font, borderTop, padding }];
})`;

async function readFrame(page: Page, path: string): Promise<unknown> {
  await page.goto(`${site.url}${path}`);
  await page.locator('main h1, main h2').first().waitFor();
  return page.evaluate(READ_FRAME);
}

describe.skipIf(!hasChromium)('the frame of explorer and documentation', () => {
  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  test.each([
    { ...WIDE, width: 1440 },
    { ...WIDE, width: 1440, theme: 'dark' as const },
    { ...PHONE, theme: 'light' as const },
    PHONE,
  ])('has the same places, sizes and colours: $width px, $theme', async (device) => {
    const { page, problems } = await openPage(site.browser, site.url, device);
    onTestFinished(() => page.close());
    const explorer = await readFrame(page, '/status');
    for (const path of ['/docs/', '/docs/guide/tour', '/docs/operations/getLoan']) {
      expect(await readFrame(page, path), path).toEqual(explorer);
    }
    expect(problems).toEqual([]);
  });

  test('a theme that is chosen on one page holds on all, before they are painted', async () => {
    const { page } = await open('/docs/');
    const light = await themeOf(page);
    const button = page.locator('#theme-button');
    await page.getByRole('button', { name: 'Colours: system. Change to light' }).click();
    expect(await themeOf(page)).toBe(light);
    await button.click();
    const dark = await themeOf(page);
    expect(dark).not.toBe(light);
    await page.goto(`${site.url}/`);
    expect(await themeOf(page)).toBe(dark);
    await page.getByRole('button', { name: 'Colours: dark. Change to system' }).click();
    await page.getByRole('button', { name: 'Colours: system. Change to light' }).click();
    expect(await themeOf(page)).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.route('**/*-*.js', async (route) => {
      const isTheme = route.request().url().includes('/theme-');
      return isTheme ? route.continue() : route.abort();
    });
    for (const path of ['/docs/guide/tour', '/']) {
      await page.goto(`${site.url}${path}`);
      expect(await themeOf(page), path).toBe(light);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('the theme follows the choice in another tab', async () => {
    const context = await site.browser.newContext();
    onTestFinished(() => context.close());
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto(`${site.url}/docs/guide/tour`);
    await other.goto(`${site.url}/status`);
    const before = await themeOf(page);
    await other.locator('#theme-button').click();
    await other.locator('#theme-button').click();
    await expect.poll(() => themeOf(page)).not.toBe(before);
    expect(await themeOf(page)).toBe(await themeOf(other));
  });

  const firstOf = (page: Page) => page.getByRole('option').first();

  test.each(['/', '/docs/guide/tour'])('from %s the search opens a market', async (path) => {
    const { page, problems } = await open(path);
    await page.keyboard.press('/');
    await page.keyboard.type('bitcoin credit');
    await firstOf(page).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Bitcoin Credit' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/markets\//);
    expect(problems).toEqual([]);
  });

  test.each(['/', '/docs/'])('from %s the search opens an operation and a guide', async (path) => {
    const { page, problems } = await open(path);
    for (const [text, title, address] of [
      ['loan report', 'Loan report', '/docs/operations/getLoan'],
      ['five-minute', 'Five-minute tour', '/docs/guide/tour'],
    ] as const) {
      await page.goto(`${site.url}${path}`);
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await firstOf(page).filter({ hasText: title }).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${address}*`);
    }
    expect(problems).toEqual([]);
  });

  test('an address in the search of the documentation opens its page in the explorer', async () => {
    const { page } = await open('/docs/');
    await page.locator('#search-input').fill(site.demo.wallet);
    await page.getByRole('option', { name: 'Wallet' }).click();
    await page.waitForURL(`**/wallets/${site.demo.wallet}`);
    await waitForContent(page);
  });

  test('without the index of the documentation the search finds markets, and says so', async () => {
    const { page } = await open('/status');
    await page.route('**/docs/search.json', (route) => route.abort());
    await page.locator('#search-input').fill('bitcoin');
    await firstOf(page).filter({ hasText: 'Bitcoin Credit' }).waitFor();
    await page.getByText('The documentation cannot be searched now.').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test.each([WIDE, PHONE])('$name: an open search is accessible', async (device) => {
    for (const path of ['/status', '/docs/guide/tour']) {
      const { page } = await open(path, device);
      await page.locator('#search-input').fill('sol');
      await firstOf(page).waitFor();
      expect(await findViolations(page), path).toEqual([]);
    }
  });

  test('without scripts the documentation is readable, and its links work', async () => {
    const page = await site.browser.newPage({ javaScriptEnabled: false });
    onTestFinished(() => page.close());
    await page.goto(`${site.url}/docs/guide/tour`);
    expect(await page.locator('main h1').textContent()).toBe('Five-minute tour');
    expect(await page.locator('#search-input').isVisible()).toBe(false);
    await page.locator('#page-nav').getByText('Glossary').click();
    await page.waitForURL('**/docs/guide/glossary');
    await page.locator('.navigation').getByText('Docs').click();
    await page.waitForURL('**/docs/');
    await page.locator('.navigation').getByText('Status').click();
    await page.waitForURL('**/status');
  });
});
