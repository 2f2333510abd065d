import {
  aprToApyNumber,
  formatRatio,
  type Ratio,
  ratioToNumber,
  SERIES_DIGITS,
} from '@tidegate/core/base';
import type { ReservePoint } from '@tidegate/core/views/series';

/** The JSON of a point. Written by hand, because a year by the hour has 8,760 points of 31 fields. */
export function reservePointJson(point: ReservePoint): string {
  const config = configJsonOf(point);
  return (
    `{"status":"${point.status}","symbol":${JSON.stringify(point.symbol)}` +
    `,"decimals":${point.decimals},"mintAddress":"${point.mintAddress}"` +
    `,"depositTvl":"${decimal(point.depositTvl)}","borrowTvl":"${decimal(point.borrowTvl)}"` +
    `,"totalSupply":"${decimal(point.totalSupply)}","totalBorrows":"${decimal(point.totalBorrows)}"` +
    `,"totalLiquidity":"${decimal(point.totalLiquidity)}"` +
    `,"mintTotalSupply":"${decimal(point.mintTotalSupply)}"` +
    `,"exchangeRate":${ratioToNumber(point.exchangeRate)}` +
    `,"cumulativeBorrowRate":"${decimal(point.cumulativeBorrowRate)}"` +
    `,"assetPriceUSD":${ratioToNumber(point.assetPriceUSD)}` +
    `,"assetOraclePriceUSD":${ratioToNumber(point.assetOraclePriceUSD)}` +
    `,"supplyInterestAPY":${aprToApyNumber(point.supplyApr)}` +
    `,"borrowInterestAPY":${aprToApyNumber(point.borrowApr)}` +
    `,"utilizationRatio":${ratioToNumber(point.utilizationRatio)}` +
    `${config.rates},"accumulatedProtocolFees":"${decimal(point.accumulatedProtocolFees)}"` +
    `${config.limits},"depositLimitCrossedTimestamp":${point.depositLimitCrossedTimestamp}` +
    `,"borrowLimitCrossedTimestamp":${point.borrowLimitCrossedTimestamp}}`
  );
}

type ConfigJson = { readonly rates: string; readonly limits: string };

/** Points of the same configuration share the curve. */
const configJsons = new WeakMap<ReservePoint['borrowCurve'], ConfigJson>();

function configJsonOf(point: ReservePoint): ConfigJson {
  const known = configJsons.get(point.borrowCurve) ?? configJson(point);
  configJsons.set(point.borrowCurve, known);
  return known;
}

/** Fields of the configuration, each preceded by a comma. */
function configJson(point: ReservePoint): ConfigJson {
  const { flashLoanFeePercentage } = point;
  const rates = {
    borrowCurve: point.borrowCurve.map(({ utilization, rate }): [number, number] => [
      ratioToNumber(utilization),
      ratioToNumber(rate),
    ]),
    borrowFactor: Number(point.borrowFactor),
    loanToValue: ratioToNumber(point.loanToValue),
    liquidationThreshold: ratioToNumber(point.liquidationThreshold),
    minLiquidationBonus: ratioToNumber(point.minLiquidationBonus),
    maxLiquidationBonus: ratioToNumber(point.maxLiquidationBonus),
    protocolTakeRate: ratioToNumber(point.protocolTakeRate),
    borrowFeePercentage: ratioToNumber(point.borrowFeePercentage),
    ...(flashLoanFeePercentage === undefined
      ? {}
      : { flashLoanFeePercentage: ratioToNumber(flashLoanFeePercentage) }),
  };
  const limits = {
    reserveDepositLimit: String(point.reserveDepositLimit),
    reserveBorrowLimit: String(point.reserveBorrowLimit),
  };
  return { rates: fieldsOf(rates), limits: fieldsOf(limits) };
}

const fieldsOf = (fields: object): string => `,${JSON.stringify(fields).slice(1, -1)}`;

const decimal = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);
