import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { globalConfig } from '#core/protocol/kvault/layout/global-config.ts';
import {
  type Decimal50,
  parseDecimal50,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import { nextFull } from './account-ledger.ts';
import { expectNear } from './expect-near.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { Trade } from './vault-trades.ts';
import { holdersOf } from './wallet-earnings.ts';

const HOUR = 3_600n;
const DAY = 86_400n;
const ONE = toDecimal50(1n);
/** A purchase is rounded up and a sale down, by less than two lamports; a sale also has a penalty. */
const ROUNDING_OF_TRADE = 2n;

type Row = Readonly<Record<string, string>>;
type ReserveRow = {
  readonly timestamp: string;
  readonly metrics: Readonly<Record<string, number>>;
};
type VaultRow = Row & {
  readonly reserves: readonly { pubkey: string; supplyApy: string; allocationRatio: string }[];
};

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();
const timesOf = (rows: readonly { readonly timestamp: string }[]): readonly string[] =>
  rows.map(({ timestamp }) => timestamp);

const getRows = async <Item>({ api }: Reconciliation, path: string): Promise<readonly Item[]> =>
  (await api.get(path)).body as Item[];

async function getReserve(
  { api, reserves, end }: Reconciliation,
  address: string,
  query: string,
): Promise<readonly ReserveRow[]> {
  const reserve = [...reserves.at(end).values()].find((each) => each.address === address);
  const path = `/svc-market/${reserve?.fields.lendingMarket}/reserves/${address}/metrics/history`;
  return ((await api.get(`${path}?${query}`)).body as { history: ReserveRow[] }).history;
}

/** Two days that end before now. */
const closedRange = ({ end }: Reconciliation): string =>
  `start=${isoOf(end.unix - 2n * DAY)}&end=${isoOf(end.unix - HOUR)}`;

/** The same time is the same state in the histories of vaults, their reserves and their holders. */
export async function expectJoinedLabels(proof: Reconciliation): Promise<void> {
  const query = closedRange(proof);
  for (const { address: vault } of proof.metadata.vaults) {
    const points = await getRows<VaultRow>(
      proof,
      `/kvaults/vaults/${vault}/metrics/history?${query}`,
    );
    expect(points.length).toBeGreaterThan(40);
    const byTime = new Map(points.map((point) => [point['timestamp'], point]));
    for (const { pubkey } of points.at(-1)?.reserves ?? []) {
      const reserve = await getReserve(proof, pubkey, `frequency=hour&${query}`);
      expect(timesOf(reserve)).toEqual([...byTime.keys()]);
      for (const { timestamp, metrics } of reserve) {
        const part = byTime.get(timestamp)?.reserves.find((each) => each.pubkey === pubkey);
        if (part === undefined) continue;
        expect(Number(part.supplyApy)).toBeCloseTo(metrics['supplyInterestAPY'] ?? Number.NaN, 12);
      }
    }
    for (const wallet of holdersOf(proof.vaults, vault).slice(0, 3)) {
      const path = `/kvaults/users/${wallet}/vaults/${vault}/metrics/history?${query}`;
      for (const { createdOn, usdAmount, sharesAmount } of await getRows<Row>(proof, path)) {
        const price = parseDecimal50(byTime.get(createdOn ?? '')?.['sharePrice'] ?? '');
        const usd = (parseDecimal50(sharesAmount ?? '') * price) / ONE;
        expectNear(usdAmount, usd, `${wallet} ${createdOn}`);
      }
    }
  }
}

/** Loans are valued at the prices that the daily history of their reserves shows at the same time. */
export async function expectJoinedLoans(proof: Reconciliation): Promise<void> {
  const { api, metadata, reserves, end } = proof;
  const { market, obligation } = metadata.demo;
  const path = `/v2/svc-market/${market}/obligations/${obligation}/metrics/history`;
  const { history } = (await api.get(path)).body as {
    history: { timestamp: string; deposits: Row[] }[];
  };
  expect(history.length).toBeGreaterThan(1);
  let compared = 0;
  for (const { timestamp, deposits } of history) {
    for (const { mintAddress, amount, marketValueRefreshed } of deposits) {
      const reserve = [...reserves.at(end).values()].find(
        ({ mint, fields }) => mint === mintAddress && fields.lendingMarket === market,
      );
      const daily = await getReserve(proof, reserve?.address ?? '', 'frequency=day');
      const then = daily.find((point) => point.timestamp === timestamp)?.metrics ?? {};
      const tokens = Number(amount) / Number(reserve?.lamportsPerToken);
      const price = then['assetOraclePriceUSD'] ?? Number.NaN;
      expect(Number(marketValueRefreshed) / (tokens * price)).toBeCloseTo(1, 12);
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(1);
}

/** Earnings of a wallet fall only if the share price after accrued fees does. */
export async function expectLastingEarnings(proof: Reconciliation): Promise<void> {
  const { vaults, metadata, ledger, end } = proof;
  const samples = ledger.lastBefore(HOUR);
  const [config] = ledger.all(globalConfig, end);
  let compared = 0;
  for (const { address: vault } of metadata.vaults) {
    const rateAt = (time: string): Decimal50 => {
      const unix = BigInt(Date.parse(time) / 1000);
      const sample = unix === end.unix ? end : samples.get(nextFull(unix, HOUR));
      if (sample === undefined) throw new Error(`no sample at ${time}`);
      return vaults.at(vault, sample).chargedTokensPerShare;
    };
    const { fields } = vaults.at(vault, end);
    const penalties = [config?.fields, fields].flatMap((each) => each ?? []);
    const lamports = greatest(penalties.map((each) => each.withdrawalPenaltyLamports));
    const bps = greatest(penalties.map((each) => each.withdrawalPenaltyBps));
    /** What a trade may cost: rounding, and the penalty of a withdrawal. */
    const roomOf = ({ tokens = 0n }: Trade): Decimal50 =>
      toDecimal50(
        ROUNDING_OF_TRADE + lamports + (tokens * bps) / (10_000n - bps),
        10n ** fields.tokenMintDecimals,
      );
    for (const wallet of holdersOf(vaults, vault)) {
      const path = `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`;
      const rows = await getRows<Row>(proof, `${path}?start=${isoOf(end.unix - 10n * DAY)}`);
      for (const [i, row] of rows.entries()) {
        const before = rows[i - 1];
        if (before === undefined) continue;
        const [from, to] = [before['createdOn'] ?? '', row['createdOn'] ?? ''];
        const trades = tradesBetween(proof, { wallet, vault }, [from, to]);
        if (rateAt(to) < rateAt(from)) continue;
        const gained = earnedIn(row) - earnedIn(before);
        expect(gained >= -sum(trades.map(roomOf)), `${wallet} ${vault} ${to}`).toBe(true);
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
}

const greatest = (values: readonly bigint[]): bigint =>
  values.reduce((most, value) => (value > most ? value : most), 0n);

const earnedIn = (row: Row): Decimal50 => parseDecimal50(row['cumulativeInterestEarned'] ?? '');

const tradesBetween = (
  { vaults }: Reconciliation,
  { wallet, vault }: { readonly wallet: Address; readonly vault: Address },
  [from, to]: readonly [string, string],
): readonly Trade[] =>
  vaults.trades.filter(
    (trade) =>
      trade.wallet === wallet &&
      trade.vault === vault &&
      isoOf(trade.unix) > from &&
      isoOf(trade.unix) <= to,
  );

/** Interest of a vault that lends grows at every point, and its allocation is at most all it has. */
export async function expectGrowingVaults(proof: Reconciliation): Promise<void> {
  const { vaults, metadata, end } = proof;
  let grown = 0;
  for (const { address, name } of metadata.vaults) {
    const path = `/kvaults/vaults/${address}/metrics/history?start=${isoOf(end.unix - 3n * DAY)}`;
    const points = await getRows<VaultRow>(proof, path);
    const { actualApr, fields } = vaults.at(address, end);
    const lends = actualApr > 0n && fields.sharesIssued > 0n;
    for (const [i, point] of points.entries()) {
      const ratios = point.reserves.map(({ allocationRatio }) => parseDecimal50(allocationRatio));
      expect(sum(ratios) <= ONE, `${name} ${point['timestamp']}`).toBe(true);
      const before = points[i - 1];
      if (before === undefined) continue;
      const gained =
        parseDecimal50(point['interest'] ?? '') - parseDecimal50(before['interest'] ?? '');
      expect(gained >= 0n, `${name} ${point['timestamp']}`).toBe(true);
      if (lends && gained > 0n) grown += 1;
    }
  }
  expect(grown).toBeGreaterThan(100);
}

/** The last point of an open history is what the operation for the current state returns. */
export async function expectCurrentLastPoints(proof: Reconciliation): Promise<void> {
  const { api, metadata, vaults, end } = proof;
  const { market, obligation, wallet: owner } = metadata.demo;
  const now = isoOf(end.unix);
  const reserves = await getRows<Row>(proof, `/svc-market/${market}/reserves/metrics`);
  for (const { reserve = '', totalSupplyUsd = '' } of reserves) {
    const last = (await getReserve(proof, reserve, 'frequency=hour')).at(-1);
    expect(last?.timestamp).toBe(now);
    expectNear(last?.metrics['depositTvl'], parseDecimal50(totalSupplyUsd), reserve);
  }
  const loans = await getRows<{ obligationAddress: string; refreshedStats: object }>(
    proof,
    `/svc-market/${market}/users/${owner}/obligations`,
  );
  const path = `/v2/svc-market/${market}/obligations/${obligation}/metrics/history`;
  const { history } = (await api.get(path)).body as { history: { refreshedStats: object }[] };
  expect(history.at(-1)?.refreshedStats).toEqual(
    loans.find(({ obligationAddress }) => obligationAddress === obligation)?.refreshedStats,
  );
  for (const { address: vault } of metadata.vaults) {
    const metrics = (await api.get(`/kvaults/vaults/${vault}/metrics`)).body as Row;
    const points = await getRows<VaultRow>(proof, `/kvaults/vaults/${vault}/metrics/history`);
    const last: Row = points.at(-1) ?? {};
    expect(last['timestamp']).toBe(now);
    const usd = parseDecimal50(metrics['cumulativeInterestEarnedUsd'] ?? '');
    expectNear(last['interestUsd'], usd, `${vault} interest`);
    expectNear(last['sharePrice'], parseDecimal50(metrics['sharePrice'] ?? ''), `${vault} price`);
    for (const wallet of holdersOf(vaults, vault).slice(0, 2)) {
      const user = `/kvaults/users/${wallet}`;
      const position = (await getRows<Row>(proof, `${user}/positions`)).find(
        ({ vaultAddress }) => vaultAddress === vault,
      );
      if (position === undefined) continue;
      const rows = await getRows<Row>(proof, `${user}/vaults/${vault}/metrics/history`);
      expect(rows.at(-1)?.['createdOn']).toBe(now);
      const shares = parseDecimal50(position['totalShares'] ?? '');
      expectNear(rows.at(-1)?.['sharesAmount'], shares, `${wallet} ${vault}`);
    }
  }
}
