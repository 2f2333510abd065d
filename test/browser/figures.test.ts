import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  healthOf,
  oraclePrice,
  readReserves,
  readWallet,
  VAULT_REWARDS,
  VAULT_VALUE,
} from '../support/browser/api-figures.ts';
import { freezeApi, type Json } from '../support/browser/frozen-api.ts';
import { hasChromium, waitForContent } from '../support/browser/open-browser.ts';
import { openSite } from '../support/browser/open-site.ts';
import {
  blockOf,
  columnOf,
  expectCells,
  expectStats,
  readStat,
  rounded,
  total,
} from '../support/browser/page-figures.ts';
import { fileScope } from '../support/processes/test-scope.ts';
import { WAIT_LIMIT_MS } from '../support/waiting/wait-until.ts';

/**
 * The figures on the pages are those of the API. The page gets each answer of the API once, and the figures are computed
 * here from the same answers, in floating point: the page sums exactly, so they agree in the first nine digits.
 */
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

describe.skipIf(!hasChromium)('figures', () => {
  beforeAll(async () => {
    ({ url, browser } = await openSite(onEnd));
    const page = await browser.newPage();
    demo = (await (await freezeApi(page, url)).get('/status')).at('demo');
    await page.close();
  });

  test('overview', async () => {
    const { page, api } = await open('/');
    const reserves = await readReserves(api);
    const vaults = (await api.get('/kvaults/vaults/metrics')).at('result').items;
    const markets = (await api.get('/v2/svc-market')).items;
    const counts = await Promise.all(
      markets.map(async (market) => {
        const path = `/svc-market/${market.at('lendingMarket').text}/metrics/history`;
        return (await api.get(path)).at(-1, 'metrics', 'obligations').number;
      }),
    );
    await expectStats(blockOf(page, 'Totals'), {
      Supplied: total(reserves, 'totalSupplyUsd'),
      Borrowed: total(reserves, 'totalBorrowUsd'),
      Earn: total(vaults, ...VAULT_VALUE),
      Loans: counts.reduce((sum, count) => sum + count, 0),
    });
    expect(markets.length).toBeGreaterThan(0);
    for (const market of markets) {
      const address = market.at('lendingMarket').text;
      const { items } = await api.get(`/svc-market/${address}/reserves/metrics`);
      const supplied = items.filter((each) => each.at('totalSupply').number > 0);
      await expectCells(blockOf(page, 'Markets'), address, {
        Supplied: total(items, 'totalSupplyUsd'),
        Borrowed: total(items, 'totalBorrowUsd'),
        'Best supply': Math.max(...supplied.map((each) => each.at('supplyApy').number)),
      });
    }
  });

  test('market', async () => {
    const market = demo.at('market').text;
    const { page, api } = await open(`/markets/${market}`);
    const { items } = await api.get(`/svc-market/${market}/reserves/metrics`);
    const history = await api.get(`/svc-market/${market}/metrics/history`);
    const [supplied, borrowed] = [total(items, 'totalSupplyUsd'), total(items, 'totalBorrowUsd')];
    await expectStats(blockOf(page, 'Totals'), {
      Supplied: supplied,
      Borrowed: borrowed,
      Utilization: borrowed / supplied,
      Loans: history.at(-1, 'metrics', 'obligations').number,
    });
    expect(items.length).toBeGreaterThan(0);
    for (const reserve of items) {
      await expectCells(blockOf(page, 'Reserves'), reserve.at('reserve').text, {
        Supplied: reserve.at('totalSupplyUsd').number,
        Tokens: reserve.at('totalSupply').number,
        Borrowed: reserve.at('totalBorrowUsd').number,
        'Supply APY': reserve.at('supplyApy').number,
        'Borrow APY': reserve.at('borrowApy').number,
        'Max LTV': reserve.at('maxLtv').number,
      });
    }
  });

  test('reserve', async () => {
    const address = demo.at('deposit', 'reserve').text;
    const { page, api } = await open(`/reserves/${address}`);
    const reserve = (await readReserves(api)).find((each) => each.at('reserve').text === address);
    if (reserve === undefined) throw new Error('no reserve');
    await expectStats(blockOf(page, 'Now'), {
      'Supply APY': reserve.at('supplyApy').number,
      'Borrow APY': reserve.at('borrowApy').number,
      Supplied: reserve.at('totalSupplyUsd').number,
      Borrowed: reserve.at('totalBorrowUsd').number,
      Price: await oraclePrice(api, demo.at('market').text),
    });
    const stats = await api.get(`/markets/${demo.at('market').text}/reserves/${address}/stats`);
    const unit = stats.at('interestRateBasis').text === 'trueApr' ? 'second' : 'slot';
    await blockOf(page, 'Now').getByText(`per ${unit}, compounded`).waitFor();
    // the page reads the current state with two ranges of the history, a slot or two apart
    const path = `/svc-market/${demo.at('market').text}/reserves/${address}/metrics/history`;
    const points = (await api.all(path)).map((each) => each.at('history', -1, 'metrics'));
    const utilization = points.map((metrics) => metrics.at('utilizationRatio').number);
    const shown = await readStat(blockOf(page, 'Now'), 'Utilization');
    expect(rounded(utilization)).toContain(rounded([shown])[0]);
  });

  test('vaults', async () => {
    const { page, api } = await open('/vaults');
    const vaults = (await api.get('/kvaults/vaults/metrics')).at('result').items;
    const totals = blockOf(page, 'All vaults');
    await expectStats(totals, { TVL: total(vaults, ...VAULT_VALUE) });
    expect(await totals.locator('.stat-value').first().innerText()).toBe(String(vaults.length));
    expect(vaults.length).toBeGreaterThan(0);
    for (const vault of vaults) {
      await expectCells(blockOf(page, 'Vaults'), vault.at('kvault').text, {
        TVL: total([vault], ...VAULT_VALUE),
        'APY now': vault.at('apy').number,
        Rewards: total([vault], ...VAULT_REWARDS),
        '7 d': vault.at('apy7d').number,
        '30 d': vault.at('apy30d').number,
      });
    }
  });

  test('vault', async () => {
    const vault = demo.at('vault').text;
    const { page, api } = await open(`/vaults/${vault}`);
    const metrics = await api.get(`/kvaults/vaults/${vault}/metrics`);
    const now = blockOf(page, 'Now');
    await expectStats(now, {
      TVL: total([metrics], ...VAULT_VALUE),
      'APY now': metrics.at('apy').number,
      Rewards: total([metrics], ...VAULT_REWARDS),
      'Share price': metrics.at('sharePrice').number,
    });
    expect(await now.locator('.stat-value').last().innerText()).toBe(
      metrics.at('numberOfHolders').text,
    );
    const parts = (await api.get(`/kvaults/vaults/${vault}/allocations`)).at('allocations').items;
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) {
      await expectCells(blockOf(page, 'Where the money is'), part.at('reserve').text, {
        Tokens: part.at('suppliedTokenAmount').number,
        Part: part.at('actualPct').number / 100,
        Target: part.at('targetWeightPct').number / 100,
        'Supply APY': part.at('supplyApy').number,
      });
    }
  });

  test('wallet', async () => {
    const { page, api } = await open(`/wallets/${demo.at('wallet').text}`);
    const { loans, vaults, others } = await readWallet(api, demo.at('wallet').text);
    const inLoans = total(loans, 'netValue');
    const inVaults = total(vaults, 'netValue');
    const inOthers = total(others, 'value');
    await expectStats(blockOf(page, 'Now'), {
      'Net value': inLoans + inVaults + inOthers,
      'Loans, net': inLoans,
      Vaults: inVaults,
      'Staked and other': inOthers,
      'Lowest health': Math.min(...loans.map(healthOf).filter(Number.isFinite)),
    });
  });

  test('loans of a wallet', async () => {
    const { page, api } = await open(`/wallets/${demo.at('wallet').text}?tab=loans`);
    const { loans } = await readWallet(api, demo.at('wallet').text);
    expect(loans.length).toBeGreaterThan(0);
    for (const loan of loans) {
      const address = loan.at('obligation').text;
      const pnl = `/v2/svc-market/${loan.at('market').text}/obligations/${address}/pnl`;
      await expectCells(blockOf(page, 'Loans'), address, {
        Collateral: loan.at('totalDepositValue').number,
        Debt: loan.at('totalBorrowValue').number,
        'Net value': loan.at('netValue').number,
        Profit: (await api.get(pnl)).at('usd').number,
        Health: healthOf(loan),
      });
    }
  });

  test('vaults of a wallet', async () => {
    const wallet = demo.at('wallet').text;
    const { page, api } = await open(`/wallets/${wallet}?tab=earn`);
    const { vaults } = await readWallet(api, demo.at('wallet').text);
    const rates = (await api.get('/kvaults/vaults/metrics')).at('result').items;
    expect(vaults.length).toBeGreaterThan(0);
    for (const position of vaults) {
      const address = position.at('vault').text;
      const rate = rates.find((each) => each.at('kvault').text === address);
      const pnl = await api.get(`/kvaults/users/${wallet}/vaults/${address}/pnl/breakdown`);
      await expectCells(blockOf(page, 'Vaults'), address, {
        Tokens: position.at('amount').number,
        Value: position.at('netValue').number,
        'APY now': rate?.at('apy').number ?? Number.NaN,
        Profit: pnl.at('yield', 'usd').number + pnl.at('priceUsd').number,
        Shares: position.at('shares').number,
      });
    }
  });

  test('rewards of a wallet', async () => {
    const wallet = demo.at('wallet').text;
    const { page, api } = await open(`/wallets/${wallet}?tab=rewards`);
    const farms = (await api.get(`/portfolio/${wallet}/rewards`)).at('farms').items;
    const amounts = farms
      .flatMap((farm) => farm.at('rewards').items)
      .map((reward) => reward.at('amount').number)
      .filter((amount) => amount > 0);
    expect(amounts.length).toBeGreaterThan(0);
    const block = blockOf(page, 'Rewards to claim');
    await expect.poll(() => columnOf(block, 'Amount')).toEqual(rounded(amounts).sort());
  });

  test('activity of a wallet', async () => {
    const wallet = demo.at('wallet').text;
    const { page, api } = await open(`/wallets/${wallet}?tab=activity`);
    const lending = (await api.get(`/v3/svc-market/users/${wallet}/transactions`)).items;
    const vaults = (await api.get(`/kvaults/users/${wallet}/transactions`)).items;
    const block = blockOf(page, 'Activity');
    const more = block.getByRole('button', { name: /^Show/ });
    while ((await more.count()) > 0) await more.click();
    const loans = lending
      .flatMap((market) => market.at('obligations').children)
      .flatMap((loan) => loan.items);
    const amounts = [
      ...loans.map((each) => each.at('liquidityTokenAmount').number),
      ...vaults.map((each) => each.at('tokenAmount').number),
    ];
    expect(amounts.length).toBeGreaterThan(0);
    // farms and the withdraw queue add rows of their own
    const shown = await columnOf(block, 'Amount');
    expect(rounded(amounts).filter((amount) => !shown.includes(amount))).toEqual([]);
  });

  test('status', async () => {
    const { page, api } = await open('/status');
    const cluster = (await api.get('/status')).at('clusters', 0);
    const block = blockOf(page, 'Clusters');
    await expectStats(block, { Lag: cluster.at('lagSlots').number });
    const slot = await block.locator('.stat-value').nth(1).innerText();
    expect(slot.replaceAll(/\D/g, '')).toBe(cluster.at('slot').text);
  });
});
