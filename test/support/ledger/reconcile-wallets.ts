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
const HOUR = 3_600n;
const DAY = 86_400n;
/** For longer ranges, wallet history is daily. */
const HOURLY_DAYS = 90n;

type ResponseObject = Readonly<Record<string, unknown>>;
type PnlResponse = {
  readonly history: ResponseObject[];
  readonly totalPnl: ResponseObject;
  readonly totalCostBasis: ResponseObject;
};

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

/** All wallets that ever had shares. */
const everyWallet = ({ vaults }: Reconciliation): readonly Address[] => [
  ...new Set(vaults.trades.map(({ wallet }) => wallet)),
];

const everySaver = ({ vaults, metadata }: Reconciliation): readonly VaultHolder[] =>
  metadata.vaults.flatMap(({ address: vault }) =>
    holdersOf(vaults, vault).map((wallet) => ({ wallet, vault })),
  );

export async function reconcileTransactions(proof: Reconciliation): Promise<void> {
  const seen = new Set<string>();
  const returned = everySaver(proof).filter((saver) => hasReturned(proof, saver));
  expect(returned.length).toBeGreaterThan(0);
  const chosen = returned.map(({ wallet }) => wallet);
  for (const wallet of new Set([...chosen, ...proof.random.some(everyWallet(proof), WALLETS)])) {
    const actual = (await proof.api.get(`/kvaults/users/${wallet}/transactions`))
      .body as ResponseObject[];
    const trades = proof.vaults.trades.filter((trade) => trade.wallet === wallet).toReversed();
    expect(actual.map(keyOf), wallet).toEqual(
      trades.map((trade) => keyOf({ ...trade, transaction: trade.signature, kvault: trade.vault })),
    );
    for (const [i, trade] of trades.entries()) expectTrade(proof, actual[i] ?? {}, trade);
    for (const { instruction } of trades) seen.add(instruction);
  }
  expect(seen.size).toBeGreaterThan(2);
}

export async function reconcileWalletHistory(proof: Reconciliation): Promise<void> {
  let compared = 0;
  for (const saver of proof.random.some(everySaver(proof), 2 * WALLETS)) {
    const { start: from, end, frequency } = proof.random.rangeOfDays(HOURLY_DAYS);
    const query = `?start=${isoOf(from)}&end=${isoOf(end)}`;
    const path = `/kvaults/users/${saver.wallet}/vaults/${saver.vault}/metrics/history${query}`;
    const actual = (await proof.api.get(path)).body as ResponseObject[];
    const hourly = earningPoints(proof.vaults, saver, proof.end).filter(isFullHour);
    const points = (frequency === 'hour' ? hourly : endsOfDays(hourly)).filter(
      ({ unix }) => unix >= from && unix < end,
    );
    expect(actual.map(({ createdOn }) => createdOn)).toEqual(points.map(({ unix }) => isoOf(unix)));
    for (const [i, point] of points.entries()) expectEarning(actual[i] ?? {}, point, path);
    compared += points.length;
  }
  expect(compared).toBeGreaterThan(WALLETS);
}

