import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { startApi } from '../../support/http/test-api.ts';
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

const book = goldenReference();

/** Contract: equal to a relative 1e-12. Figures of the textbook have more digits than that. */
function expectFigure(text: unknown, expected: Decimal50, what: string): void {
  const ours = parseDecimal50(typeof text === 'number' ? text.toFixed(18) : String(text));
  const apart = ours > expected ? ours - expected : expected - ours;
  const size = expected < 0n ? -expected : expected;
  expect(apart * 10n ** 12n <= size, `${what}: ${text} for ${expected}`).toBe(true);
}

/** The rates of a curve are rounded to 60 bits in the program, which an APY of 1e-9 feels. */
function expectRate(text: unknown, expected: Decimal50, what: string): void {
  const apart = parseDecimal50(String(text)) - expected;
  expect((apart < 0n ? -apart : apart) < toDecimal50(1n, 10n ** 15n), `${what}: ${text}`).toBe(
    true,
  );
}

type Row = Record<string, string>;

const reserve = (address = '') => {
  const found = book.reserves.get(toAddress(address));
  if (found === undefined) throw new Error(`no reserve ${address}`);
  return found;
};

const usd = (
  lamports: Decimal50,
  { price, lamportsPerToken }: ReturnType<typeof reserve>,
): Decimal50 => multiply(lamports / lamportsPerToken, price);

test('listReserveMetrics: every reserve of the market, as the textbook counts it', async () => {
  const { get } = await startApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/reserves/metrics`)).body as Row[];
  const stored = [...book.stored].filter(([, { lendingMarket }]) => lendingMarket === MAIN_MARKET);
  expect(rows.map((row) => row['reserve']).sort()).toEqual(
    stored.map(([address]) => address).sort(),
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const of = reserve(row['reserve']);
    const what = row['liquidityToken'] ?? '';
    expectFigure(row['totalSupply'], of.supply / of.lamportsPerToken, `${what} supply`);
    expectFigure(row['totalBorrow'], of.debt / of.lamportsPerToken, `${what} debt`);
    expectFigure(row['totalSupplyUsd'], usd(of.supply, of), `${what} supply in USD`);
    expectFigure(row['totalBorrowUsd'], usd(of.debt, of), `${what} debt in USD`);
    expectFigure(row['maxLtv'], toDecimal50(BigInt(of.config.loanToValuePct), 100n), `${what} LTV`);
    expectRate(row['borrowApy'], of.borrowApy, `${what} borrow APY`);
    expectRate(row['supplyApy'], of.supplyApy, `${what} supply APY`);
  }
  const supplies = rows.map((row) => Number(row['totalSupplyUsd']));
  expect(supplies).toEqual([...supplies].sort((a, b) => b - a));
});

test('listReserveMetrics: names and mints are those of the accounts', async () => {
  const { get } = await startApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/reserves/metrics`)).body as Row[];
  const sol = rows.find((row) => row['liquidityToken'] === 'SOL');
  expect(sol).toMatchObject({
    reserve: '4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm',
    liquidityTokenMint: 'So11111111111111111111111111111111111111112',
    maxLtv: '0.74',
  });
});

const loansOf = (kind: bigint) =>
  [...book.obligations].filter(
    ([, { tag, lendingMarket }]) => tag === kind && lendingMarket === MAIN_MARKET,
  );

test.each([
  ['Multiply', 1n],
  ['Leverage', 3n],
])('getLeverageMetrics: the row of %s is the sum of its loans', async (tag, kind) => {
  const { get } = await startApi();
  const rows = (await get(`/svc-market/${MAIN_MARKET}/leverage/metrics`)).body as Row[];
  const loans = loansOf(kind).map(([address]) => book.loanOf(address));
  const pairs = loans.filter(
    ({ deposits, borrows }) => deposits.length === 1 && borrows.length === 1,
  );
  expect(pairs.length).toBeGreaterThan(0);
  const mine = rows.filter((row) => row['tag'] === tag);
  expect(sum(mine.map((row) => BigInt(row['totalObligations'] ?? '')))).toBe(BigInt(pairs.length));
  for (const row of mine) {
    const of = pairs.filter(
      ({ deposits: [deposit], borrows: [borrow] }) =>
        deposit?.reserve === row['depositReserve'] && borrow?.reserve === row['borrowReserve'],
    );
    const deposits = of.flatMap((loan) => loan.deposits);
    const borrows = of.flatMap((loan) => loan.borrows);
    expect(row['totalObligations']).toBe(String(of.length));
    expectFigure(row['totalDeposited'], sum(deposits.map(({ tokens }) => tokens)), 'deposited');
    expectFigure(row['totalBorrowed'], sum(borrows.map(({ tokens }) => tokens)), 'borrowed');
    expectFigure(row['totalDepositedUsd'], usdOf(deposits), 'deposited USD');
    expectFigure(row['tvl'], usdOf(deposits), 'tvl');
    expectFigure(row['totalBorrowedUsd'], usdOf(borrows), 'borrowed USD');
    const leverage = of.map((loan) =>
      divide(usdOf(loan.deposits), usdOf(loan.deposits) - usdOf(loan.borrows)),
    );
    expectFigure(row['avgLeverage'], sum(leverage) / BigInt(of.length), 'leverage');
    expect(row['updatedOn']).toBe(new Date(Number(book.at.unix) * 1000).toISOString());
  }
});

