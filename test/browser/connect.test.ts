import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  addWallet,
  type ConnectWalletOptions,
  changeAccounts,
  connectPrompts,
  isGranted,
  lockWallet,
} from '../support/browser/connect-wallet.ts';
import {
  type Device,
  evaluate,
  findViolations,
  hasChromium,
  openPage,
  PHONE,
  WIDE,
} from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { blockOf } from '../support/browser/page-figures.ts';
import {
  choose,
  expectConnected,
  expectDisconnected,
  walletButton,
  walletPanel,
  watchAddress,
} from '../support/browser/wallet-menu.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let site: Site;

/** Addresses without positions. */
const FIRST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const SECOND = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';

async function openTab(device: Device = WIDE) {
  const opened = await openPage(site.browser, site.url, device);
  onTestFinished(() => opened.page.close());
  return opened;
}

async function open(path: string, device: Device = WIDE) {
  const opened = await openTab(device);
  await opened.page.goto(`${site.url}${path}`);
  return opened;
}

async function openWith(wallets: readonly ConnectWalletOptions[], path = '/vaults') {
  const opened = await openTab();
  for (const wallet of wallets) await addWallet(opened.page, wallet);
  await opened.page.goto(`${site.url}${path}`);
  return opened;
}

const newsOf = (page: Page) => page.locator('.wallet-menu [role=status]');

