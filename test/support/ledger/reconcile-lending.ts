import { expect } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { type Decimal50, multiply, sum, toDecimal50 } from '../reference/reference-lending.ts';
import { type AccountLedger, type LedgerTime, nextFull, type Sample } from './account-ledger.ts';
import { expectNear, expectNumber } from './expect-near.ts';
import type { LedgerReserve } from './ledger-reserves.ts';
import type { Reconciliation } from './reconciliation.ts';

const SECONDS = { minute: 60n, hour: 3_600n, day: 86_400n } as const;
type Frequency = keyof typeof SECONDS;
/** For longer ranges, market history is daily. */
const HOURLY_DAYS = 90n;

type Metrics = Record<string, unknown>;
type Point = { readonly timestamp: string; readonly metrics: Metrics };

const isoOf = (unix: bigint): string => new Date(Number(unix) * 1000).toISOString();

/** The last sample at or before each full interval; full minutes exist only for minute samples. */
const pointsOf = (ledger: AccountLedger, frequency: Frequency): ReadonlyMap<bigint, Sample> =>
  frequency === 'minute'
    ? new Map(
        ledger.samples
          .filter(({ resolution }) => resolution === 'minute')
          .map((sample) => [nextFull(sample.unix, 60n), sample]),
      )
    : ledger.lastBefore(SECONDS[frequency]);

export async function reconcileReserveHistory(
  proof: Reconciliation,
  frequency: Frequency,
): Promise<void> {
  const { api, ledger, reserves, random, end } = proof;
  const points = pointsOf(ledger, frequency);
  for (const reserve of random.some([...reserves.at(end).values()], 5)) {
    const { lendingMarket } = reserve.fields;
    const range = random.range(frequency);
    const path = `/svc-market/${lendingMarket}/reserves/${reserve.address}/metrics/history`;
    const query = `?frequency=${frequency}&start=${isoOf(range.start)}&end=${isoOf(range.end)}`;
    const { history } = (await api.get(`${path}${query}`)).body as { history: Point[] };
    const inRange = [...points].filter(([at]) => at >= range.start && at < range.end);
    expect(
      history.map(({ timestamp }) => timestamp),
      query,
    ).toEqual(inRange.map(([at]) => isoOf(at)));
    for (const [i, [at, sample]] of inRange.entries()) {
      const then = reserves.at(sample).get(reserve.address);
      if (then === undefined) throw new Error('no reserve');
      expectReserve(history[i]?.metrics ?? {}, then, `${reserve.address} ${isoOf(at)}`);
    }
  }
}

export async function reconcileMarketHistory(proof: Reconciliation): Promise<void> {
  const { api, ledger, reserves, random, metadata } = proof;
  for (const { address } of metadata.markets) {
    const { start: from, end, frequency } = random.rangeOfDays(HOURLY_DAYS);
    const query = `?start=${isoOf(from)}&end=${isoOf(end)}`;
    const { body } = await api.get(`/svc-market/${address}/metrics/history${query}`);
    const points = body as Point[];
    const samples = [...ledger.lastBefore(SECONDS[frequency]).values()];
    const inRange = samples.filter(({ unix }) => unix >= from && unix < end);
    expect(points.map(({ timestamp }) => timestamp)).toEqual(
      inRange.map(({ unix }) => isoOf(unix)),
    );
    for (const [i, sample] of inRange.entries()) {
      const { depositTVL, borrowTVL, obligations } = points[i]?.metrics ?? {};
      const marketReserves = [...reserves.at(sample).values()].filter(
        ({ fields }) => fields.lendingMarket === address,
      );
      const what = `${address} ${isoOf(sample.unix)}`;
      expectNear(depositTVL, sum(marketReserves.map((one) => usdOf(one, one.supply))), what);
      expectNear(borrowTVL, sum(marketReserves.map((one) => usdOf(one, one.debt))), what);
      expect(obligations, what).toBe(countLoans(ledger, address, sample));
    }
  }
}

const usdOf = ({ price, lamportsPerToken }: LedgerReserve, lamports: Decimal50): Decimal50 =>
  multiply(lamports / lamportsPerToken, price);

const countLoans = (ledger: AccountLedger, market: Address, at: LedgerTime): number =>
  ledger
    .all(obligation, at)
    .filter(
      ({ fields }) =>
        fields.lendingMarket === market &&
        (fields.deposits.some(({ depositedAmount }) => depositedAmount > 0n) ||
          fields.borrows.some(({ borrowedAmountSf }) => borrowedAmountSf > 0n)),
    ).length;

const STATUSES = ['Active', 'Obsolete', 'Hidden'];
const SF = 2n ** 60n;

function expectReserve(actual: Metrics, then: LedgerReserve, what: string): void {
  const { config, fields, lamportsPerToken } = then;
  const { liquidity, collateral } = fields;
  const near = (name: string, expected: Decimal50) =>
    expectNear(actual[name], expected, `${what} ${name}`);
  const number = (name: string, expected: Decimal50) =>
    expectNumber(actual[name], expected, `${what} ${name}`);
  near('totalSupply', then.supply / lamportsPerToken);
  near('totalBorrows', then.debt / lamportsPerToken);
  near('totalLiquidity', then.available / lamportsPerToken);
  near('depositTvl', usdOf(then, then.supply));
  near('borrowTvl', usdOf(then, then.debt));
  near('mintTotalSupply', toDecimal50(collateral.mintTotalSupply, lamportsPerToken));
  near('cumulativeBorrowRate', then.cumulative);
  near('accumulatedProtocolFees', then.protocolFees / lamportsPerToken);
  number('exchangeRate', toDecimal50(toDecimal50(1n), then.perCToken));
  number('assetPriceUSD', toDecimal50(liquidity.marketPriceSf, SF));
  number('assetOraclePriceUSD', then.price);
  number('supplyInterestAPY', then.supplyApy);
  number('borrowInterestAPY', then.borrowApy);
  number('utilizationRatio', then.used);
  number('borrowFactor', toDecimal50(config.borrowFactorPct));
  number('loanToValue', toDecimal50(BigInt(config.loanToValuePct), 100n));
  number('liquidationThreshold', toDecimal50(BigInt(config.liquidationThresholdPct), 100n));
  number('protocolTakeRate', toDecimal50(BigInt(config.protocolTakeRatePct), 100n));
  number('minLiquidationBonus', toDecimal50(BigInt(config.minLiquidationBonusBps), 10_000n));
  number('maxLiquidationBonus', toDecimal50(BigInt(config.maxLiquidationBonusBps), 10_000n));
  number('borrowFeePercentage', toDecimal50(config.fees.originationFeeSf, SF));
  number('depositLimitCrossedTimestamp', toDecimal50(liquidity.depositLimitCrossedTimestamp));
  number('borrowLimitCrossedTimestamp', toDecimal50(liquidity.borrowLimitCrossedTimestamp));
  expect(
    [
      actual['status'],
      actual['mintAddress'],
      actual['reserveDepositLimit'],
      actual['reserveBorrowLimit'],
    ],
    what,
  ).toEqual([
    STATUSES[config.status],
    then.mint,
    `${config.depositLimit}`,
    `${config.borrowLimit}`,
  ]);
}
