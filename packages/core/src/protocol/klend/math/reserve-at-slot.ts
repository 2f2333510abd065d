import type { Bsf } from '../../../base/numbers/big-scaled-fraction.ts';
import { powerOfTen } from '../../../base/numbers/decimal.ts';
import { FRACTION_BITS, type Sf, sfFromPercent } from '../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../layout/reserve.ts';
import { type AccrualInput, accrueReserve, type ReserveAccrual } from './accrual/accrual.ts';
import { type InterestRateBasis, interestRateBasis } from './accrual/accrual-duration.ts';
import { type ExchangeRate, exchangeRate } from './exchange-rate.ts';
import { borrowFactor } from './liquidity.ts';
import { type SupplySource, totalSupply } from './supply.ts';

export type ReserveAtSlotInput = AccrualInput & {
  /** USD per whole token. Defaults to the stored price. */
  readonly price?: Sf;
};

/** The values of a reserve at a slot that its stats and those of its loans need. */
export type ReserveAtSlot = {
  readonly liquidity: SupplySource & ReserveAccrual;
  readonly totalSupply: Sf;
  readonly rate: ExchangeRate;
  readonly cumulativeBorrowRate: Bsf;
  readonly basis: InterestRateBasis;
  readonly price: Sf;
  /** Divisor of lamports times price: 10^decimals in 60 bits. */
  readonly priceDivisor: bigint;
  readonly maxLtv: Sf;
  readonly liquidationThreshold: Sf;
  readonly borrowFactor: Sf;
  readonly elevationGroups: Uint8Array;
};

export function reserveAtSlot(reserve: ReserveView, terms: ReserveAtSlotInput): ReserveAtSlot {
  const { config } = reserve;
  const accrued = accrueReserve(reserve, terms);
  const liquidity = {
    totalAvailableAmount: accrued.totalAvailableAmount,
    rewardsAmountAvailable: accrued.rewardsAmountAvailable,
    borrowedAmountSf: accrued.borrowedAmountSf,
    cumulativeBorrowRate: accrued.cumulativeBorrowRate,
    accumulatedProtocolFeesSf: accrued.accumulatedProtocolFeesSf,
    accumulatedReferrerFeesSf: reserve.liquidity.accumulatedReferrerFeesSf,
    pendingReferrerFeesSf: accrued.pendingReferrerFeesSf,
    absoluteReferralRateSf: accrued.absoluteReferralRateSf,
  };
  const rate = exchangeRate({ liquidity, collateral: reserve.collateral }, terms.rules);
  return {
    liquidity,
    totalSupply: totalSupply(liquidity),
    rate,
    cumulativeBorrowRate: accrued.cumulativeBorrowRate,
    basis: interestRateBasis(config, terms.rules),
    price: terms.price ?? reserve.liquidity.marketPriceSf,
    priceDivisor: powerOfTen(Number(reserve.liquidity.mintDecimals)) << FRACTION_BITS,
    maxLtv: sfFromPercent(BigInt(config.loanToValuePct)),
    liquidationThreshold: sfFromPercent(BigInt(config.liquidationThresholdPct)),
    borrowFactor: borrowFactor(config.borrowFactorPct, false),
    elevationGroups: config.elevationGroups,
  };
}
