import { formatRatio, LIVE_DIGITS, type Ratio, SERIES_DIGITS } from '@tidegate/core/base';
import type { ReservePoint } from '@tidegate/core/views/series';

/** A point of a reserve's history in the texts and numbers of the contract. */
export function reservePointJson(point: ReservePoint) {
  const { flashLoanFeePercentage } = point;
  return {
    status: point.status,
    symbol: point.symbol,
    decimals: point.decimals,
    mintAddress: point.mintAddress,
    depositTvl: text(point.depositTvl),
    borrowTvl: text(point.borrowTvl),
    totalSupply: text(point.totalSupply),
    totalBorrows: text(point.totalBorrows),
    totalLiquidity: text(point.totalLiquidity),
    mintTotalSupply: text(point.mintTotalSupply),
    exchangeRate: number(point.exchangeRate),
    cumulativeBorrowRate: text(point.cumulativeBorrowRate),
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
    accumulatedProtocolFees: text(point.accumulatedProtocolFees),
    reserveDepositLimit: String(point.reserveDepositLimit),
    reserveBorrowLimit: String(point.reserveBorrowLimit),
    depositLimitCrossedTimestamp: Number(point.depositLimitCrossedTimestamp),
    borrowLimitCrossedTimestamp: Number(point.borrowLimitCrossedTimestamp),
  };
}

const text = (value: Ratio): string => formatRatio(value, SERIES_DIGITS);

/** The double next to it, which is what the contract has these as. */
const number = (value: Ratio): number => Number(formatRatio(value, LIVE_DIGITS));
