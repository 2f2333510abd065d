import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { goldenReserve } from '../../support/golden/golden-addresses.ts';
import { goldenApi } from '../../support/http/test-api.ts';
import { goldenReference, MAIN_MARKET } from '../../support/reference/golden-reference.ts';
import {
  type Decimal50,
  divide,
  multiply,
  parseDecimal50,
  type ReferencePosition,
  sum,
  toDecimal50,
} from '../../support/reference/reference-lending.ts';
import { referenceLimits } from '../../support/reference/reference-limits.ts';

const reference = goldenReference();
const { freeTokens, debtCapacities, withoutFee } = referenceLimits(reference);

/** The contract allows a relative error of 1e-12; the reference is more precise. */
function expectValue(text: unknown, expected: Decimal50, what: string): void {
  const ours = parseDecimal50(typeof text === 'number' ? text.toFixed(18) : String(text));
  const error = ours > expected ? ours - expected : expected - ours;
  const size = expected < 0n ? -expected : expected;
  expect(error * 10n ** 12n <= size, `${what}: ${text} for ${expected}`).toBe(true);
}

/** Absolute tolerance: the program rounds curve rates to 60 bits, which matters for an APY of 1e-9. */
function expectRate(text: unknown, expected: Decimal50, what: string): void {
  const error = parseDecimal50(String(text)) - expected;
  expect((error < 0n ? -error : error) < toDecimal50(1n, 10n ** 15n), `${what}: ${text}`).toBe(
    true,
  );
}

type Row = Record<string, string>;

const reserve = (address = '') => {
  const found = reference.reserves.get(toAddress(address));
  if (found === undefined) throw new Error(`no reserve ${address}`);
  return found;
};

const usd = (
  lamports: Decimal50,
  { price, lamportsPerToken }: ReturnType<typeof reserve>,
): Decimal50 => multiply(lamports / lamportsPerToken, price);

test('listReserveMetrics: every reserve of the market matches the reference', async () => {
  const { get } = await goldenApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/reserves/metrics`)).body as Row[];
  const stored = [...reference.stored].filter(
    ([, { lendingMarket }]) => lendingMarket === MAIN_MARKET,
  );
  expect(rows.map((row) => row['reserve']).sort()).toEqual(
    stored.map(([address]) => address).sort(),
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const expected = reserve(row['reserve']);
    const what = row['liquidityToken'] ?? '';
    expectValue(row['totalSupply'], expected.supply / expected.lamportsPerToken, `${what} supply`);
    expectValue(row['totalBorrow'], expected.debt / expected.lamportsPerToken, `${what} debt`);
    expectValue(row['totalSupplyUsd'], usd(expected.supply, expected), `${what} supply in USD`);
    expectValue(row['totalBorrowUsd'], usd(expected.debt, expected), `${what} debt in USD`);
    expectValue(
      row['maxLtv'],
      toDecimal50(BigInt(expected.config.loanToValuePct), 100n),
      `${what} LTV`,
    );
    expectRate(row['borrowApy'], expected.borrowApy, `${what} borrow APY`);
    expectRate(row['supplyApy'], expected.supplyApy, `${what} supply APY`);
  }
  const supplies = rows.map((row) => Number(row['totalSupplyUsd']));
  expect(supplies).toEqual([...supplies].sort((a, b) => b - a));
});

test('listReserveMetrics: symbols and mints match the accounts', async () => {
  const { get } = await goldenApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/reserves/metrics`)).body as Row[];
  const sol = rows.find((row) => row['liquidityToken'] === 'SOL');
  expect(sol).toMatchObject({
    reserve: goldenReserve('Main Market', 'SOL').address,
    liquidityTokenMint: 'So11111111111111111111111111111111111111112',
    maxLtv: '0.74',
  });
});

const loansOf = (kind: bigint) =>
  [...reference.obligations].filter(
    ([, { tag, lendingMarket }]) => tag === kind && lendingMarket === MAIN_MARKET,
  );