export async function reconcileWalletTotals(proof: Reconciliation): Promise<void> {
  const thisHour = proof.end.unix - (proof.end.unix % HOUR);
  for (const wallet of proof.random.some(everyWallet(proof), WALLETS)) {
    const path = `/kvaults/users/${wallet}/metrics/history?start=${isoOf(proof.end.unix - 10n * DAY)}`;
    const actual = (await proof.api.get(path)).body as ResponseObject[];
    const points = everySaver(proof)
      .filter((saver) => saver.wallet === wallet)
      .flatMap((saver) => earningPoints(proof.vaults, saver, proof.end))
      .filter(({ unix }) => unix < thisHour || unix === proof.end.unix);
    const instants = [...new Set(points.map(({ unix }) => unix))].toSorted((a, b) =>
      a < b ? -1 : 1,
    );
    expect(actual.map(({ createdOn }) => createdOn)).toEqual(instants.map(isoOf));
    for (const [i, unix] of instants.entries()) {
      expectTotals(
        actual[i] ?? {},
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
    expectTotal((await proof.api.get(path)).body as PnlResponse, now, path);
    expectEntries((await proof.api.get(`${path}/history`)).body as PnlResponse, now, path);
    const unix = proof.random.instant();
    const sample = proof.ledger.sampleAt(unix) ?? proof.end;
    const then = costEntries(proof.vaults, saver, { slot: sample.slot, unix });
    const historyPath = `${path}/history?end=${isoOf(unix)}`;
    expectEntries((await proof.api.get(historyPath)).body as PnlResponse, then, historyPath);
    const from = proof.random.instant();
    const later = (await proof.api.get(`${path}/history?start=${isoOf(from)}`)).body as PnlResponse;
    expect(later.history.length).toBe(now.filter((entry) => entry.unix >= from).length);
    expectTotal(later, now, path);
  }
}

const isFullHour = ({ unix }: EarningPoint): boolean => unix % HOUR === 0n;

/** The point of a day is the state at its end: a wallet that sold everything during the day has none. */
const endsOfDays = (hourly: readonly EarningPoint[]): readonly EarningPoint[] =>
  hourly.filter(({ unix }) => unix % DAY === 0n);

const keyOf = ({ transaction, kvault, instruction }: ResponseObject) => [
  transaction,
  kvault,
  instruction,
];

function expectTrade(
  { vaults, ledger, end }: Reconciliation,
  actual: ResponseObject,
  trade: Trade,
): void {
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
    expectNear(actual[name], expected, `${trade.signature} ${name}`);
  near('tokenAmount', amount);
  near('numberOfShares', whole);
  near('tokenPrice', price);
  near('solPrice', solPrice);
  near('sharePrice', multiply(rate, price));
  near('usdValue', multiply(amount, price));
  expect(
    [actual['createdOn'], actual['tokenMint'], actual['latestPosition']],
    trade.signature,
  ).toEqual([isoOf(unix), fields.tokenMint, isOfLatest(vaults, { wallet, vault }, { trade, end })]);
}

/** Whether the wallet sold all shares and has some again. */
function hasReturned({ vaults, end }: Reconciliation, { wallet, vault }: VaultHolder): boolean {
  const trades = vaults.trades.filter((each) => each.wallet === wallet && each.vault === vault);
  const has = ({ slot }: Pick<Trade, 'slot'>) =>
    vaults.shares.ofWallet(wallet, vault, { slot }) > 0n;
  return has(end) && !trades.every(has);
}

/** Whether the wallet had shares after every trade since. */
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

function expectEarning(actual: ResponseObject, point: EarningPoint, what: string): void {
  const near = (name: string, expected: Decimal50) =>
    expectNear(actual[name], expected, `${what} ${isoOf(point.unix)} ${name}`);
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

function expectTotals(actual: ResponseObject, points: readonly EarningPoint[], what: string): void {
  const total = (of: (point: EarningPoint) => Decimal50): Decimal50 => sum(points.map(of));
  const near = (name: string, expected: Decimal50) =>
    expectNear(actual[name], expected, `${what} ${name}`);
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

function expectEntries(actual: PnlResponse, expected: readonly CostEntry[], what: string): void {
  const entries = actual.history.map(({ timestamp, type }) => [timestamp, type]);
  expect(entries, what).toEqual(expected.map(({ unix, type }) => [Number(unix) * 1000, type]));
  for (const [i, entry] of expected.entries()) {
    const point = actual.history[i] ?? {};
    expectNear(point['position'], entry.position, `${what} ${i} position`);
    expectNear(point['quantity'], entry.quantity, `${what} ${i} quantity`);
    const { tokenPrice, sharePrice, costBasis, realizedPnl, investment, positionValue, pnl } =
      entry;
    const each = { tokenPrice, sharePrice, costBasis, realizedPnl, investment, positionValue, pnl };
    for (const [name, figures] of Object.entries(each)) {
      const units = point[name] as ResponseObject;
      for (const unit of UNITS)
        expectNear(units[unit], figures[unit], `${what} ${i} ${name} ${unit}`);
    }
  }
  expectTotal(actual, expected, what);
}

function expectTotal(
  actual: Omit<PnlResponse, 'history'>,
  expected: readonly CostEntry[],
  what: string,
): void {
  const last = expected.at(-1);
  for (const unit of UNITS) {
    expectNear(actual.totalPnl[unit], last?.pnl[unit] ?? 0n, `${what} totalPnl ${unit}`);
    expectNear(actual.totalCostBasis[unit], last?.costBasis[unit] ?? 0n, `${what} cost ${unit}`);
  }
}
