import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  FRACTION_BITS,
  floorSf,
  type Sf,
  sfFromBits,
} from '../../../base/numbers/scaled-fraction.ts';
import type { ReserveView } from '../layout/reserve.ts';
import type { LendingRules } from '../lending-rules.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquidityCeil,
  collateralToLiquiditySf,
  liquidityToCollateral,
  liquidityToCollateralCeil,
} from './exact-ratio.ts';
import { totalSupply } from './supply.ts';

/** The exchange rate of cTokens. `rounded` is the rate of older builds: cTokens per lamport, in 60 bits. */
export type ExchangeRate = CTokenExchangeRate & { readonly rounded?: bigint };

export type ExchangeRateSource = {
  readonly liquidity: Parameters<typeof totalSupply>[0];
  readonly collateral: Pick<ReserveView['collateral'], 'mintTotalSupply'>;
};

/** The ratio that the vault program computes from a reserve, whatever release of the lending program runs. */
export const ctokenExchangeRate = ({
  liquidity,
  collateral,
}: ExchangeRateSource): CTokenExchangeRate => ({
  totalSupply: totalSupply(liquidity),
  mintTotalSupply: collateral.mintTotalSupply,
});

export function exchangeRate(
  reserve: ExchangeRateSource,
  rules: Pick<LendingRules, 'exchangeRate'>,
): ExchangeRate {
  const exact = ctokenExchangeRate(reserve);
  return rules.exchangeRate === 'ratio' ? exact : { ...exact, rounded: roundedRate(exact) };
}

/** The value of `collateral` cTokens in lamports, rounded down to 60 bits. */
export function collateralWorth(rate: ExchangeRate, collateral: bigint): Sf {
  if (rate.rounded === undefined) return collateralToLiquiditySf(rate, collateral);
  return sfFromBits((collateral << (2n * FRACTION_BITS)) / rate.rounded);
}

/** The lamports that `collateral` cTokens redeem for, rounded down. */
export const redeemedLiquidity = (rate: ExchangeRate, collateral: bigint): Lamports =>
  toLamports(floorSf(collateralWorth(rate, collateral)));

export type DepositAmounts = { readonly collateral: bigint; readonly liquidity: Lamports };

/** The cTokens that a deposit of at most `amount` lamports mints (rounded down), and their price (rounded up). */
export function depositAmounts(
  rate: ExchangeRate,
  amount: bigint,
  rules: Pick<LendingRules, 'depositAmount'>,
): DepositAmounts {
  const collateral =
    rate.rounded === undefined
      ? liquidityToCollateral(rate, amount)
      : (rate.rounded * amount) >> FRACTION_BITS;
  const whole = rules.depositAmount === 'whole amount';
  const liquidity = whole ? toLamports(amount) : collateralToLiquidityCeil(rate, collateral);
  return { collateral, liquidity };
}

/** The maximum cTokens that `available` lamports can pay: rounded up if that still fits, otherwise down. */
export function redeemableCollateral(rate: ExchangeRate, available: bigint): bigint {
  const more = liquidityToCollateralCeil(rate, available);
  return redeemedLiquidity(rate, more) <= available ? more : liquidityToCollateral(rate, available);
}

function roundedRate({ totalSupply: supply, mintTotalSupply }: CTokenExchangeRate): bigint {
  if (supply === 0n || mintTotalSupply === 0n) return 1n << FRACTION_BITS;
  return (mintTotalSupply << (2n * FRACTION_BITS)) / supply;
}
