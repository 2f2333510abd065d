import { formatRatio, LIVE_DIGITS, type Ratio, SERIES_DIGITS } from '@tidegate/core/base';
import type { ReservePoint } from '@tidegate/core/views/series';

export function reservePointJson(point: ReservePoint) {
  const { flashLoanFeePercentage } = point;
  return {
    status: point.status,
    symbol: point.symbol,
    decimals: point.decimals,
    mintAddress: point.mintAddress,
    depositTvl: decimal(point.depositTvl),
    borrowTvl: decimal(point.borrowTvl),
    totalSupply: decimal(point.totalSupply),
    totalBorrows: decimal(point.totalBorrows),
    totalLiquidity: decimal(point.totalLiquidity),
    mintTotalSupply: decimal(point.mintTotalSupply),
    exchangeRate: number(point.exchangeRate),
    cumulativeBorrowRate: decimal(point.cumulativeBorrowRate),
    assetPriceUSD: number(point.assetPriceUSD),
    assetOraclePriceUSD: number(point.assetOraclePriceUSD),
    supplyInterestAPY: number(point.supplyInterestAPY),
    borrowInterestAPY: number(point.borrowInterestAPY),
    utilizationRatio: number(point.utilizationRatio),
    borrowCurve: point.borrowCurve.map(({ utilization, rate }): [number, number] => [
      number(utilization),
      number(rate),
    ]),
    borrowFactor: Number(point.borrowFactor),
    loanToValue: number(point.loanToValue),
    liquidationThreshold: number(point.liquidationThreshold),
    minLiquidationBonus: number(point.minLiquidationBonus),
    maxLiquidationBonus: number(point.maxLiquidationBonus),
    protocolTakeRate: number(point.protocolTakeRate),
    borrowFeePercentage: number(point.borrowFeePercentage),
    ...(flashLoanFeePercentage === undefined
      ? {}
      : { flashLoanFeePercentage: number(flashLoanFeePercentage) }),
    accumulatedProtocolFees: decimal(point.accumulatedProtocolFees),
    reserveDepositLimit: String(point.reserveDepositLimit),
    reserveBorrowLimit: String(point.reserveBorrowLimit),
    depositLimitCrossedTimestamp: Number(point.depositLimitCrossedTimestamp),
    borrowLimitCrossedTimestamp: Number(point.borrowLimitCrossedTimestamp),
  };
}

const decimal = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);

/** The nearest double, for fields that are numbers in the contract. */
const number = (value: Ratio): number => Number(formatRatio(value, LIVE_DIGITS));