test.each([
  ['Multiply', 1n],
  ['Leverage', 3n],
])('getLeverageMetrics: rows of %s are the sums of their loans', async (tag, kind) => {
  const { get } = await goldenApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/leverage/metrics`)).body as Row[];
  const loans = loansOf(kind).map(([address]) => reference.loanOf(address));
  const pairs = loans.filter(
    ({ deposits, borrows }) => deposits.length === 1 && borrows.length === 1,
  );
  expect(pairs.length).toBeGreaterThan(0);
  const tagged = rows.filter((row) => row['tag'] === tag);
  expect(sum(tagged.map((row) => BigInt(row['totalObligations'] ?? '')))).toBe(
    BigInt(pairs.length),
  );
  for (const row of tagged) {
    const rowLoans = pairs.filter(
      ({ deposits: [deposit], borrows: [borrow] }) =>
        deposit?.reserve === row['depositReserve'] && borrow?.reserve === row['borrowReserve'],
    );
    const deposits = rowLoans.flatMap((loan) => loan.deposits);
    const borrows = rowLoans.flatMap((loan) => loan.borrows);
    expect(row['totalObligations']).toBe(String(rowLoans.length));
    expectValue(row['totalDeposited'], sum(deposits.map(({ tokens }) => tokens)), 'deposited');
    expectValue(row['totalBorrowed'], sum(borrows.map(({ tokens }) => tokens)), 'borrowed');
    expectValue(row['totalDepositedUsd'], usdOf(deposits), 'deposited USD');
    expectValue(row['tvl'], usdOf(deposits), 'tvl');
    expectValue(row['totalBorrowedUsd'], usdOf(borrows), 'borrowed USD');
    const leverage = rowLoans.map((loan) =>
      divide(usdOf(loan.deposits), usdOf(loan.deposits) - usdOf(loan.borrows)),
    );
    expectValue(row['avgLeverage'], sum(leverage) / BigInt(rowLoans.length), 'leverage');
    expect(row['updatedOn']).toBe(new Date(Number(reference.at.unix) * 1000).toISOString());
  }
});

const usdOf = (positions: readonly ReferencePosition[]): Decimal50 =>
  sum(positions.map(({ usd: value }) => value));

const weighted = (
  positions: readonly ReferencePosition[],
  by: 'maxLtv' | 'liquidationLtv' | 'borrowFactor',
): Decimal50 => sum(positions.map((position) => multiply(position.usd, position[by])));

type Obligation = {
  obligationAddress: string;
  obligationTag: number;
  humanTag: string;
  refreshedStats: Record<string, string | number>;
  state: Record<string, unknown>;
};

test('listUserObligations: the statistics of every loan match the reference', async () => {
  const { get } = await goldenApi();
  expect(reference.obligations.size).toBe(15);
  for (const [address, stored] of reference.obligations) {
    const path = `/svc-market/${stored.lendingMarket}/users/${stored.owner}/obligations`;
    const list = (await get(path)).body as Obligation[];
    const entry = list.find(({ obligationAddress }) => obligationAddress === address);
    if (entry === undefined) throw new Error(`${address} is not in the list`);
    expect(entry.obligationTag).toBe(Number(stored.tag));
    expectStats(entry, address);
  }
});

function expectStats(entry: Obligation, address: Address): void {
  const { deposits, borrows } = reference.loanOf(address);
  const [deposited, borrowed] = [usdOf(deposits), usdOf(borrows)];
  const collateral = usdOf(deposits.filter(({ maxLtv }) => maxLtv > 0n));
  const liquidatable = usdOf(deposits.filter(({ liquidationLtv }) => liquidationLtv > 0n));
  const adjusted = weighted(borrows, 'borrowFactor');
  const limit = weighted(deposits, 'maxLtv');
  const expected = {
    userTotalDeposit: deposited,
    userTotalBorrow: borrowed,
    userTotalBorrowBorrowFactorAdjusted: adjusted,
    userTotalCollateralDeposit: collateral,
    userTotalLiquidatableDeposit: liquidatable,
    borrowLimit: limit,
    borrowLiquidationLimit: weighted(deposits, 'liquidationLtv'),
    loanToValue: divide(adjusted, collateral),
    liquidationLtv: divide(weighted(deposits, 'liquidationLtv'), liquidatable),
    borrowUtilization: divide(adjusted, limit),
    netAccountValue: deposited - borrowed,
    leverage: divide(deposited, deposited - borrowed),
  };
  const { potentialElevationGroupUpdate, ...stats } = entry.refreshedStats;
  expect(potentialElevationGroupUpdate).toBe(0);
  expect(Object.keys(stats).sort()).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected)) expectValue(stats[name], value, name);
}

test('getLoan: the report of every loan matches the reference', async () => {
  const { get } = await goldenApi();
  for (const address of reference.obligations.keys()) {
    const { status, body } = await get(`/klend/loans/${address}`);
    expect(status).toBe(200);
    expectLoan(body as Loan, address);
  }
});

function expectLoan(loan: Loan, address: Address): void {
  const { deposits, borrows } = reference.loanOf(address);
  const stored = reference.obligations.get(address);
  expect(loan).toMatchObject({
    loanId: address,
    marketId: stored?.lendingMarket,
    user: stored?.owner,
    elevationGroup: stored?.elevationGroup,
    solanaSlot: Number(reference.at.slot),
    timestamp: Number(reference.at.unix) * 1000,
  });
  const adjusted = weighted(borrows, 'borrowFactor');
  const cap = toDecimal50(reference.marketOf(address).globalAllowedBorrowValue);
  const borrowable = max(min(weighted(deposits, 'maxLtv'), cap) - adjusted, 0n);
  const info = loan.loanInfo;
  expect(info.collateral.deposits).toHaveLength(deposits.length);
  for (const [i, deposit] of deposits.entries()) {
    const actual = info.collateral.deposits[i] ?? {};
    const isFree = borrows.length === 0 || (deposit.maxLtv === 0n && borrowable > 0n);
    const byDebt = isFree ? deposit.usd : min(divide(borrowable, deposit.maxLtv), deposit.usd);
    expectValue(actual['tokenAmount'], deposit.tokens, 'amount');
    expectValue(actual['tokenValue'], deposit.usd, 'value');
    expectValue(actual['tokenPrice'], reserve(deposit.reserve).price, 'price');
    expectValue(actual['maxLtv'], deposit.maxLtv, 'max LTV');
    expectValue(actual['liquidationLtv'], deposit.liquidationLtv, 'liquidation LTV');
    const { price } = reserve(deposit.reserve);
    const most = min(divide(byDebt, price), freeTokens(deposit.reserve, 'depositWithdrawalCap'));
    expectLimit(actual['maxWithdrawableAmount'], most, deposit.reserve);
    expectValue(
      actual['maxWithdrawableValue'],
      multiply(parseNumber(actual['maxWithdrawableAmount']), price),
      'withdrawable USD',
    );
  }
  expect(info.debt.borrows).toHaveLength(borrows.length);
  for (const [i, borrow] of borrows.entries()) {
    const actual = info.debt.borrows[i] ?? {};
    const { price } = reserve(borrow.reserve);
    const debt = [
      divide(divide(borrowable, borrow.borrowFactor), price),
      freeTokens(borrow.reserve, 'debtWithdrawalCap'),
      ...debtCapacities(borrow.reserve, stored?.elevationGroup === 0),
    ].reduce(min);
    expectValue(actual['tokenAmount'], borrow.tokens, 'amount');
    expectValue(actual['tokenValue'], borrow.usd, 'value');
    expectValue(actual['tokenPrice'], reserve(borrow.reserve).price, 'price');
    expectValue(actual['borrowFactor'], borrow.borrowFactor, 'borrow factor');
    expectLimit(actual['maxBorrowableAmount'], withoutFee(borrow.reserve, debt), borrow.reserve);
    expectValue(
      actual['maxBorrowableValue'],
      multiply(parseNumber(actual['maxBorrowableAmount']), price),
      'borrowable USD',
    );
  }
  const total = usdOf(deposits);
  expectValue(loan.leverage, divide(total, total - usdOf(borrows)), 'leverage');
  expectValue(info.currentLtv, divide(adjusted, total), 'current LTV');
  expectValue(info.maxLtv, divide(weighted(deposits, 'maxLtv'), total), 'max LTV');
  expectValue(
    info.liquidationLtv,
    divide(weighted(deposits, 'liquidationLtv'), total),
    'liquidation LTV',
  );
  expect(info.closeFactor).toBe(reference.marketOf(address).liquidationMaxDebtCloseFactorPct / 100);
}

type Loan = {
  leverage: number;
  loanInfo: {
    collateral: { deposits: Record<string, unknown>[] };
    debt: { borrows: Record<string, unknown>[] };
    currentLtv: number;
    maxLtv: number;
    liquidationLtv: number;
    closeFactor: number;
  };
};

const parseNumber = (value: unknown): Decimal50 => parseDecimal50(Number(value).toFixed(18));

/** A limit is the largest number of lamports within it, after up to two roundings. */
function expectLimit(actual: unknown, expected: Decimal50, address: Address): void {
  const { lamportsPerToken } = reserve(address);
  const room = expected - parseNumber(actual);
  const tolerance = toDecimal50(3n, lamportsPerToken) + expected / 10n ** 12n;
  expect(room >= -expected / 10n ** 12n && room <= tolerance, `${actual} for ${expected}`).toBe(
    true,
  );
}

const max = (a: Decimal50, b: Decimal50): Decimal50 => (a > b ? a : b);
const min = (a: Decimal50, b: Decimal50): Decimal50 => (a < b ? a : b);
