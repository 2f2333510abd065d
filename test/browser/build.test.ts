import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readExactRow } from '../support/browser/change-rows.ts';
import {
  evaluate,
  findViolations,
  hasChromium,
  openPage,
  WIDE,
} from '../support/browser/open-browser.ts';
import { type Demo, type DemoAction, openSite } from '../support/browser/open-site.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo;

async function open(path: string): Promise<{ page: Page; problems: readonly string[] }> {
  const opened = await openPage(browser, url, WIDE);
  onTestFinished(() => opened.page.close());
  await opened.page.goto(`${url}${path}`);
  return opened;
}

type Loan = {
  readonly loanInfo: { readonly currentLtv: number; readonly liquidationLtv: number };
};

/** Liquidation threshold divided by LTV, from the API. */
async function readHealth(): Promise<number> {
  const response = await fetch(`${url}/klend/loans/${demo.obligation}`);
  const { loanInfo } = (await response.json()) as Loan;
  return loanInfo.liquidationLtv / loanInfo.currentLtv;
}

/** All shares of the demo wallet in the demo vault, from the API. */
async function readShares(): Promise<number> {
  const response = await fetch(`${url}/kvaults/users/${demo.wallet}/positions`);
  const list = (await response.json()) as { vaultAddress: string; totalShares: string }[];
  return Number(list.find(({ vaultAddress }) => vaultAddress === demo.vault)?.totalShares ?? 0);
}

/** A row of a table of figures as numbers. */
async function readRow(page: Page, table: string, name: string): Promise<number[]> {
  const row = page.getByRole('table', { name: table }).getByRole('row', { name });
  await row.first().waitFor();
  const cells = await row.first().getByRole('cell').allInnerTexts();
  return cells.map((cell) => Number(cell.replaceAll(/[^\d.]/g, '')));
}

const loanPath = (action: string, { reserve, amount }: DemoAction): string => {
  const { wallet, market } = demo;
  return `/build?${new URLSearchParams({ action, wallet, market, reserve, amount, step: 'check' })}`;
};

