import { type Address, floorSf, ONE_SF, type Sf, sfFromBits } from '@tidegate/core/base';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import { amountOfValue } from '@tidegate/core/protocol/klend/math';
import type { Simulator } from '../setup/simulator.ts';
import { type LoanRef, loanAddress } from './lending-actions.ts';
import type { LoopSwap } from './leverage-loops.ts';
import { refreshedLoan } from './loan-state.ts';

type LoopReserves = { readonly collateral: Address; readonly debt: Address };

export type LoopAmounts = Pick<LoopSwap, 'debt' | 'collateral'>;

const THOUSAND = 1_000n;
/** The market maker's spread. */
const SPREAD_PERMILLE = 1n;
/**
 * The flash loan and the loan that repays it are outstanding at the same time, and other users need
 * liquidity too.
 */
const AVAILABLE_DIVISOR = 3n;
/** Smaller loops are not worth the fee. */
const MIN_USD = 10n;

/**
 * Amounts that bring a loan to a share of the maximum it could owe when the bought collateral is
 * deposited too.
 */
export function increaseAmounts(
  simulator: Simulator,
  loan: LoanRef,
  {
    collateral,
    debt,
    targetBorrowPermille,
  }: LoopReserves & { readonly targetBorrowPermille: bigint },
): LoopAmounts | undefined {
  const loanState = refreshedLoan(simulator, loanAddress(loan), [collateral, debt]);
  const [collateralReserve, debtReserve] = [
    loanState?.position.reserves.get(collateral),
    loanState?.position.reserves.get(debt),
  ];
  if (loanState === undefined || collateralReserve === undefined || debtReserve === undefined)
    return undefined;
  const { obligation } = loanState.position;
  const { depositedValueSf, allowedBorrowValueSf, borrowedAssetsMarketValueSf } = obligation;
  if (depositedValueSf === 0n) return undefined;
  const targetLtv =
    (allowedBorrowValueSf * targetBorrowPermille * ONE_SF) / (depositedValueSf * THOUSAND);
  const factor = obligation.elevationGroup === 0 ? borrowFactor(debtReserve) : ONE_SF;
  const netValue = depositedValueSf - borrowedAssetsMarketValueSf;
  if (netValue <= 0n || factor <= targetLtv) return undefined;
  const requested = (targetLtv * netValue) / (factor - targetLtv) - borrowedAssetsMarketValueSf;
  if (requested < MIN_USD * ONE_SF) return undefined;
  const available = debtReserve.liquidity.totalAvailableAmount / AVAILABLE_DIVISOR;
  const amount = min(
    floorSf(amountOfValue(debtReserve.liquidity, sfFromBits(requested))),
    available,
  );
  const paid = usdValue(debtReserve, amount);
  const received = sfFromBits((paid * (THOUSAND - SPREAD_PERMILLE)) / THOUSAND);
  return {
    debt: { reserve: debt, amount },
    collateral: {
      reserve: collateral,
      amount: floorSf(amountOfValue(collateralReserve.liquidity, received)),
    },
  };
}

/** Amounts that repay a share of the debt by selling collateral. */
export function decreaseAmounts(
  simulator: Simulator,
  loan: LoanRef,
  { collateral, debt, permille }: LoopReserves & { readonly permille: bigint },
): LoopAmounts | undefined {
  const loanState = refreshedLoan(simulator, loanAddress(loan), [collateral, debt]);
  const [collateralReserve, debtReserve] = [
    loanState?.position.reserves.get(collateral),
    loanState?.position.reserves.get(debt),
  ];
  const borrow = loanState?.position.obligation.borrows.find(
    (position) => position.borrowReserve === debt,
  );
  if (collateralReserve === undefined || debtReserve === undefined || borrow === undefined)
    return undefined;
  const requested = (floorSf(borrow.borrowedAmountSf) * permille) / THOUSAND;
  const amount = min(requested, debtReserve.liquidity.totalAvailableAmount / AVAILABLE_DIVISOR);
  if (usdValue(debtReserve, amount) < MIN_USD * ONE_SF) return undefined;
  const soldValue = (usdValue(debtReserve, amount) * (THOUSAND + 2n * SPREAD_PERMILLE)) / THOUSAND;
  return {
    debt: { reserve: debt, amount },
    collateral: {
      reserve: collateral,
      amount: floorSf(amountOfValue(collateralReserve.liquidity, sfFromBits(soldValue))),
    },
  };
}

/** Borrow factor: debt counts as a multiple of its value. */
const borrowFactor = ({ config }: Reserve): Sf =>
  sfFromBits((config.borrowFactorPct * ONE_SF) / 100n);

/** In USD, rounded down. */
const usdValue = ({ liquidity }: Reserve, amount: bigint): Sf =>
  sfFromBits((amount * liquidity.marketPriceSf) / 10n ** liquidity.mintDecimals);

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
