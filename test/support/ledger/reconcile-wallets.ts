import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import { type CostEntry, costEntries, UNITS } from './average-cost.ts';
import { expectNear } from './expect-near.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { VaultIndex } from './vault-index.ts';
import type { Trade } from './vault-trades.ts';
import {
  type EarningPoint,
  earningPoints,
  holdersOf,
  type VaultHolder,
} from './wallet-earnings.ts';

const WALLETS = 12;
const DAY = 86_400n;
/** Of longer ranges a wallet is told by the day. */
const HOURLY_DAYS = 90n;

type Told = Readonly<Record<string, unknown>>;
type ToldPnl = { readonly history: Told[]; readonly totalPnl: Told; readonly totalCostBasis: Told };

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

/** Whoever had shares of anything. */
const everyWallet = ({ vaults }: Reconciliation): readonly Address[] => [
  ...new Set(vaults.trades.map(({ wallet }) => wallet)),
];

const everySaver = ({ vaults, simulation }: Reconciliation): readonly VaultHolder[] =>
  simulation.metadata.vaults.flatMap(({ address: vault }) =>
    holdersOf(vaults, vault).map((wallet) => ({ wallet, vault })),
  );

export async function reconcileTransactions(proof: Reconciliation): Promise<void> {
  const seen = new Set<string>();
  const returned = everySaver(proof).filter((saver) => hasReturned(proof, saver));
  expect(returned.length).toBeGreaterThan(0);
  const chosen = returned.map(({ wallet }) => wallet);
  for (const wallet of new Set([...chosen, ...proof.random.some(everyWallet(proof), WALLETS)])) {
    const told = (await proof.api.get(`/kvaults/users/${wallet}/transactions`)).body as Told[];
    const own = proof.vaults.trades.filter((trade) => trade.wallet === wallet).toReversed();
    expect(told.map(keyOf), wallet).toEqual(
      own.map((trade) => keyOf({ ...trade, transaction: trade.signature, kvault: trade.vault })),
    );
    for (const [i, trade] of own.entries()) expectTrade(proof, told[i] ?? {}, trade);
    for (const { instruction } of own) seen.add(instruction);
  }
  expect(seen.size).toBeGreaterThan(2);
}

export async function reconcileWalletHistory(proof: Reconciliation): Promise<void> {
  let compared = 0;
  for (const saver of proof.random.some(everySaver(proof), 2 * WALLETS)) {
    const { start: from, end, frequency } = proof.random.rangeOfDays(HOURLY_DAYS);
    const query = `?start=${isoOf(from)}&end=${isoOf(end)}`;
    const path = `/kvaults/users/${saver.wallet}/vaults/${saver.vault}/metrics/history${query}`;
    const told = (await proof.api.get(path)).body as Told[];
    const hourly = earningPoints(proof.vaults, saver);
    const points = (frequency === 'hour' ? hourly : lastOfDays(hourly)).filter(
      ({ unix }) => unix >= from && unix < end,
    );
    expect(told.map(({ createdOn }) => createdOn)).toEqual(points.map(({ unix }) => isoOf(unix)));
    for (const [i, point] of points.entries()) expectEarning(told[i] ?? {}, point, path);
    compared += points.length;
  }
  expect(compared).toBeGreaterThan(WALLETS);
}

export async function reconcileWalletTotals(proof: Reconciliation): Promise<void> {
  for (const wallet of proof.random.some(everyWallet(proof), WALLETS)) {
    const path = `/kvaults/users/${wallet}/metrics/history?start=${isoOf(proof.end.unix - 10n * DAY)}`;
    const told = (await proof.api.get(path)).body as Told[];
    const points = everySaver(proof)
      .filter((saver) => saver.wallet === wallet)
      .flatMap((saver) => earningPoints(proof.vaults, saver))
      .filter(({ unix }) => unix < proof.end.unix);
    const instants = [...new Set(points.map(({ unix }) => unix))].toSorted((a, b) =>
      a < b ? -1 : 1,
    );
    expect(told.map(({ createdOn }) => createdOn)).toEqual(instants.map(isoOf));
    for (const [i, unix] of instants.entries()) {
      expectTotals(
        told[i] ?? {},
        points.filter((point) => point.unix === unix),
        `${path} ${unix}`,
      );
    }
  }
}

export async function reconcileWalletPnl(proof: Reconciliation): Promise<void> {
  for (const saver of proof.random.some(everySaver(proof), 2 * WALLETS)) {
    const path = `/kvaults/users/${saver.wallet}/vaults/${saver.vault}/pnl`;
    const now = costEntries(proof.vaults, saver, proof.end);
    expectTotal((await proof.api.get(path)).body as ToldPnl, now, path);
    expectEntries((await proof.api.get(`${path}/history`)).body as ToldPnl, now, path);
    const unix = proof.random.instant();
    const sample = proof.ledger.sampleAt(unix) ?? proof.end;
    const then = costEntries(proof.vaults, saver, { slot: sample.slot, unix });
    const asked = `${path}/history?end=${isoOf(unix)}`;
    expectEntries((await proof.api.get(asked)).body as ToldPnl, then, asked);
    const from = proof.random.instant();
    const later = (await proof.api.get(`${path}/history?start=${isoOf(from)}`)).body as ToldPnl;
    expect(later.history.length).toBe(now.filter((entry) => entry.unix >= from).length);
    expectTotal(later, now, path);
  }
}

/** Of each day its last hour, told when the day is over. */
function lastOfDays(hourly: readonly EarningPoint[]): readonly EarningPoint[] {
  const days = new Map<bigint, EarningPoint>();
  for (const point of hourly) {
    const day = point.sample.unix - (point.sample.unix % DAY);
    days.set(day, { ...point, unix: day + DAY });
  }
  return [...days.values()];
}

