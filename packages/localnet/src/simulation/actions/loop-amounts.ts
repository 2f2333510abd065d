import { type Address, floorSf, ONE_SF, type Sf, sfFromBits } from '@tidegate/core/base';
import type { Reserve } from '@tidegate/core/protocol/klend/layout';
import { amountOfValue } from '@tidegate/core/protocol/klend/math';
import type { Simulator } from '../setup/simulator.ts';
import { type LoanRef, loanAddress } from './lending-actions.ts';
import type { LoopSwap } from './leverage-loops.ts';
import { refreshedLoan } from './loan-state.ts';

type Sides = { readonly collateral: Address; readonly debt: Address };

export type LoopAmounts = Pick<LoopSwap, 'debt' | 'collateral'>;

const THOUSAND = 1_000n;
/** What the market maker keeps of a swap. */
const SPREAD_PERMILLE = 1n;
/** A flash loan and the loan that pays it back are both out at once, and others want something, too. */
const MOST_OF_AVAILABLE = 3n;
/** Smaller ones are not worth the fee. */
const LEAST_DOLLARS = 10n;

/** What brings a loan to a part of the most that it could owe if what it buys is lent as well. */
export function increaseAmounts(
  player: Simulator,
  loan: LoanRef,
  { collateral, debt, appetitePermille }: Sides & { readonly appetitePermille: bigint },
): LoopAmounts | undefined {
  const now = refreshedLoan(player, loanAddress(loan), [collateral, debt]);
  const [bought, owed] = [now?.position.reserves.get(collateral), now?.position.reserves.get(debt)];
  if (now === undefined || bought === undefined || owed === undefined) return undefined;
  const { obligation } = now.position;
  const { depositedValueSf, allowedBorrowValueSf, borrowedAssetsMarketValueSf } = obligation;
  if (depositedValueSf === 0n) return undefined;
  const part = (allowedBorrowValueSf * appetitePermille * ONE_SF) / (depositedValueSf * THOUSAND);
  const weight = obligation.elevationGroup === 0 ? weightOf(owed) : ONE_SF;
  const own = depositedValueSf - borrowedAssetsMarketValueSf;
  if (own <= 0n || weight <= part) return undefined;
  const wanted = (part * own) / (weight - part) - borrowedAssetsMarketValueSf;
  if (wanted < LEAST_DOLLARS * ONE_SF) return undefined;
  const available = owed.liquidity.totalAvailableAmount / MOST_OF_AVAILABLE;
  const amount = least(floorSf(amountOfValue(owed.liquidity, sfFromBits(wanted))), available);
  const paid = dollarsOf(owed, amount);
  const received = sfFromBits((paid * (THOUSAND - SPREAD_PERMILLE)) / THOUSAND);
  return {
    debt: { reserve: debt, amount },
    collateral: { reserve: collateral, amount: floorSf(amountOfValue(bought.liquidity, received)) },
  };
}

/** What pays back a part of the debt by selling of the deposit. */
export function decreaseAmounts(
  player: Simulator,
  loan: LoanRef,
  { collateral, debt, permille }: Sides & { readonly permille: bigint },
): LoopAmounts | undefined {
  const now = refreshedLoan(player, loanAddress(loan), [collateral, debt]);
  const [sold, owed] = [now?.position.reserves.get(collateral), now?.position.reserves.get(debt)];
  const borrow = now?.position.obligation.borrows.find((each) => each.borrowReserve === debt);
  if (sold === undefined || owed === undefined || borrow === undefined) return undefined;
  const wanted = (floorSf(borrow.borrowedAmountSf) * permille) / THOUSAND;
  const amount = least(wanted, owed.liquidity.totalAvailableAmount / MOST_OF_AVAILABLE);
  if (dollarsOf(owed, amount) < LEAST_DOLLARS * ONE_SF) return undefined;
  const given = (dollarsOf(owed, amount) * (THOUSAND + 2n * SPREAD_PERMILLE)) / THOUSAND;
  return {
    debt: { reserve: debt, amount },
    collateral: {
      reserve: collateral,
      amount: floorSf(amountOfValue(sold.liquidity, sfFromBits(given))),
    },
  };
}

/** Debt counts for so much more than it is. */
const weightOf = ({ config }: Reserve): Sf => sfFromBits((config.borrowFactorPct * ONE_SF) / 100n);

/** In USD, rounded down. */
const dollarsOf = ({ liquidity }: Reserve, amount: bigint): Sf =>
  sfFromBits((amount * liquidity.marketPriceSf) / 10n ** liquidity.mintDecimals);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
