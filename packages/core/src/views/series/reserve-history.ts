import type { Address } from '../../base/encoding/address.ts';
import { bytesToText } from '../../base/encoding/bytes.ts';
import type { Ratio } from '../../base/numbers/decimal.ts';
import { U64_MAX } from '../../base/numbers/lamports.ts';
import { ratioOfSf, ratioOfUnits } from '../../base/numbers/ratio.ts';
import { decimalOfSf, FRACTION_BITS, ONE_SF, type Sf } from '../../base/numbers/scaled-fraction.ts';
import type { UnixSeconds } from '../../base/time.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { type AccrualInput, accrualTerms } from '../../protocol/klend/math/accrual/accrual.ts';
import { latestTime } from '../../protocol/klend/math/accrual/accrual-duration.ts';
import { reserveRates } from '../../protocol/klend/math/accrual/rates.ts';
import type { ExchangeRate } from '../../protocol/klend/math/exchange-rate.ts';
import { reserveAtSlot } from '../../protocol/klend/math/reserve-at-slot.ts';
import { toUsd, toWholeTokens } from '../lending/reserve-snapshot.ts';
import { type ReserveStatus, reserveStatus } from '../lending/reserve-stats.ts';
import { computeFigure } from '../lending/unavailable-figures.ts';
import type { HistoricalReserve } from './historical-market.ts';

/** A reserve at a time. Amounts are whole tokens, values USD, rates and config values fractions. */
export type ReservePoint = {
  readonly status: ReserveStatus;
  readonly symbol: string;
  readonly decimals: number;
  readonly mintAddress: Address;
  readonly depositTvl: Ratio;
  readonly borrowTvl: Ratio;
  readonly totalSupply: Ratio;
  readonly totalBorrows: Ratio;
  /** Available liquidity. */
  readonly totalLiquidity: Ratio;
  readonly mintTotalSupply: Ratio;
  /** cTokens per token. */
  readonly exchangeRate: Ratio;
  readonly cumulativeBorrowRate: Ratio;
  /** As stored in the reserve; older than the oracle price. */
  readonly assetPriceUSD: Ratio;
  readonly assetOraclePriceUSD: Ratio;
  /** Simple yearly rates; responses have the compounded ones. */
  readonly supplyApr: Ratio;
  readonly borrowApr: Ratio;
  readonly utilizationRatio: Ratio;
  /** Ascending, without repetitions of the last point. */
  readonly borrowCurve: readonly CurvePoint[];
  /** In percent. */
  readonly borrowFactor: bigint;
  readonly loanToValue: Ratio;
  readonly liquidationThreshold: Ratio;
  readonly minLiquidationBonus: Ratio;
  readonly maxLiquidationBonus: Ratio;
  readonly protocolTakeRate: Ratio;
  readonly borrowFeePercentage: Ratio;
  /** Undefined if the reserve does not offer flash loans. */
  readonly flashLoanFeePercentage: Ratio | undefined;
  readonly accumulatedProtocolFees: Ratio;
  /** In lamports. */
  readonly reserveDepositLimit: bigint;
  readonly reserveBorrowLimit: bigint;
  /** When supply and debt exceeded their limits; 0 if they do not. */
  readonly depositLimitCrossedTimestamp: UnixSeconds;
  readonly borrowLimitCrossedTimestamp: UnixSeconds;
};

type CurvePoint = { readonly utilization: Ratio; readonly rate: Ratio };

/** Interest accrues up to the time. */
export type ReservePointContext = AccrualInput & { readonly slotMs: Ratio };