describe.skipIf(!hasChromium)('connect in the frame', () => {
  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  test('the demo wallet, over pages and reloads, until it is disconnected', async () => {
    const { page, problems } = await open('/vaults');
    const { wallet } = site.demo;
    await walletButton(page).focus();
    await page.keyboard.press('Enter');
    await walletPanel(page).getByText('Connect a wallet').waitFor();
    expect(await walletButton(page).getAttribute('aria-expanded')).toBe('true');
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Demo wallet');
    await page.keyboard.press('Enter');
    await expectConnected(page, wallet);
    await walletPanel(page).waitFor({ state: 'hidden' });
    expect(await page.locator(':focus').getAttribute('class')).toContain('wallet-button');
    expect(await newsOf(page).textContent()).toBe(`Demo wallet: ${wallet} is connected.`);
    expect(problems).toEqual([]);

    await page.getByRole('banner').getByRole('link', { name: 'My positions' }).click();
    await page.getByRole('heading', { name: 'Wallet' }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/wallets/${wallet}`);
    await page.reload();
    await expectConnected(page, wallet);

    await walletButton(page).click();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await walletPanel(page).waitFor({ state: 'hidden' });
    await choose(page, 'Disconnect');
    await expectDisconnected(page);
    expect(await page.getByRole('link', { name: 'My positions' }).count()).toBe(0);
    await page.reload();
    await expectDisconnected(page);
  });

  test('a wallet of the browser is asked once, and connects silently after a reload', async () => {
    const { page } = await openWith([{ addresses: [FIRST, SECOND] }]);
    await choose(page, 'Test Wallet');
    await expectConnected(page, FIRST);
    const focused = () => page.locator(':focus').getAttribute('class');
    await expect.poll(focused).toContain('wallet-button');
    expect(await connectPrompts(page)).toBe(1);
    await page.reload();
    await expectConnected(page, FIRST);
    await walletButton(page).click();
    await walletPanel(page).getByText('It signs in this browser').waitFor();
    expect(await connectPrompts(page)).toBe(0);
    await walletPanel(page).getByRole('button', { name: 'Disconnect' }).click();
    await expectDisconnected(page);
    await expect.poll(() => isGranted(page)).toBe(false);
  });

  test('one of several accounts of the wallet is chosen, and stays over pages and reloads', async () => {
    const { page } = await openWith([{ addresses: [FIRST, SECOND] }], '/build');
    await choose(page, 'Test Wallet');
    await expectConnected(page, FIRST);
    const field = page.locator('[data-field="wallet"]');
    await field.fill('');
    await walletButton(page).click();
    expect(await findViolations(page)).toEqual([]);
    await walletPanel(page).getByLabel('Account').selectOption(SECOND);
    await expectConnected(page, SECOND);
    await expect.poll(() => field.inputValue()).toBe(SECOND);
    await page.reload();
    await expectConnected(page, SECOND);
    await changeAccounts(page, [FIRST]);
    await expectConnected(page, FIRST);
    await walletButton(page).click();
    await walletPanel(page).getByRole('button', { name: 'Disconnect' }).waitFor();
    expect(await walletPanel(page).getByLabel('Account').count()).toBe(0);
  });

  test('another account of the wallet is followed, also one that was chosen meanwhile', async () => {
    const { page } = await openWith([{ addresses: [FIRST] }], '/build');
    await choose(page, 'Test Wallet');
    const field = page.locator('[data-field="wallet"]');
    await expect.poll(() => field.inputValue()).toBe(FIRST);
    await changeAccounts(page, [SECOND, FIRST]);
    // it stays while the wallet has it
    expect(await field.inputValue()).toBe(FIRST);
    await changeAccounts(page, [SECOND]);
    await expectConnected(page, SECOND);
    await expect.poll(() => field.inputValue()).toBe(SECOND);
    // the script of the wallet begins with the first again
    await page.reload();
    await expectConnected(page, FIRST);
    await changeAccounts(page, []);
    await expectDisconnected(page);
    expect(await newsOf(page).textContent()).toContain('has no account for this page any more');
    expect(await field.inputValue()).toBe('');
  });

  test('a wallet that grants nothing after a reload stays, and is asked when it signs', async () => {
    const { page } = await openWith([{ addresses: [FIRST] }]);
    await choose(page, 'Test Wallet');
    await expectConnected(page, FIRST);
    await lockWallet(page);
    await page.reload();
    await expectConnected(page, FIRST);
    expect(await connectPrompts(page)).toBe(0);
  });

  test('only what fits to the chain connects', async () => {
    const { page } = await openWith([
      { name: 'Elsewhere', addresses: [FIRST], chain: 'solana:mainnet' },
      { name: 'Other Account', addresses: [FIRST], accountChain: 'solana:devnet' },
    ]);
    await choose(page, 'Other Account');
    await page.getByText('Other Account has no account for solana:localnet.').waitFor();
    expect(await walletPanel(page).getByRole('button', { name: 'Elsewhere' }).count()).toBe(0);
    await expectDisconnected(page);
    await evaluate(
      page,
      `localStorage.setItem('tidegate-wallet', '${JSON.stringify({
        ...{ kind: 'browser', name: 'Elsewhere', address: FIRST, chain: 'solana:mainnet' },
      })}')`,
    );
    await page.reload();
    await expectDisconnected(page);
  });

  test('an address is watched, and one that is none is explained', async () => {
    const { page, problems } = await open('/');
    await walletButton(page).click();
    const input = page.getByLabel('Watch an address');
    await input.fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('An address has 32 to 44 characters of base58.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await watchAddress(page, FIRST);
    await blockOf(page, 'My positions').getByText('No loans or vault shares').waitFor();
    await page.getByRole('link', { name: 'Build' }).first().click();
    await expect.poll(() => page.locator('[data-field="wallet"]').inputValue()).toBe(FIRST);
    expect(problems).toEqual([]);
  });

  test('another tab is connected with it', async () => {
    const context = await site.browser.newContext();
    onTestFinished(() => context.close());
    const [page, other] = [await context.newPage(), await context.newPage()];
    for (const each of [page, other]) await each.goto(`${site.url}/vaults`);
    await expectDisconnected(other);
    await choose(page, 'Demo wallet');
    await expectConnected(other, site.demo.wallet);
  });

  test('on a phone', async () => {
    const { page, problems } = await open(`/reserves/${site.demo.deposit.reserve}`, PHONE);
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(await findViolations(page)).toEqual([]);
    await walletPanel(page).getByRole('button', { name: 'Demo wallet' }).click();
    await blockOf(page, 'My position').getByText('In the wallet').waitFor();
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await evaluate(page, wider)).toBeLessThanOrEqual(0);
    expect(await findViolations(page)).toEqual([]);
    await walletButton(page).click();
    await walletPanel(page).getByRole('link', { name: 'My positions' }).click();
    await page.getByRole('heading', { name: 'Wallet' }).first().waitFor();
    await walletPanel(page).waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });
});
