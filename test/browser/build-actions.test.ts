import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readExactRow } from '../support/browser/change-rows.ts';
import { createClusterWallet, rpcOf } from '../support/browser/cluster-wallet.ts';
import {
  findViolations,
  hasChromium,
  openPage,
  PHONE,
  WIDE,
} from '../support/browser/open-browser.ts';
import { type Demo, openSite } from '../support/browser/open-site.ts';
import { openRiskyLoan } from '../support/browser/risky-loan.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

/** Every builder for loans of every kind, used from the page. The figures of the preview are those of the chain afterwards. */

const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Demo & { readonly rpcUrl: string };
let loan: Loan;

type Position = {
  readonly mint: string;
  readonly symbol: string;
  readonly amount: string;
  readonly reserve: string;
};

type Loan = {
  readonly obligation: string;
  readonly market: string;
  readonly deposits: readonly Position[];
  readonly borrows: readonly Position[];
};

const readJson = async (path: string): Promise<unknown> => (await fetch(`${url}${path}`)).json();

/** The multiply loan of the demo wallet. */
async function readMultiplyLoan(): Promise<Loan> {
  const { multiply } = (await readJson(`/portfolio/${demo.wallet}`)) as { multiply: Loan[] };
  const [found] = multiply;
  if (found === undefined) throw new Error('the demo wallet has no multiply loan');
  return found;
}

const amounts = ({ deposits: [deposit], borrows: [borrow] }: Loan) => ({
  deposited: Number(deposit?.amount ?? 0),
  borrowed: Number(borrow?.amount ?? 0),
});

async function open(
  path: string,
  device = WIDE,
): Promise<{ page: Page; problems: readonly string[] }> {
  const opened = await openPage(browser, url, device);
  onTestFinished(() => opened.page.close());
  await opened.page.goto(`${url}${path}`);
  return opened;
}

async function sign(page: Page): Promise<void> {
  await page.getByText('It would succeed.').waitFor();
  await page.getByRole('button', { name: 'Sign with the demo wallet' }).click();
  await page.getByText(/It landed in slot/).waitFor();
}

const pathOf = (fields: Readonly<Record<string, string>>): string =>
  `/build?${new URLSearchParams(fields)}`;

/** Instructions of another program that change nothing: the wallet repays the flash loan with its own tokens. */
const NO_SWAP = JSON.stringify({
  instructions: [
    {
      programAddress: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      accounts: [],
      data: 'bm8gc3dhcA==',
    },
  ],
});

const BEFORE_AND_AFTER = 'The loan before and after';

