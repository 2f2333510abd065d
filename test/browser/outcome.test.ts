import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { withoutTokens } from '../support/browser/empty-wallet.ts';
import {
  type Device,
  findViolations,
  hasChromium,
  openPage,
  PHONE,
  WIDE,
  waitForContent,
} from '../support/browser/open-browser.ts';
import { type Demo, type DemoAction, openSite } from '../support/browser/open-site.ts';
import { passExpiry } from '../support/browser/pass-expiry.ts';
import { saveScreenshot } from '../support/browser/screenshots.ts';
import {
  addWallet,
  sendToCluster,
  type WalletConduct,
} from '../support/browser/standard-wallet.ts';
import { readWalletKey } from '../support/localnet/wallet-keys.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;
let key: Uint8Array;

const BEFORE_AND_NOW = 'The loan before, as expected, and now';
type Options = {
  readonly conduct: WalletConduct;
  readonly chain?: string;
  readonly device?: Device;
  readonly beforeSending?: () => Promise<void>;
};

/** A page with a checked transaction, and a wallet to sign it. */
async function openCheck(
  action: string,
  { reserve, amount }: DemoAction,
  { device = WIDE, ...conduct }: Options,
): Promise<{ page: Page; problems: readonly string[] }> {
  const { wallet, market, rpcUrl } = demo;
  const opened = await openPage(browser, url, device);
  onTestFinished(() => opened.page.close());
  await addWallet(opened.page, { key, rpcUrl, ...conduct });
  const fields = { action, wallet, market, reserve, amount, step: 'check' };
  await opened.page.goto(`${url}/build?${new URLSearchParams(fields)}`);
  await opened.page.getByText('It would succeed.').waitFor();
  return opened;
}

const sign = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign with Test Wallet' }).click();

/** An amount that no other test uses: equal transactions with one blockhash are one. */
const slightlyMore = ({ reserve, amount }: DemoAction, more: number): DemoAction => ({
  reserve,
  amount: (Number(amount) + more / 1_000).toFixed(3),
});

type LoanReport = {
  readonly loanInfo: { readonly currentLtv: number; readonly liquidationLtv: number };
};

async function readHealth(): Promise<number> {
  const response = await fetch(`${url}/klend/loans/${demo.obligation}`);
  const { loanInfo } = (await response.json()) as LoanReport;
  return loanInfo.liquidationLtv / loanInfo.currentLtv;
}

/** The figures of a row of a table, as they are shown. */
async function readRow(page: Page, table: string, name: string): Promise<number[]> {
  const row = page.getByRole('table', { name: table }).getByRole('row', { name }).first();
  await row.waitFor();
  const cells = await row.locator('data').all();
  return Promise.all(cells.map(async (cell) => Number(await cell.getAttribute('value'))));
}

/** The page of the transaction that the page has sent. */
async function openTransaction(page: Page, device: Device): Promise<string[]> {
  const signature = new URL(page.url()).searchParams.get('sent') ?? '';
  await page.locator(`a[href*="/transactions/${signature}"]`).first().click();
  await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor();
  const { wallet } = demo;
  const row = page.getByRole('table', { name: 'Balance changes' }).locator('tbody tr').first();
  await row.waitFor();
  expect(await row.locator(`a[href*="${wallet}"]`).count()).toBe(1);
  await waitForContent(page);
  expect(await findViolations(page)).toEqual([]);
  await saveScreenshot(page, `transaction-${signature.slice(0, 4)}-${device.name}`);
  const values = await row.locator('data').all();
  return Promise.all(values.map(async (each) => (await each.getAttribute('value')) ?? ''));
}

