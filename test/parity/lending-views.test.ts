import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { Ratio } from '#core/base/numbers/decimal.ts';
import { ONE_SF, type Sf } from '#core/base/numbers/scaled-fraction.ts';
import type { LendingRules } from '#core/protocol/klend/lending-rules.ts';
import { NEWEST_LENDING_RULES } from '#core/protocol/klend/releases.ts';
import type { ClusterReader } from '#core/state/cluster-reader.ts';
import { viewLoan } from '#core/views/lending/loan.ts';
import { type MarketSnapshot, snapshotMarket } from '#core/views/lending/market-snapshot.ts';
import { viewObligation } from '#core/views/lending/obligation-report.ts';
import { viewReserve } from '#core/views/lending/reserve-snapshot.ts';
import { readGolden } from '../support/golden/golden.ts';
import { addressOf, parseRatio, relativeError } from '../support/golden/golden-lending.ts';
import { goldenOverRpc } from '../support/golden/golden-node.ts';
import { goldenReader } from '../support/golden/golden-reader.ts';
import { RECORDED_BUILD_RULES } from '../support/golden/recorded-build.ts';

type Positions = { deposits: Record<string, string>[]; borrows: Record<string, string>[] };
type ProgramFile = {
  reserves: Record<string, string>[];
  obligations: (Record<string, string> & Positions)[];
};

const program = readGolden('program.json') as ProgramFile;

const readers = [
  { from: 'memory', reader: goldenReader() },
  { from: 'RPC', reader: await goldenOverRpc() },
];

/** Every value with every reader. */
const ofEach = <Expected>(figures: readonly Expected[]) =>
  readers.flatMap((read) => figures.map((expected) => ({ ...read, expected })));

function marketAt(reader: ClusterReader, address: Address, rules: LendingRules): MarketSnapshot {
  const market = reader.market(address);
  if (market === undefined) throw new Error(`no market ${address}`);
  return snapshotMarket({
    market,
    reserves: reader.reservesOf(address),
    rules,
    at: reader.at(),
    slotMs: reader.slotMs(),
    prices: (feed) => reader.prices(feed),
  });
}

const reserveOf = (reader: ClusterReader, address: unknown, rules: LendingRules) => {
  const held = reader.reserve(addressOf(String(address)));
  const market = held && marketAt(reader, held.fields.lendingMarket, rules);
  const found = market?.reserves.get(held?.address ?? addressOf(''));
  if (market === undefined || found === undefined) throw new Error(`no reserve ${address}`);
  return { market, found };
};

const loanOf = (reader: ClusterReader, address: unknown, rules: LendingRules) => {
  const held = reader.obligation(addressOf(String(address)));
  if (held === undefined) throw new Error(`no obligation ${address}`);
  const market = marketAt(reader, held.fields.lendingMarket, rules);
  return { market, loan: viewLoan(held, market), report: viewObligation(held, market) };
};

test.each(ofEach(program.reserves))(
  'program.json: metrics of $expected.market $expected.symbol from $from equal those of the program',
  ({ reader, expected }) => {
    const { market, found } = reserveOf(reader, expected['address'], RECORDED_BUILD_RULES.lending);
    expect({
      price: found.price,
      debt: found.liquidity.borrowedAmountSf,
      cumulative: found.cumulativeBorrowRate,
    }).toEqual({
      price: BigInt(expected['marketPriceSf'] ?? ''),
      debt: BigInt(expected['borrowedAmountSf'] ?? ''),
      cumulative: BigInt(expected['cumulativeBorrowRate'] ?? ''),
    });
    const sf = (name: string): bigint => BigInt(expected[name] ?? '');
    const supply =
      (sf('availableAmount') << 60n) +
      sf('borrowedAmountSf') -
      sf('accumulatedProtocolFeesSf') -
      sf('accumulatedReferrerFeesSf') -
      sf('pendingReferrerFeesSf');
    const metrics = viewReserve(found, market.slotMs);
    const perToken = (10n ** found.decimals) << 60n;
    expect(metrics.totalSupply).toEqual({ numerator: supply, denominator: perToken });
    expect(metrics.totalSupplyUsd).toEqual({
      numerator: supply * sf('marketPriceSf'),
      denominator: perToken << 60n,
    });
    expect(metrics.totalBorrowUsd).toEqual({
      numerator: sf('borrowedAmountSf') * sf('marketPriceSf'),
      denominator: perToken << 60n,
    });
  },
);

test.each(ofEach(program.obligations))(
  'program.json: the loan $expected.address from $from equals that of the program to the bit',
  ({ reader, expected }) => {
    const { loan, report } = loanOf(reader, expected['address'], RECORDED_BUILD_RULES.lending);
    const { refreshedStats: stats } = report;
    expect(loan.stats).toEqual(stats);
    expect({
      deposited: stats.userTotalDeposit,
      borrowed: stats.userTotalBorrow,
      adjusted: stats.userTotalBorrowBorrowFactorAdjusted,
      allowed: stats.borrowLimit,
      unhealthy: stats.borrowLiquidationLimit,
    }).toEqual({
      deposited: BigInt(expected['depositedValueSf'] ?? ''),
      borrowed: BigInt(expected['borrowedAssetsMarketValueSf'] ?? ''),
      adjusted: BigInt(expected['borrowFactorAdjustedDebtValueSf'] ?? ''),
      allowed: BigInt(expected['allowedBorrowValueSf'] ?? ''),
      unhealthy: BigInt(expected['unhealthyBorrowValueSf'] ?? ''),
    });
    expect(loan.deposits.map(({ reserve, value }) => [reserve.address, String(value)])).toEqual(
      expected.deposits.map((deposit) => [deposit['reserve'], deposit['marketValueSf']]),
    );
    const borrows = loan.borrows.map(({ reserve, amount, value }) => [
      reserve.address,
      String(amount),
      String(value),
    ]);
    expect(borrows).toEqual(
      expected.borrows.map((borrow) => [
        borrow['reserve'],
        borrow['borrowedAmountSf'],
        borrow['marketValueSf'],
      ]),
    );
  },
);