const keyOf = ({ transaction, kvault, instruction }: Told) => [transaction, kvault, instruction];

function expectTrade({ vaults, ledger, end }: Reconciliation, told: Told, trade: Trade): void {
  const { vault, wallet, unix, shares, tokens } = trade;
  const sample = ledger.sampleAt(unix);
  if (sample === undefined) throw new Error('before the first sample');
  const { fields, price, solPrice } = vaults.at(vault, sample);
  const rate = vaults.rateOf(trade);
  const whole = toDecimal50(shares, 10n ** fields.sharesMintDecimals);
  const amount =
    tokens === undefined
      ? multiply(whole, rate)
      : toDecimal50(tokens, 10n ** fields.tokenMintDecimals);
  const near = (name: string, expected: Decimal50) =>
    expectNear(told[name], expected, `${trade.signature} ${name}`);
  near('tokenAmount', amount);
  near('numberOfShares', whole);
  near('tokenPrice', price);
  near('solPrice', solPrice);
  near('sharePrice', multiply(rate, price));
  near('usdValue', multiply(amount, price));
  expect([told['createdOn'], told['tokenMint'], told['latestPosition']], trade.signature).toEqual([
    isoOf(unix),
    fields.tokenMint,
    isOfLatest(vaults, { wallet, vault }, { trade, end }),
  ]);
}

/** Who had sold everything, and has shares now. */
function hasReturned({ vaults, end }: Reconciliation, { wallet, vault }: VaultHolder): boolean {
  const own = vaults.trades.filter((each) => each.wallet === wallet && each.vault === vault);
  const has = ({ slot }: Pick<Trade, 'slot'>) =>
    vaults.shares.ofWallet(wallet, vault, { slot }) > 0n;
  return has(end) && !own.every(has);
}

/** Whether the wallet has had shares at the end of every trade since. */
function isOfLatest(
  { trades, shares }: VaultIndex,
  { wallet, vault }: VaultHolder,
  { trade, end }: { readonly trade: Trade; readonly end: Reconciliation['end'] },
): boolean {
  const since = trades.filter(
    (each) => each.wallet === wallet && each.vault === vault && each.slot >= trade.slot,
  );
  return [...since, end].every(({ slot }) => shares.ofWallet(wallet, vault, { slot }) > 0n);
}

function expectEarning(told: Told, point: EarningPoint, what: string): void {
  const near = (name: string, expected: Decimal50) =>
    expectNear(told[name], expected, `${what} ${isoOf(point.unix)} ${name}`);
  near('sharesAmount', point.shares);
  near('usdAmount', point.usd);
  near('solAmount', point.sol);
  near('apy', point.apy);
  near('cumulativeInterestEarned', point.earned.tokens);
  near('cumulativeInterestEarnedUsd', point.earned.usd);
  near('cumulativeInterestEarnedSol', point.earned.sol);
  near('interestEarnedPerSecond', point.perSecond.tokens);
  near('interestEarnedPerSecondUsd', point.perSecond.usd);
  near('interestEarnedPerSecondSol', point.perSecond.sol);
}

function expectTotals(told: Told, points: readonly EarningPoint[], what: string): void {
  const total = (of: (point: EarningPoint) => Decimal50): Decimal50 => sum(points.map(of));
  const near = (name: string, expected: Decimal50) =>
    expectNear(told[name], expected, `${what} ${name}`);
  near(
    'usdAmount',
    total(({ usd }) => usd),
  );
  near(
    'solAmount',
    total(({ sol }) => sol),
  );
  near(
    'weightedApy',
    divide(
      total(({ usd, apy }) => multiply(usd, apy)),
      total(({ usd }) => usd),
    ),
  );
  near(
    'cumulativeInterestEarnedUsd',
    total(({ earned }) => earned.usd),
  );
  near(
    'cumulativeInterestEarnedSol',
    total(({ earned }) => earned.sol),
  );
  near(
    'interestEarnedPerSecondUsd',
    total(({ perSecond }) => perSecond.usd),
  );
  near(
    'interestEarnedPerSecondSol',
    total(({ perSecond }) => perSecond.sol),
  );
}

function expectEntries(told: ToldPnl, expected: readonly CostEntry[], what: string): void {
  const facts = told.history.map(({ timestamp, type }) => [timestamp, type]);
  expect(facts, what).toEqual(expected.map(({ unix, type }) => [Number(unix) * 1000, type]));
  for (const [i, entry] of expected.entries()) {
    const own = told.history[i] ?? {};
    expectNear(own['position'], entry.position, `${what} ${i} position`);
    expectNear(own['quantity'], entry.quantity, `${what} ${i} quantity`);
    const { tokenPrice, sharePrice, costBasis, realizedPnl, investment, positionValue, pnl } =
      entry;
    const each = { tokenPrice, sharePrice, costBasis, realizedPnl, investment, positionValue, pnl };
    for (const [name, figures] of Object.entries(each)) {
      const units = own[name] as Told;
      for (const unit of UNITS)
        expectNear(units[unit], figures[unit], `${what} ${i} ${name} ${unit}`);
    }
  }
  expectTotal(told, expected, what);
}

function expectTotal(
  told: Omit<ToldPnl, 'history'>,
  expected: readonly CostEntry[],
  what: string,
): void {
  const last = expected.at(-1);
  for (const unit of UNITS) {
    expectNear(told.totalPnl[unit], last?.pnl[unit] ?? 0n, `${what} totalPnl ${unit}`);
    expectNear(told.totalCostBasis[unit], last?.costBasis[unit] ?? 0n, `${what} cost ${unit}`);
  }
}