export function viewReservePoint(
  reserve: HistoricalReserve,
  context: ReservePointContext,
): ReservePoint {
  const { slotMs, rules } = context;
  const { address, fields, oraclePrice: price } = reserve;
  const time = latestTime(context.time, [fields.lastUpdate]);
  const atSlot = computeFigure(address, () =>
    reserveAtSlot(fields, { time, ...accrualTerms(context), rules, price }),
  );
  const { config, liquidity: stored } = fields;
  const { liquidity, basis, rate, totalSupply } = atSlot;
  const rates = reserveRates({ config, liquidity, basis }, slotMs);
  const { mintDecimals: decimals } = stored;
  const settings = configPointOf(config);
  // Without spread syntax: adding this many fields to a copy takes longer than all the rest.
  return {
    status: settings.status,
    symbol: settings.symbol,
    decimals: Number(decimals),
    mintAddress: stored.mintPubkey,
    depositTvl: toUsd(atSlot, totalSupply),
    borrowTvl: toUsd(atSlot, liquidity.borrowedAmountSf),
    totalSupply: toWholeTokens(atSlot, totalSupply),
    totalBorrows: toWholeTokens(atSlot, liquidity.borrowedAmountSf),
    totalLiquidity: ratioOfUnits(liquidity.totalAvailableAmount, decimals),
    mintTotalSupply: ratioOfUnits(rate.mintTotalSupply, decimals),
    exchangeRate: collateralPerToken(rate),
    cumulativeBorrowRate: { numerator: atSlot.cumulativeBorrowRate, denominator: ONE_SF },
    assetPriceUSD: ratioOfSf(stored.marketPriceSf),
    assetOraclePriceUSD: ratioOfSf(price),
    supplyApr: rates.supplyApr,
    borrowApr: rates.borrowApr,
    utilizationRatio: ratioOfSf(rates.utilization),
    borrowCurve: settings.borrowCurve,
    borrowFactor: settings.borrowFactor,
    loanToValue: settings.loanToValue,
    liquidationThreshold: settings.liquidationThreshold,
    minLiquidationBonus: settings.minLiquidationBonus,
    maxLiquidationBonus: settings.maxLiquidationBonus,
    protocolTakeRate: settings.protocolTakeRate,
    borrowFeePercentage: settings.borrowFeePercentage,
    flashLoanFeePercentage: settings.flashLoanFeePercentage,
    accumulatedProtocolFees: toWholeTokens(atSlot, liquidity.accumulatedProtocolFeesSf),
    reserveDepositLimit: settings.reserveDepositLimit,
    reserveBorrowLimit: settings.reserveBorrowLimit,
    depositLimitCrossedTimestamp: stored.depositLimitCrossedTimestamp,
    borrowLimitCrossedTimestamp: stored.borrowLimitCrossedTimestamp,
  };
}

type ConfigPoint = Pick<
  ReservePoint,
  | 'status'
  | 'symbol'
  | 'borrowCurve'
  | 'borrowFactor'
  | 'loanToValue'
  | 'liquidationThreshold'
  | 'minLiquidationBonus'
  | 'maxLiquidationBonus'
  | 'protocolTakeRate'
  | 'borrowFeePercentage'
  | 'flashLoanFeePercentage'
  | 'reserveDepositLimit'
  | 'reserveBorrowLimit'
>;

/** Consecutive points usually share a decoded configuration. */
const configPoints = new WeakMap<Reserve['config'], ConfigPoint>();

function configPointOf(config: Reserve['config']): ConfigPoint {
  const known = configPoints.get(config) ?? configPoint(config);
  configPoints.set(config, known);
  return known;
}

function configPoint(config: Reserve['config']): ConfigPoint {
  const { originationFeeSf, flashLoanFeeSf } = config.fees;
  return {
    status: reserveStatus(config),
    symbol: bytesToText(config.tokenInfo.name),
    borrowCurve: curveOf(config.borrowRateCurve.points),
    borrowFactor: config.borrowFactorPct,
    loanToValue: percent(config.loanToValuePct),
    liquidationThreshold: percent(config.liquidationThresholdPct),
    minLiquidationBonus: basisPoints(config.minLiquidationBonusBps),
    maxLiquidationBonus: basisPoints(config.maxLiquidationBonusBps),
    protocolTakeRate: percent(config.protocolTakeRatePct),
    borrowFeePercentage: decimalOfSf(originationFeeSf),
    flashLoanFeePercentage: flashLoanFeeOf(flashLoanFeeSf),
    reserveDepositLimit: config.depositLimit,
    reserveBorrowLimit: config.borrowLimit,
  };
}

const flashLoanFeeOf = (fee: Sf): Ratio | undefined =>
  fee === U64_MAX ? undefined : decimalOfSf(fee);

function curveOf(points: Reserve['config']['borrowRateCurve']['points']): readonly CurvePoint[] {
  const last = points.at(-1);
  const end = points.findIndex(
    (point) =>
      point.utilizationRateBps === last?.utilizationRateBps &&
      point.borrowRateBps === last.borrowRateBps,
  );
  return points.slice(0, end + 1).map(({ utilizationRateBps, borrowRateBps }) => ({
    utilization: basisPoints(utilizationRateBps),
    rate: basisPoints(borrowRateBps),
  }));
}

/** One without cTokens or without supply. */
function collateralPerToken({ mintTotalSupply, totalSupply }: ExchangeRate): Ratio {
  if (mintTotalSupply === 0n || totalSupply === 0n) return { numerator: 1n, denominator: 1n };
  return { numerator: mintTotalSupply << FRACTION_BITS, denominator: totalSupply };
}

const percent = (value: number): Ratio => ({ numerator: BigInt(value), denominator: 100n });

const basisPoints = (value: number): Ratio => ({ numerator: BigInt(value), denominator: 10_000n });