const usdOf = (positions: readonly ReferencePosition[]): Decimal50 =>
  sum(positions.map((one) => one.usd));

const weighted = (
  positions: readonly ReferencePosition[],
  by: 'maxLtv' | 'liquidationLtv' | 'borrowFactor',
): Decimal50 => sum(positions.map((one) => multiply(one.usd, one[by])));

type Obligation = {
  obligationAddress: string;
  obligationTag: number;
  humanTag: string;
  refreshedStats: Record<string, string | number>;
  state: Record<string, unknown>;
};

test('listUserObligations: the stats of every loan are the textbook’s', async () => {
  const { get } = await startApi();
  expect(book.obligations.size).toBe(15);
  for (const [address, stored] of book.obligations) {
    const path = `/svc-market/${stored.lendingMarket}/users/${stored.owner}/obligations`;
    const list = (await get(path)).body as Obligation[];
    const entry = list.find(({ obligationAddress }) => obligationAddress === address);
    if (entry === undefined) throw new Error(`${address} is not in the list`);
    expect(entry.obligationTag).toBe(Number(stored.tag));
    expectStats(entry, address);
  }
});

function expectStats(entry: Obligation, address: Address): void {
  const { deposits, borrows } = book.loanOf(address);
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
  for (const [name, value] of Object.entries(expected)) expectFigure(stats[name], value, name);
}

test('getLoan: the report of every loan is the textbook’s', async () => {
  const { get } = await startApi();
  for (const address of book.obligations.keys()) {
    const { status, body } = await get(`/klend/loans/${address}`);
    expect(status).toBe(200);
    expectLoan(body as Loan, address);
  }
});

function expectLoan(loan: Loan, address: Address): void {
  const { deposits, borrows } = book.loanOf(address);
  const stored = book.obligations.get(address);
  expect(loan).toMatchObject({
    loanId: address,
    marketId: stored?.lendingMarket,
    user: stored?.owner,
    elevationGroup: stored?.elevationGroup,
    solanaSlot: Number(book.at.slot),
    timestamp: Number(book.at.unix) * 1000,
  });
  const adjusted = weighted(borrows, 'borrowFactor');
  const room = max(weighted(deposits, 'maxLtv') - adjusted, 0n);
  const told = loan.loanInfo;
  expect(told.collateral.deposits).toHaveLength(deposits.length);
  for (const [i, deposit] of deposits.entries()) {
    const shown = told.collateral.deposits[i] ?? {};
    const free = borrows.length === 0 || deposit.maxLtv === 0n;
    const most = free ? deposit.usd : min(divide(room, deposit.maxLtv), deposit.usd);
    expectFigure(shown['tokenAmount'], deposit.tokens, 'amount');
    expectFigure(shown['tokenValue'], deposit.usd, 'value');
    expectFigure(shown['tokenPrice'], reserve(deposit.reserve).price, 'price');
    expectFigure(shown['maxLtv'], deposit.maxLtv, 'max LTV');
    expectFigure(shown['liquidationLtv'], deposit.liquidationLtv, 'liquidation LTV');
    expectFigure(shown['maxWithdrawableValue'], most, 'withdrawable USD');
    expectFigure(
      shown['maxWithdrawableAmount'],
      divide(most, reserve(deposit.reserve).price),
      'withdrawable',
    );
  }
  expect(told.debt.borrows).toHaveLength(borrows.length);
  for (const [i, borrow] of borrows.entries()) {
    const shown = told.debt.borrows[i] ?? {};
    const most = divide(room, borrow.borrowFactor);
    expectFigure(shown['tokenAmount'], borrow.tokens, 'amount');
    expectFigure(shown['tokenValue'], borrow.usd, 'value');
    expectFigure(shown['tokenPrice'], reserve(borrow.reserve).price, 'price');
    expectFigure(shown['borrowFactor'], borrow.borrowFactor, 'borrow factor');
    expectFigure(shown['maxBorrowableValue'], most, 'borrowable USD');
    expectFigure(
      shown['maxBorrowableAmount'],
      divide(most, reserve(borrow.reserve).price),
      'borrowable',
    );
  }
  const total = usdOf(deposits);
  expectFigure(loan.leverage, divide(total, total - usdOf(borrows)), 'leverage');
  expectFigure(told.currentLtv, divide(adjusted, total), 'current LTV');
  expectFigure(told.maxLtv, divide(weighted(deposits, 'maxLtv'), total), 'max LTV');
  expectFigure(
    told.liquidationLtv,
    divide(weighted(deposits, 'liquidationLtv'), total),
    'liquidation LTV',
  );
  expect(told.closeFactor).toBe(book.marketOf(address).liquidationMaxDebtCloseFactorPct / 100);
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

const max = (a: Decimal50, b: Decimal50): Decimal50 => (a > b ? a : b);
const min = (a: Decimal50, b: Decimal50): Decimal50 => (a < b ? a : b);