describe.skipIf(!hasChromium)('outcome', () => {
  beforeAll(async () => {
    const site = await openSite(onEnd);
    ({ url, browser, demo } = site);
    key = readWalletKey(site.dataDir, 0);
  });

  test.each([WIDE, PHONE])(
    '$name: a transaction that the wallet sends lands, also after a reload',
    async (device) => {
      const more = device === WIDE ? 1 : 2;
      const action = slightlyMore(demo.borrow, more);
      const { page, problems } = await openCheck('borrow', action, {
        conduct: 'signs and sends',
        device,
      });
      const before = await readHealth();
      await sign(page);
      await page.getByText(/It landed in slot/).waitFor();
      const [shownBefore = 0, expected = 0] = await readRow(page, BEFORE_AND_NOW, 'Health');
      expect(shownBefore).toBeCloseTo(before, 2);
      expect(expected).toBeLessThan(shownBefore);
      const readNow = async () => (await readRow(page, BEFORE_AND_NOW, 'Health'))[2] ?? 0;
      await expect.poll(readNow).toBeCloseTo(expected, 2);
      expect(await readHealth()).toBeCloseTo(await readNow(), 2);
      // the block is finalized later
      await page.getByText('not final yet').waitFor({ state: 'detached' });
      expect(await findViolations(page)).toEqual([]);

      await page.reload();
      await page.getByText(/It landed in slot/).waitFor();
      expect((await readRow(page, BEFORE_AND_NOW, 'Health')).slice(0, 2)).toEqual([
        shownBefore,
        expected,
      ]);
      await saveScreenshot(page, `outcome-landed-${device.name}`);
      expect(problems).toEqual([]);

      const other = await openPage(browser, url, device);
      onTestFinished(() => other.page.close());
      await other.page.goto(page.url());
      await other.page.getByText(/It landed in slot/).waitFor();
      await other.page.getByText(/known only in the tab/).waitFor();
      await saveScreenshot(other.page, `outcome-other-tab-${device.name}`);
      expect(other.problems).toEqual([]);

      const [held = '', after = '', change = ''] = await openTransaction(page, device);
      expect(change).toBe(action.amount);
      expect(Number(after) - Number(held)).toBeCloseTo(Number(action.amount), 6);
      await page.getByText(/^Landed\./).waitFor();
      await page.getByText(`Borrow ${action.amount} USDC against`).waitFor();
      await page.getByRole('table', { name: 'State before and after' }).waitFor();
      expect(problems).toEqual([]);
    },
  );

  test.each([WIDE, PHONE])(
    '$name: one that fails on chain says why, that the fee was taken, and can be built again',
    async (device) => {
      const repay = slightlyMore(demo.repay, device === WIDE ? 1 : 2);
      let release = (): void => undefined;
      const isRead = new Promise<void>((resolve) => {
        release = resolve;
      });
      let emptied: Promise<void> | undefined;
      const { page, problems } = await openCheck('repay', repay, {
        conduct: 'signs and sends',
        device,
        // somebody else takes the tokens while the wallet is open
        beforeSending: () =>
          new Promise((resolve) => {
            emptied = withoutTokens({ url, demo }, repay.reserve, async () => {
              resolve();
              await isRead;
            });
          }),
      });
      await sign(page);
      await page.getByText(/^It failed in slot/).waitFor();
      release();
      await emptied;
      await page.getByText(/Nothing was changed; the fee of .*SOL was taken/).waitFor();
      await page.getByText(/Add tokens to the wallet/).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.reload();
      await page.getByText(/^It failed in slot/).waitFor();
      await saveScreenshot(page, `outcome-failed-${device.name}`);
      expect((await openTransaction(page, device)).at(-1)).toBe('-0.000005');
      await page.getByText(/^Failed\./).waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Build again' }).click();
      await page.getByText('It would succeed.').waitFor();
      expect(new URL(page.url()).searchParams.has('sent')).toBe(false);
      expect(problems).toEqual([]);
    },
  );

  test.each([WIDE, PHONE])(
    '$name: one that is never sent is pending, then expires, and can be built again',
    async (device) => {
      const action = slightlyMore(demo.borrow, device === WIDE ? 3 : 4);
      const { page } = await openCheck('borrow', action, { conduct: 'never sends', device });
      const health = await readHealth();
      await sign(page);
      await page.getByText('Sent. Waiting for a block that has it.').waitFor();
      await page.reload();
      await page.getByText('Sent. Waiting for a block that has it.').waitFor();
      await page.getByText(/It can land for about/).waitFor();
      await saveScreenshot(page, `outcome-pending-${device.name}`);
      expect(await page.getByRole('button', { name: 'Build again' }).count()).toBe(0);
      await passExpiry({ url, demo });
      await page.getByText('It expired. Nothing was taken.').waitFor();
      expect(await findViolations(page)).toEqual([]);
      await page.reload();
      await page.getByText('It expired. Nothing was taken.').waitFor();
      await saveScreenshot(page, `outcome-expired-${device.name}`);
      expect(await readHealth()).toBeCloseTo(health, 2);
      await page.getByRole('button', { name: 'Build again' }).click();
      await page.getByText('It would succeed.').waitFor();
      await page.getByRole('button', { name: 'Sign with Test Wallet' }).waitFor();
    },
  );

  test('one that the wallet only signs is followed until somebody sends it', async () => {
    const action = slightlyMore(demo.deposit, 5);
    const { page, problems } = await openCheck('deposit', action, { conduct: 'only signs' });
    await sign(page);
    await page.getByText('Signed and not sent.').waitFor();
    await page.reload();
    await page.getByText('Signed and not sent.').waitFor();
    const signed = await page.getByLabel('The signed transaction in base64').inputValue();
    await saveScreenshot(page, 'outcome-signed');
    await sendToCluster(demo.rpcUrl, signed);
    await page.getByText(/It landed in slot/).waitFor();
    expect(await page.getByLabel('The signed transaction in base64').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('a wallet that rejects sends nothing, and can be asked again', async () => {
    const { page, problems } = await openCheck('deposit', demo.deposit, { conduct: 'rejects' });
    await sign(page);
    await page.getByText('Test Wallet: User rejected the request.').waitFor();
    expect(new URL(page.url()).searchParams.has('sent')).toBe(false);
    expect(await page.getByRole('button', { name: 'Sign with Test Wallet' }).isEnabled()).toBe(
      true,
    );
    await page.reload();
    await page.getByText('It would succeed.').waitFor();
    expect(problems).toEqual([]);
  });

  test('a wallet on another chain is not offered', async () => {
    const { page } = await openCheck('deposit', demo.deposit, {
      conduct: 'signs and sends',
      chain: 'solana:mainnet',
    });
    await page.getByRole('button', { name: 'Sign with the demo wallet' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign with Test Wallet' }).count()).toBe(0);
  });

  test('the demo wallet goes the same way', async () => {
    const action = slightlyMore(demo.deposit, 6);
    const { page } = await openCheck('deposit', action, { conduct: 'rejects' });
    await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
    await page.getByText(/It landed in slot/).waitFor();
    const sent = new URL(page.url()).searchParams;
    expect(sent.get('sent')).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    expect(sent.get('until')).toMatch(/^\d+$/);
    await page.reload();
    await page.getByText(/It landed in slot/).waitFor();
  });
});