type SdkPosition = { reserveAddress: string; amount: string; marketValueRefreshed: string };
type SdkFile = {
  markets: {
    reserves: (Record<string, string | number> & { estimated: Record<string, string> })[];
    obligations: {
      address: string;
      refreshedStats: Record<string, string>;
      deposits: SdkPosition[];
      borrows: SdkPosition[];
    }[];
  }[];
};

const sdk = readGolden('expected.json') as SdkFile;

/** The maximum relative error of the SDK, which overstates the interest since the last refresh by a quarter. */
const PROJECTED = 2e-8;
/** The precision of the SDK's power of doubles. */
const APY = 2e-8;

const asNumber = ({ numerator, denominator }: Ratio): number =>
  Number((numerator * 10n ** 20n) / denominator) / 1e20;

test.each(ofEach(sdk.markets.flatMap(({ reserves }) => reserves)))(
  'expected.json: metrics of $expected.symbol $expected.address from $from agree except for the projected interest',
  ({ reader, expected }) => {
    const { market, found } = reserveOf(reader, expected['address'], NEWEST_LENDING_RULES);
    const metrics = viewReserve(found, market.slotMs);
    const inLamports = ({ numerator, denominator }: Ratio): Ratio => ({
      numerator: numerator * 10n ** found.decimals,
      denominator,
    });
    const { totalBorrow = '', totalSupply = '' } = expected.estimated;
    expect(metrics.mint).toBe(expected['mint']);
    expect(metrics.symbol).toBe(expected['symbol']);
    expect(relativeError(inLamports(metrics.totalSupply), parseRatio(totalSupply))).toBeLessThan(
      PROJECTED,
    );
    expect(relativeError(inLamports(metrics.totalBorrow), parseRatio(totalBorrow))).toBeLessThan(
      PROJECTED,
    );
    // the SDK values stored balances
    const grown = (value: unknown, from: unknown, to: string): Ratio => {
      const [v, a, b] = [parseRatio(String(value)), parseRatio(String(from)), parseRatio(to)];
      return {
        numerator: v.numerator * b.numerator * a.denominator,
        denominator: v.denominator * b.denominator * (a.numerator || 1n),
      };
    };
    const supplied = grown(expected['depositTvl'], expected['totalSupply'], totalSupply);
    const borrowed = grown(expected['borrowTvl'], expected['borrowed'], totalBorrow);
    expect(relativeError(metrics.totalSupplyUsd, supplied)).toBeLessThan(PROJECTED);
    expect(relativeError(metrics.totalBorrowUsd, borrowed)).toBeLessThan(PROJECTED);
    expect(relativeError(found.exactPrice, parseRatio(expected['oraclePrice'] ?? ''))).toBe(0);
    expect(Math.abs(asNumber(metrics.borrowApy) - Number(expected['borrowApy']))).toBeLessThan(APY);
    expect(Math.abs(asNumber(metrics.supplyApy) - Number(expected['supplyApy']))).toBeLessThan(APY);
  },
);

const ofSf = (numerator: Sf): Ratio => ({ numerator, denominator: ONE_SF });

test.each(ofEach(sdk.markets.flatMap(({ obligations }) => obligations)))(
  'expected.json: positions and leverage of the loan $expected.address from $from agree',
  ({ reader, expected }) => {
    const { loan } = loanOf(reader, expected.address, NEWEST_LENDING_RULES);
    for (const [ours, theirs] of [
      [loan.deposits, expected.deposits],
      [loan.borrows, expected.borrows],
    ] as const) {
      expect(ours.map(({ reserve }) => reserve.address)).toEqual(
        theirs.map(({ reserveAddress }) => reserveAddress),
      );
      for (const [i, { amount, value }] of ours.entries()) {
        const their = theirs[i];
        expect(relativeError(ofSf(amount), parseRatio(their?.amount ?? ''))).toBeLessThan(
          PROJECTED,
        );
        expect(
          relativeError(ofSf(value), parseRatio(their?.marketValueRefreshed ?? '')),
        ).toBeLessThan(PROJECTED);
      }
    }
    const leverage = expected.refreshedStats['leverage'] ?? '';
    if (leverage === 'NaN') expect(loan.leverage.numerator).toBe(0n);
    else {
      // a difference in the debts is a larger part of the net value
      const lever = Number(leverage);
      expect(relativeError(loan.leverage, parseRatio(leverage))).toBeLessThan(PROJECTED * lever);
    }
  },
);