describe.skipIf(!hasChromium)('builders from the page', () => {
  beforeAll(async () => {
    const site = await openSite(onEnd);
    ({ url, browser } = site);
    demo = site.demo as typeof demo;
    loan = await readMultiplyLoan();
    const call = rpcOf(demo);
    await call('tidegate_setLiquidationBot', [false]);
    await call('requestAirdrop', [demo.wallet, 300_000_000_000]);
    for (const { mint } of [...loan.deposits, ...loan.borrows])
      await call('tidegate_airdropToken', [demo.wallet, mint, String(200_000_000_000n)]);
  });

  test('a multiply loan is repaid, borrowed from, deposited into and withdrawn from', async () => {
    const { page, problems } = await open(`/loans/${loan.obligation}`);
    await page.getByRole('link', { name: 'Repay', exact: true }).click();
    const chosen = page.locator('select[data-field="obligation"]');
    await expect.poll(() => chosen.inputValue()).toBe(loan.obligation);
    const [deposit, borrow] = [loan.deposits[0]?.symbol ?? '', loan.borrows[0]?.symbol ?? ''];
    const title = new RegExp(`^Multiply: ${deposit} against ${borrow} · health \\d`);
    await expect.poll(() => chosen.locator(':checked').innerText()).toMatch(title);
    expect(await findViolations(page)).toEqual([]);
    const steps = [
      { action: 'Repay', position: 'borrows', verb: 'borrowed', change: -1 },
      { action: 'Borrow', position: 'borrows', verb: 'borrowed', change: 1 },
      { action: 'Deposit', position: 'deposits', verb: 'deposited', change: 1 },
      { action: 'Withdraw', position: 'deposits', verb: 'deposited', change: -1 },
    ] as const;
    for (const { action, position, verb, change } of steps) {
      await page.getByRole('radio', { name: action, exact: true }).check({ force: true });
      await page.locator('[data-field="reserve"]').selectOption(loan[position][0]?.reserve ?? '');
      await page.locator('[data-field="amount"]').fill('1');
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      const row = `${loan[position][0]?.symbol} ${verb}`;
      const [before = 0, after = 0] = await readExactRow(page, BEFORE_AND_AFTER, row);
      expect(after - before, action).toBeCloseTo(change, 3);
      await sign(page);
      const now = amounts(await readMultiplyLoan());
      expect(now[verb], action).toBeCloseTo(after, 3);
      await page.getByRole('button', { name: 'Check', exact: true }).waitFor();
    }
    expect(problems).toEqual([]);
  });

  test('leverage is lowered and raised with a swap of the caller, and the form says how to do without', async () => {
    // repays the flash loan: what is withdrawn or borrowed is unwrapped with all that the wallet has
    const wrapped = [demo.wallet, loan.borrows[0]?.mint, '10000000000'];
    await rpcOf(demo)('tidegate_airdropToken', wrapped);
    const { page, problems } = await open(`/loans/${loan.obligation}`);
    await page.getByRole('link', { name: 'Deleverage', exact: true }).click();
    await page.getByText('The server swaps nothing').waitFor();
    const without = page.getByText('Without a swap:');
    expect(await without.innerText()).toMatch(/repay with tokens of the wallet, then withdraw/);
    await page.locator('[data-field="amount"]').fill('2');
    await page.locator('[data-field="collateralAmount"]').fill('1.5');
    await page.locator('[data-field="swap"]').fill('{"instructions": []}');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText(/There are no instructions in it/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.locator('[data-field="swap"]').fill(NO_SWAP);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const [depositRow, debtRow] = [
      `${loan.deposits[0]?.symbol} deposited`,
      `${loan.borrows[0]?.symbol} borrowed`,
    ];
    const start = amounts(await readMultiplyLoan());
    const [, deposited = 0] = await readExactRow(page, BEFORE_AND_AFTER, depositRow);
    const [, borrowed = 0] = await readExactRow(page, BEFORE_AND_AFTER, debtRow);
    expect(deposited).toBeCloseTo(start.deposited - 1.5, 3);
    expect(borrowed).toBeCloseTo(start.borrowed - 2, 3);
    await sign(page);
    const lowered = amounts(await readMultiplyLoan());
    expect(lowered.deposited).toBeCloseTo(deposited, 3);
    expect(lowered.borrowed).toBeCloseTo(borrowed, 3);

    await page.getByRole('button', { name: 'Multiply next' }).click();
    await page.locator('[data-field="ownAmount"]').fill('0.5');
    await page.locator('[data-field="collateralAmount"]').fill('1');
    await page.locator('[data-field="amount"]').fill('1.25');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const [, more = 0] = await readExactRow(page, BEFORE_AND_AFTER, depositRow);
    expect(more).toBeCloseTo(lowered.deposited + 1.5, 3);
    await sign(page);
    const raised = amounts(await readMultiplyLoan());
    expect(raised.deposited).toBeCloseTo(more, 3);
    expect(raised.borrowed).toBeCloseTo(lowered.borrowed + 1.25, 2);
    expect(problems).toEqual([]);
  });

  test('the reward of a multiply loan has a value and is claimed', async () => {
    type Rewards = { farms: { delegatee: string; rewards: { mint: string; amount: string }[] }[] };
    const readReward = async () => {
      const { farms } = (await readJson(`/portfolio/${demo.wallet}/rewards`)) as Rewards;
      const [reward] = farms.find(({ delegatee }) => delegatee === loan.obligation)?.rewards ?? [];
      return { mint: reward?.mint ?? '', amount: Number(reward?.amount ?? 0) };
    };
    const { amount } = await readReward();
    const { page, problems } = await open(`/wallets/${demo.wallet}?tab=rewards`);
    const row = page
      .getByRole('row')
      .filter({ has: page.locator(`a[href$="/${loan.obligation}"]`) });
    await row.getByText(/^\$/).waitFor();
    await row.getByRole('link', { name: 'Claim', exact: true }).click();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      action: 'claim',
      market: loan.market,
      obligation: loan.obligation,
    });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const change = page.locator('.panel-facts dd data').first();
    const received = Number(await change.getAttribute('value'));
    expect(received).toBeGreaterThanOrEqual(amount);
    expect(received / amount).toBeCloseTo(1, 1);
    await sign(page);
    expect((await readReward()).amount).toBeLessThan(amount / 2);
    expect(problems).toEqual([]);
  });

  test('an unhealthy loan is listed by its market, and liquidated from there', async () => {
    const owner = await createClusterWallet({ url, rpcUrl: demo.rpcUrl }, 'owner');
    const { collateral, debt } = await openRiskyLoan(owner, { url, market: demo.market });
    const call = rpcOf(demo);
    const find = async () => {
      const { loans } = (await readJson(`/klend/liquidatable?market=${demo.market}&limit=100`)) as {
        loans: { loanId: string; owner: string; liquidations: Record<string, string>[] }[];
      };
      return loans.find((each) => each.owner === owner.address);
    };
    expect(await find()).toBeUndefined();
    onTestFinished(async () => void (await call('tidegate_setPrice', [collateral.reserve, null])));
    await call('tidegate_setPrice', [collateral.reserve, String(collateral.price * 0.8)]);
    await call('tidegate_warp', [{ seconds: 120 }]);
    const listed = await waitUntil(find, 'the loan can be liquidated');
    await call('tidegate_airdropToken', [demo.wallet, debt.mint, '2000000000']);

    const { page, problems } = await open(`/markets/${demo.market}`);
    const row = page.getByRole('row').filter({ has: page.locator(`a[href$="/${listed.loanId}"]`) });
    await row.getByRole('link', { name: 'Liquidate' }).click();
    await page.getByRole('button', { name: 'Demo wallet' }).click();
    await expect
      .poll(() => page.locator('select[data-field="obligation"]').inputValue())
      .toBe(listed.loanId);
    await page.getByText(/^At most .* a bonus of/).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    const debtRow = `${debt.symbol} borrowed`;
    const [before = 0, after = 0] = await readExactRow(page, BEFORE_AND_AFTER, debtRow);
    expect(before - after).toBeCloseTo(Number(listed.liquidations[0]?.['repayAmount']), 1);
    await sign(page);
    const { lending } = (await readJson(`/portfolio/${owner.address}`)) as { lending: Loan[] };
    expect(Number(lending[0]?.borrows[0]?.amount ?? 0)).toBeCloseTo(after, 2);
    expect(problems).toEqual([]);
  });

  test('a loan is closed by a plan, one transaction after the other', async () => {
    const { obligation } = demo;
    const { lending } = (await readJson(`/portfolio/${demo.wallet}`)) as { lending: Loan[] };
    const debts = lending.flatMap((each) => (each.obligation === obligation ? each.borrows : []));
    for (const { mint } of debts)
      await rpcOf(demo)('tidegate_airdropToken', [demo.wallet, mint, '100000000000']);
    const { page, problems } = await open(`/loans/${obligation}`);
    await page.getByRole('link', { name: 'Close loan', exact: true }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByRole('heading', { name: 'All transactions' }).waitFor();
    const total = await page.locator('.plan-steps > li').count();
    expect(total).toBeGreaterThan(1);
    expect(await findViolations(page)).toEqual([]);
    const done = page.locator('.plan-steps > li.is-done');
    for (let step = 1; step <= total; step += 1) {
      await sign(page);
      if (step === total) break;
      await page.getByRole('button', { name: 'Check the next transaction' }).click();
      await expect.poll(() => done.count()).toBe(step);
    }
    // a cluster does not announce that an account is closed, so the API notices it with its next scan
    const readAccount = async () =>
      ((await rpcOf(demo)('getAccountInfo', [obligation])) as { readonly value: unknown }).value;
    await expect.poll(readAccount).toBeNull();
    expect(problems).toEqual([]);
  });

  test('a vault is left on a phone', async () => {
    const held = async () => {
      const list = (await readJson(`/kvaults/users/${demo.wallet}/positions`)) as {
        vaultAddress: string;
        totalShares: string;
      }[];
      return Number(list.find(({ vaultAddress }) => vaultAddress === demo.vault)?.totalShares ?? 0);
    };
    expect(await held()).toBeGreaterThan(0);
    const fields = { action: 'vault-exit', wallet: demo.wallet, vault: demo.vault, step: 'check' };
    const { page, problems } = await open(pathOf(fields), PHONE);
    await page.getByRole('heading', { name: 'All transactions' }).waitFor();
    const total = await page.locator('.plan-steps > li').count();
    for (let index = 0; index < total; index += 1) {
      await sign(page);
      if (index < total - 1)
        await page.getByRole('button', { name: 'Check the next transaction' }).click();
    }
    expect(await held()).toBe(0);
    expect(problems).toEqual([]);
  });
});