describe.skipIf(!hasChromium)('build', () => {
  beforeAll(async () => {
    ({ url, browser, demo } = await openSite(onEnd));
  });

  test('a borrow is previewed, signed with the demo wallet, lowers health, and is repaid', async () => {
    const health = await readHealth();
    const { page, problems } = await open(loanPath('borrow', demo.borrow));
    const [before = 0, after = 0] = await readRow(page, 'The loan before and after', 'Health');
    expect(before).toBeCloseTo(health, 1);
    expect(after).toBeLessThan(before);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
    await page.getByText(/It landed in slot/).waitFor();
    const [, , now = 0] = await readRow(page, 'The loan before, as expected, and now', 'Health');
    expect(now).toBeCloseTo(after, 2);
    expect(await readHealth()).toBeCloseTo(now, 2);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Repay next' }).click();
    expect(new URL(page.url()).searchParams.get('action')).toBe('repay');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
    await page.getByText(/It landed in slot/).waitFor();
    expect(await readHealth()).toBeGreaterThan(now);
    expect(await readHealth()).toBeCloseTo(health, 1);
    expect(problems).toEqual([]);
  });

  test('a deposit with the keyboard alone', async () => {
    const { page, problems } = await open('/build');
    const { keyboard } = page;
    const focused = page.locator(':focus');
    /** Presses Tab until an element has the focus that matches. */
    const tabTo = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await keyboard.press('Tab');
        if ((await page.locator(`${selector}:focus`).count()) > 0) return;
      }
      throw new Error(`the keyboard does not reach ${selector}`);
    };
    await page.getByRole('button', { name: 'Demo wallet' }).waitFor();
    await tabTo('input[type="radio"]');
    await tabTo('input[data-field="wallet"]');
    await keyboard.type(demo.wallet);
    await tabTo('select[data-field="market"]');
    await keyboard.type('Main');
    await tabTo('select[data-field="reserve"]');
    await keyboard.type('SOL');
    await tabTo('input[data-field="amount"]');
    await keyboard.type('0.01');
    await keyboard.press('Enter');
    await page.getByText('It would succeed.').waitFor();
    expect(await focused.getAttribute('data-step')).toBe('check');
    await tabTo('button.primary');
    expect(await focused.innerText()).toBe('Sign with the demo wallet');
    const outline = 'getComputedStyle(document.activeElement).outlineStyle';
    expect(await evaluate(page, outline)).toBe('solid');
    await keyboard.press('Enter');
    await page.getByText(/It landed in slot/).waitFor();
    expect(await focused.getAttribute('data-step')).toBe('sent');
    expect(problems).toEqual([]);
  });

  test('missing fields are explained, and the first one has the focus', async () => {
    const { page } = await open('/build?action=borrow&amount=1,5');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Use a point before the decimals').waitFor();
    await page.getByText('Choose a market.').waitFor();
    expect(await page.locator(':focus').getAttribute('data-field')).toBe('wallet');
    expect(await findViolations(page)).toEqual([]);
  });

  test('a borrow above the limit says why, and what would be possible', async () => {
    const { page } = await open(loanPath('borrow', { ...demo.borrow, amount: '100000000' }));
    await page.getByText(/^It would fail: /).waitFor();
    await page.getByRole('heading', { name: 'What would make it possible' }).waitFor();
    await page.getByText('Nothing to sign.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign with the demo wallet' }).count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: /^Use / }).click();
    await page.getByText('It would succeed.').waitFor();
  });

  test('a wallet without a loan is refused with the code, and can deposit instead', async () => {
    const path = loanPath('repay', { ...demo.borrow, amount: '1' });
    const stranger = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
    const { page } = await open(path.replace(demo.wallet, stranger));
    await page.getByText('Refused: no transaction is built.').waitFor();
    await page.getByText(/KLEND_OBLIGATION_NOT_FOUND/).waitFor();
    await page.getByRole('button', { name: 'Deposit instead' }).click();
    expect(new URL(page.url()).searchParams.get('action')).toBe('deposit');
  });

  test('a loan leads to a borrow with the form filled in', async () => {
    const { page, problems } = await open(`/loans/${demo.obligation}`);
    await page.getByRole('link', { name: 'Borrow', exact: true }).click();
    await page.getByRole('heading', { name: 'Build a transaction' }).waitFor();
    const { wallet, market, obligation } = demo;
    const fields = Object.fromEntries(new URL(page.url()).searchParams);
    expect(fields).toMatchObject({ action: 'borrow', wallet, market, obligation });
    expect(await page.locator('[data-field="wallet"]').inputValue()).toBe(wallet);
    await expect.poll(() => page.locator('[data-field="market"]').inputValue()).toBe(market);
    expect(await page.locator('[data-field="reserve"]').inputValue()).toBe(fields['reserve']);
    expect(fields['reserve']).toBeDefined();
    await page.locator('[data-field="amount"]').fill('0.01');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('It would succeed.').waitFor();
    expect(await page.getByText('This is another loan').count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a vault deposit shows the shares before, after, and once it has landed', async () => {
    const { wallet, vault } = demo;
    const held = await readShares();
    const { page, problems } = await open(`/vaults/${vault}`);
    await page.getByRole('link', { name: 'Deposit', exact: true }).click();
    await page.getByRole('heading', { name: 'Build a transaction' }).waitFor();
    const fields = Object.fromEntries(new URL(page.url()).searchParams);
    expect(fields).toEqual({ action: 'vault-deposit', vault });
    await page.locator('[data-field="wallet"]').fill(wallet);
    await page.getByLabel(/^Amount in [A-Za-z]+$/).fill('1');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/^The wallet pays /).waitFor();
    const table = 'The position before and after';
    const [before = 0, after = 0] = await readExactRow(page, table, 'Shares');
    expect(before).toBeCloseTo(held, 5);
    expect(after).toBeGreaterThan(before);
    const [worth = 0, worthAfter = 0] = await readExactRow(page, table, 'Worth in tokens');
    // what is paid for is worth what was paid, but for the rounding to whole shares
    expect(worthAfter - worth).toBeCloseTo(1, 3);
    expect(await findViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
    await page.getByText(/It landed in slot/).waitFor();
    await expect.poll(readShares).toBeGreaterThan(held);
    const live = 'The position before, as expected, and now';
    await expect
      .poll(async () => (await readExactRow(page, live, 'Shares'))[2])
      .toBeCloseTo(await readShares(), 5);
    expect(await readShares()).toBeCloseTo(after, 3);
    // away from the figures, whose tooltip is in no landmark
    await page.mouse.move(0, 0);
    expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('a claim names its reward token by the symbol', async () => {
    const { page } = await open(`/wallets/${demo.wallet}?tab=rewards`);
    await page.getByRole('link', { name: 'Claim', exact: true }).first().click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const summary = page.locator('.build-summary');
    await summary.waitFor();
    expect(await summary.innerText()).toMatch(/^Claim [\d.]+ [A-Z]\w{1,9} /);
  });

  test('a wallet of the Wallet Standard signs the transaction that is shown', async () => {
    const opened = await openPage(browser, url, WIDE);
    const { page } = opened;
    onTestFinished(() => page.close());
    await page.addInitScript({ content: standardWallet(demo.wallet) });
    await page.goto(`${url}${loanPath('deposit', demo.deposit)}`);
    await page.getByRole('button', { name: 'Sign with Test Wallet' }).click();
    const signed = page.getByLabel('The signed transaction in base64');
    await signed.waitFor();
    const bytes = Buffer.from(await signed.inputValue(), 'base64');
    // the wallet writes a signature of sevens
    expect([...bytes.subarray(0, 3)]).toEqual([1, 7, 7]);
    expect(bytes.length).toBeGreaterThan(200);
  });

  test('a wallet, or an account of one, for another cluster does not sign', async () => {
    const opened = await openPage(browser, url, WIDE);
    const { page } = opened;
    onTestFinished(() => page.close());
    const wallets = [
      standardWallet(demo.wallet, { name: 'Elsewhere', chain: 'solana:mainnet' }),
      standardWallet(demo.wallet, { name: 'Other Account', accountChain: 'solana:devnet' }),
    ];
    await page.addInitScript({ content: wallets.map((each) => `{ ${each} }`).join('\n') });
    await page.goto(`${url}${loanPath('deposit', demo.deposit)}`);
    await page.getByRole('button', { name: 'Sign with Other Account' }).click();
    await page.getByText(/does not have the account .* on solana:localnet/).waitFor();
    expect(await page.getByRole('button', { name: /Elsewhere/ }).count()).toBe(0);
  });

  test('the unsigned transaction is shown as text and as a QR code', async () => {
    const { page } = await open(loanPath('deposit', demo.deposit));
    await page.getByText('Sign elsewhere').click();
    await page.getByRole('switch', { name: 'QR code' }).click();
    await page.getByRole('img', { name: 'QR code of the unsigned transaction' }).waitFor();
    const text = await page.getByLabel('The unsigned transaction in base64').inputValue();
    expect(Buffer.from(text, 'base64').length).toBeLessThanOrEqual(1232);
    expect(await findViolations(page)).toEqual([]);
  });
});

const LOCALNET = 'solana:localnet';

/** A script with a wallet that signs and does not send. */
const standardWallet = (
  address: string,
  { name = 'Test Wallet', chain = LOCALNET, accountChain = LOCALNET } = {},
): string => `
  const account = { address: ${JSON.stringify(address)}, chains: ['${accountChain}'] };
  const wallet = {
    version: '1.0.0', name: '${name}', chains: ['${chain}'], accounts: [],
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'solana:signTransaction': {
        signTransaction: async ({ transaction }) => {
          const signedTransaction = transaction.slice();
          signedTransaction.fill(7, 1, 65);
          return [{ signedTransaction }];
        },
      },
    },
  };
  const announce = ({ register }) => register(wallet);
  window.addEventListener('wallet-standard:app-ready', ({ detail }) => announce(detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }));
`;
