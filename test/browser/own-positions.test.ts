import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FrozenApi, freezeApi } from '../support/browser/frozen-api.ts';
import { findViolations, hasChromium, openPage, WIDE } from '../support/browser/open-browser.ts';
import { openSite, type Site } from '../support/browser/open-site.ts';
import { blockOf, expectCells, expectStats } from '../support/browser/page-figures.ts';
import { choose, watchAddress } from '../support/browser/wallet-menu.ts';
import { fileScope } from '../support/processes/test-scope.ts';

const onEnd = fileScope();
let site: Site;

/** Addresses without positions. */
const STRANGER = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const NEWCOMER = '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR';
const SOL_MINT = 'So11111111111111111111111111111111111111112';

async function openTab() {
  const opened = await openPage(site.browser, site.url, WIDE);
  onTestFinished(() => opened.page.close());
  return opened;
}

async function open(path: string) {
  const opened = await openTab();
  await opened.page.goto(`${site.url}${path}`);
  return opened;
}

async function callRpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const { demo } = (await (await fetch(`${site.url}/status`)).json()) as {
    readonly demo: { readonly rpcUrl: string };
  };
  const response = await fetch(demo.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

type ListedReserve = { readonly reserve: string; readonly liquidityTokenMint: string };

async function reserveOf(mint: string): Promise<string> {
  const response = await fetch(`${site.url}/svc-market/${site.demo.market}/reserves/metrics`);
  const reserves = (await response.json()) as readonly ListedReserve[];
  const found = reserves.find(({ liquidityTokenMint }) => liquidityTokenMint === mint);
  if (found === undefined) throw new Error(`no reserve of ${mint}`);
  return found.reserve;
}

describe.skipIf(!hasChromium)('what the connected wallet has and can do', () => {
  beforeAll(async () => {
    site = await openSite(onEnd);
  });

  describe('positions', () => {
    /** A page of the connected demo wallet, with answers that stay. */
    async function openOwn(path: string): Promise<{ page: Page; api: FrozenApi }> {
      const { page } = await openTab();
      const { wallet } = site.demo;
      const stored = { kind: 'demo', name: 'Demo wallet', address: wallet, chain: '' };
      await page.addInitScript({
        content: `localStorage.setItem('tidegate-wallet', '${JSON.stringify(stored)}')`,
      });
      const api = await freezeApi(page, site.url);
      await page.goto(`${site.url}${path}`);
      return { page, api };
    }

    test('of the wallet on the overview and in a market', async () => {
      const { wallet, market, obligation } = site.demo;
      const { page, api } = await openOwn('/');
      const portfolio = await api.get(`/portfolio/${wallet}`);
      const loan = portfolio
        .at('lending')
        .items.find((each) => each.at('obligation').text === obligation);
      const health = Number(loan?.at('liquidationLtv').text) / Number(loan?.at('ltv').text);
      await expectCells(blockOf(page, 'My positions'), obligation, {
        'Net value': Number(loan?.at('netValue').text),
        Health: health,
      });
      const vault = portfolio.at('earn', 0);
      await expectCells(blockOf(page, 'My positions'), vault.at('vault').text, {
        'Net value': vault.at('netValue').number,
      });
      await page.goto(`${site.url}/markets/${market}`);
      const block = blockOf(page, 'My loans in this market');
      await expectCells(block, obligation, {
        Collateral: Number(loan?.at('totalDepositValue').text),
        Debt: Number(loan?.at('totalBorrowValue').text),
        Health: health,
      });
      const row = block.locator('tbody tr', { has: page.locator(`a[href*="${obligation}"]`) });
      await row.first().getByRole('link', { name: 'Repay' }).click();
      const fields = Object.fromEntries(new URL(page.url()).searchParams);
      expect(fields).toMatchObject({ action: 'repay', market, obligation });
      expect(await page.locator('[data-field="wallet"]').inputValue()).toBe(wallet);
    });

    test('in a reserve and a vault, with the balance of the wallet', async () => {
      const { wallet, vault, obligation, borrow } = site.demo;
      const { page, api } = await openOwn(`/reserves/${borrow.reserve}`);
      const portfolio = await api.get(`/portfolio/${wallet}`);
      const debt = portfolio
        .at('lending')
        .items.flatMap((loan) => loan.at('borrows').items)
        .find((each) => each.at('reserve').text === borrow.reserve);
      await expectCells(blockOf(page, 'My position'), obligation, {
        Amount: Number(debt?.at('amount').text),
        Value: Number(debt?.at('value').text),
      });
      await page.getByRole('link', { name: 'Repay' }).first().click();
      expect(new URL(page.url()).searchParams.get('reserve')).toBe(borrow.reserve);

      await page.goto(`${site.url}/vaults/${vault}`);
      const shares = portfolio.at('earn').items.find((each) => each.at('vault').text === vault);
      const mint = shares?.at('tokenMint').text ?? '';
      const balances = await api.get(`/portfolio/${wallet}/balances?mints=${mint}`);
      await expectStats(blockOf(page, 'My shares'), {
        Shares: Number(shares?.at('shares').text),
        Worth: Number(shares?.at('amount').text),
        Value: Number(shares?.at('netValue').text),
        'In the wallet': balances.at('tokens', 0, 'amount').number,
      });
      expect(await findViolations(page)).toEqual([]);
    });
  });

  describe('actions', () => {
    test('tables and pages of reserves lead to the filled form, also without a wallet', async () => {
      const { market } = site.demo;
      const reserve = await reserveOf(SOL_MINT);
      const { page } = await open(`/markets/${market}`);
      const row = blockOf(page, 'Reserves').locator('tbody tr', {
        has: page.locator(`a[href$="/reserves/${reserve}"]`),
      });
      await row.getByRole('link', { name: 'Borrow' }).click();
      await page.getByRole('heading', { name: 'Build a transaction' }).waitFor();
      const expectFields = async (action: string) => {
        const fields = Object.fromEntries(new URL(page.url()).searchParams);
        expect(fields).toEqual({ action, market, reserve });
        await expect.poll(() => page.locator('[data-field="reserve"]').inputValue()).toBe(reserve);
      };
      await expectFields('borrow');
      expect(await page.locator('[data-field="wallet"]').inputValue()).toBe('');
      await page.goto(`${site.url}/reserves/${reserve}`);
      await choose(page, 'Demo wallet');
      await page.getByRole('link', { name: 'Deposit' }).first().click();
      await page.getByRole('heading', { name: 'Build a transaction' }).waitFor();
      await expectFields('deposit');
      expect(await page.locator('[data-field="wallet"]').inputValue()).toBe(site.demo.wallet);
    });

    test('the most SOL that a new wallet can deposit leaves what its accounts cost', async () => {
      const address = await newWallet(1_000_000_000);
      const { page } = await open(`/reserves/${await reserveOf(SOL_MINT)}`);
      await watchAddress(page, address);
      await page.getByRole('link', { name: 'Deposit' }).first().click();
      await page.getByText(/The wallet has 1\sSOL; Max leaves 0\.0435\sSOL for/).waitFor();
      await page.getByRole('button', { name: 'Max' }).click();
      // less the rent of 1032, 3344, 920 and 165 bytes and of an empty account, and 0.001 SOL
      expect(await page.getByLabel('Amount in SOL').inputValue()).toBe('0.95653704');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('It would succeed.').waitFor();
      await page
        .getByText(/loan account/)
        .first()
        .waitFor();
    });

    test('the most of another token is all of it, in a vault as well', async () => {
      const { wallet, vault } = site.demo;
      const { page } = await open(`/vaults/${vault}`);
      await choose(page, 'Demo wallet');
      await page.getByRole('link', { name: 'Deposit', exact: true }).click();
      await page.getByRole('button', { name: 'Max' }).click();
      const response = await fetch(`${site.url}/kvaults/vaults/${vault}`);
      const { state } = (await response.json()) as { readonly state: { tokenMint: string } };
      const held = await heldTokens(wallet, state.tokenMint);
      expect(await page.locator('[data-field="amount"]').inputValue()).toBe(held);
    });

    test('the most that can be borrowed is what the server suggests, and succeeds', async () => {
      const { market, borrow, wallet } = site.demo;
      const { page } = await open(`/reserves/${borrow.reserve}`);
      await choose(page, 'Demo wallet');
      await page.getByRole('link', { name: 'Borrow' }).first().click();
      await page.getByRole('button', { name: 'Max' }).click();
      await page.getByText(/Leaves room for moving prices and interest/).waitFor();
      const amount = await page.locator('[data-field="amount"]').inputValue();
      const build = async (of: string) => {
        const response = await fetch(`${site.url}/ktx/klend/borrow?preview=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ wallet, market, reserve: borrow.reserve, amount: of }),
        });
        return ((await response.json()) as { preview: { success: boolean } }).preview.success;
      };
      expect(await build(amount)).toBe(true);
      expect(await build((Number(amount) * 1.05).toFixed(2))).toBe(false);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByText('It would succeed.').waitFor();
    });

    test('a wallet without a loan is told why it has no maximum', async () => {
      const { market, borrow } = site.demo;
      const { page } = await open(
        `/build?action=borrow&market=${market}&reserve=${borrow.reserve}`,
      );
      await watchAddress(page, STRANGER);
      await page.getByRole('button', { name: 'Max' }).click();
      const amount = page.locator('[data-field="amount"]');
      const field = page.locator('.field', { has: amount });
      await field.locator('.field-note', { hasText: /loan/ }).waitFor();
      expect(await amount.inputValue()).toBe('');
    });
  });
});

type TokenAccounts = {
  readonly value: readonly {
    readonly account: {
      readonly data: {
        readonly parsed: {
          readonly info: { readonly tokenAmount: { readonly uiAmountString: string } };
        };
      };
    };
  }[];
};

/** What the node says that a wallet has of a token, in whole tokens. */
async function heldTokens(wallet: string, mint: string): Promise<string | undefined> {
  const options = { encoding: 'jsonParsed' };
  const accounts = await callRpc('getTokenAccountsByOwner', wallet, { mint }, options);
  const [first] = (accounts as TokenAccounts).value;
  return first?.account.data.parsed.info.tokenAmount.uiAmountString;
}

/** A wallet that has nothing but SOL. */
async function newWallet(lamports: number): Promise<string> {
  await callRpc('requestAirdrop', NEWCOMER, lamports);
  await expect
    .poll(async () => (await callRpc('getBalance', NEWCOMER)) as { value: number })
    .toMatchObject({ value: lamports });
  return NEWCOMER;
}
