import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freezeApi, type Json } from '../support/browser/frozen-api.ts';
import { findViolations, hasChromium, waitForContent } from '../support/browser/open-browser.ts';
import { openSite } from '../support/browser/open-site.ts';
import { blockOf, expectStats, readStat, total } from '../support/browser/page-figures.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { WAIT_LIMIT_MS } from '../support/waiting/wait-until.ts';

/** What the pages say about the figures and the risk of a loan, computed here from the same answers of the API. */
const onEnd = fileScope();
let url: string;
let browser: Browser;
let demo: Json;

async function open(path: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(WAIT_LIMIT_MS);
  onTestFinished(() => page.close());
  const api = await freezeApi(page, url);
  await page.goto(`${url}${path}`);
  await waitForContent(page);
  return { page, api };
}

const weighted = (items: readonly Json[], weight: string): number =>
  items.reduce((sum, each) => sum + each.at('tokenValue').number * each.at(weight).number, 0);

const positionsOf = (report: Json) => ({
  deposits: report.at('loanInfo', 'collateral', 'deposits').items,
  debts: report.at('loanInfo', 'debt', 'borrows').items,
});

describe.skipIf(!hasChromium)('loans', () => {
  beforeAll(async () => {
    ({ url, browser } = await openSite(onEnd));
    const page = await browser.newPage();
    demo = (await (await freezeApi(page, url)).get('/status')).at('demo');
    await page.close();
  });

  test('health, profit and its parts', async () => {
    const loan = demo.at('obligation').text;
    const { page, api } = await open(`/loans/${loan}`);
    const report = await api.get(`/klend/loans/${loan}`);
    const { deposits, debts } = positionsOf(report);
    const adjusted = weighted(debts, 'borrowFactor');
    const value = total(deposits, 'tokenValue');
    await expectStats(blockOf(page, 'Health'), {
      Health: weighted(deposits, 'liquidationLtv') / adjusted,
      LTV: adjusted / value,
      'Net value': value - total(debts, 'tokenValue'),
      Deposits: value,
      Debt: total(debts, 'tokenValue'),
      Leverage: report.at('leverage').number,
    });
    const path = `/v2/svc-market/${demo.at('market').text}/obligations/${loan}`;
    const earned = await api.get(`${path}/interest-fees`);
    const paid = await api.get(`${path}/interest-paid`);
    const gained = earned.at('totalFeesEarnedObligation', loan, 'usdFees').number;
    const cost = paid.at('totalFeesPaidObligation', loan, 'usdFees').number;
    const profit = await api.get(`${path}/pnl`);
    await expectStats(blockOf(page, 'What the profit is made of'), {
      'Interest earned': gained,
      'Interest paid': cost,
      'Prices and fees': profit.at('usd').number - gained + cost,
      Together: profit.at('usd').number,
    });
    await expectStats(blockOf(page, 'Profit'), {
      'In dollars': profit.at('usd').number,
      'In SOL': profit.at('sol').number,
      'Paid in, net': profit.at('invested', 'usd').number,
    });
  });

  test('the net APY is that of the positions by value, and the slot is said once', async () => {
    const loan = demo.at('obligation').text;
    const { page, api } = await open(`/loans/${loan}`);
    const { deposits, debts } = positionsOf(await api.get(`/klend/loans/${loan}`));
    const market = demo.at('market').text;
    const reserves = (await api.get(`/svc-market/${market}/reserves/metrics`)).items;
    const statsOf = (position: Json) => {
      const mint = position.at('tokenMint').text;
      const reserve = reserves.find((each) => each.at('liquidityTokenMint').text === mint);
      return api.get(`/reserves/${reserve?.at('reserve').text}/stats`);
    };
    const yearly = async (positions: readonly Json[], ...keys: readonly string[]) => {
      const parts = positions.map(async (each) => {
        const rate = (await statsOf(each)).at(...keys).number;
        // a yield that is not known is left out, and named
        return Number.isNaN(rate) ? 0 : each.at('tokenValue').number * rate;
      });
      return (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
    };
    const earned = await yearly(deposits, 'supplyApyBreakdown', 'lending');
    const paid = await yearly(debts, 'borrowApyBreakdown', 'borrow');
    const staking =
      (await yearly(deposits, 'supplyApyBreakdown', 'underlying')) -
      (await yearly(debts, 'supplyApyBreakdown', 'underlying'));
    const net = total(deposits, 'tokenValue') - total(debts, 'tokenValue');
    const block = blockOf(page, 'Net APY');
    await expectStats(block, {
      'Without rewards': (earned - paid + staking) / net,
      'Interest earned': earned,
      'Interest paid': paid,
      'Staking yield': staking,
    });
    const unknown = await Promise.all(
      deposits.map(async (each) => {
        const rate = (await statsOf(each)).at('supplyApyBreakdown', 'underlying').number;
        return Number.isNaN(rate) ? [`the staking yield of ${each.at('tokenName').text}`] : [];
      }),
    );
    for (const what of unknown.flat()) expect(await block.innerText()).toContain(what);
    const rewards = await readStat(block, 'Rewards');
    expect(rewards).toBeGreaterThan(0);
    await expectStats(block, { 'With rewards': (earned - paid + staking + rewards) / net });
    expect(await page.getByText(/True for slot/).count()).toBe(1);
  });

  test('a loan of staked SOL against SOL says which ratio decides, and no price in dollars', async () => {
    const { api } = await open('/');
    const portfolio = await api.get(`/portfolio/${demo.at('wallet').text}`);
    const loan = portfolio.at('multiply', 0, 'obligation').text;
    const { page, api: answers } = await open(`/loans/${loan}`);
    const { deposits, debts } = positionsOf(await answers.get(`/klend/loans/${loan}`));
    const ratio =
      (deposits[0]?.at('tokenPrice').number ?? 0) / (debts[0]?.at('tokenPrice').number ?? 0);
    const limit = weighted(deposits, 'liquidationLtv');
    const price = (ratio * weighted(debts, 'borrowFactor')) / limit;
    const sentence = blockOf(page, 'Health').locator('.loan-prices li');
    await expect.poll(() => sentence.count()).toBe(1);
    expect(await sentence.innerText()).toMatch(/^If JitoSOL falls to [\d.]+\sSOL \(−[\d.]+\s%\)/);
    const figures = await sentence.locator('data').all();
    const values = await Promise.all(
      figures.map(async (each) => Number(await each.getAttribute('value'))),
    );
    expect(values[0]).toBeCloseTo(price, 9);
    expect(values[1]).toBeCloseTo(price / ratio - 1, 9);
    expect(values[2]).toBeCloseTo(ratio, 9);
    await page.getByText('JitoSOL and SOL together').click();
    const slider = blockOf(page, 'What if prices change').getByRole('slider');
    const health = await readStat(blockOf(page, 'Health'), 'Health');
    await slider.fill('-50');
    const stressed = blockOf(page, 'What if prices change');
    await expect.poll(() => readStat(stressed, 'Health then')).toBeCloseTo(health, 6);
  });
});

type LoanDebts = {
  readonly loanInfo: {
    readonly debt: { readonly borrows: readonly { readonly maxBorrowableAmount: number }[] };
  };
};

describe.skipIf(!hasChromium)('the risk of a transaction', () => {
  const borrow = async (part: number): Promise<string> => {
    const market = demo.at('market').text;
    const response = await fetch(`${url}/klend/loans/${demo.at('obligation').text}`);
    const report = (await response.json()) as LoanDebts;
    const [debt] = report.loanInfo.debt.borrows;
    const amount = String(Math.floor((debt?.maxBorrowableAmount ?? 0) * part));
    const reserve = demo.at('borrow', 'reserve').text;
    const wallet = demo.at('wallet').text;
    const fields = { action: 'borrow', wallet, market, reserve, amount, step: 'check' };
    return `/build?${new URLSearchParams(fields)}`;
  };

  test('a borrow close to the liquidation is confirmed before it can be signed', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_LIMIT_MS);
    onTestFinished(() => page.close());
    await page.goto(`${url}${await borrow(0.9)}`);
    await page.getByText('Close to liquidation').first().waitFor();
    // a day is recorded
    await page
      .getByText(/too few to judge by/)
      .first()
      .waitFor();
    const sign = page.getByRole('button', { name: 'Sign with the demo wallet' });
    const confirm = page.getByRole('checkbox', { name: /can be liquidated soon/ });
    await confirm.waitFor();
    expect(await sign.count()).toBe(0);
    expect(await findViolations(page)).toEqual([]);
    await confirm.check();
    await sign.waitFor();
    await confirm.uncheck();
    await expect.poll(() => sign.count()).toBe(0);
  });

  test('a small borrow has no warning', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(WAIT_LIMIT_MS);
    onTestFinished(() => page.close());
    await page.goto(`${url}${await borrow(0.01)}`);
    await page.getByRole('button', { name: 'Sign with the demo wallet' }).waitFor();
    expect(await page.getByText(/liquidation\./).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });
});
