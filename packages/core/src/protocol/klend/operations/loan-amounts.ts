import { ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  divSf,
  floorSf,
  minSf,
  mulSf,
  type Sf,
  sfFromInt,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import type { RejectionFigures } from '../../../base/solana/rejection-figures.ts';
import { klendRejection } from '../errors.ts';
import type { Obligation } from '../layout/obligation.ts';
import type { Reserve } from '../layout/reserve.ts';
import { loanFees } from '../math/fees.ts';
import { remainingBorrowValue } from '../math/health.ts';
import { amountOfValue, availableLiquidity, borrowFactor, marketValue } from '../math/liquidity.ts';
import type { LendingContext } from './position.ts';

export type LoanAmounts = {
  /** The increase of the debt. */
  readonly debt: Sf;
  readonly received: Lamports;
  readonly protocolFee: Lamports;
  /** Added to the referrer token state. Stays in the reserve until claimed. */
  readonly referrerFee: Lamports;
};

export function loanAmounts(
  obligation: Obligation,
  reserve: Reserve,
  { amount, context }: { readonly amount: bigint; readonly context: LendingContext },
): LoanAmounts {
  const borrowValue = remainingBorrowValue(obligation);
  if (borrowValue === 0n)
    throw klendRejection('BorrowTooLarge', 'the deposits do not allow more debt', {
      unit: 'usd',
      available: 0n,
      limit: obligation.allowedBorrowValueSf,
    });
  const capacity = remainingCapacity(reserve);
  if (capacity === 0n)
    throw klendRejection('BorrowLimitExceeded', 'the borrow limit of the reserve is reached', {
      unit: 'token',
      available: 0n,
      limit: reserve.config.borrowLimit,
    });
  const available = sfFromInt(availableLiquidity(reserve, context.rules));
  const factor = borrowFactor(reserve.config.borrowFactorPct, obligation.elevationGroup !== 0);
  const fees = {
    rate: reserve.config.fees.originationFeeSf,
    referralFeeBps: context.market.referralFeeBps,
    hasReferrer: obligation.referrer !== ZERO_ADDRESS,
  };
  if (amount === U64_MAX) {
    const maxDebt = divSf(amountOfValue(reserve.liquidity, borrowValue), factor);
    const debt = minSf(maxDebt, minSf(capacity, available));
    const { protocol, referrer } = loanFees(debt, { ...fees, kind: 'inclusive' });
    const received = toLamports(floorSf(debt) - protocol - referrer);
    return { debt, received, protocolFee: protocol, referrerFee: referrer };
  }
  const { protocol, referrer } = loanFees(sfFromInt(amount), { ...fees, kind: 'exclusive' });
  const debt = sfFromInt(amount + protocol + referrer);
  const value = mulSf(marketValue(reserve.liquidity, debt), factor);
  const { allowedBorrowValueSf } = obligation;
  requireWithin('BorrowTooLarge', [value, borrowValue], usdFigures(allowedBorrowValueSf));
  requireWithin('BorrowLimitExceeded', [debt, capacity], tokenFigures(reserve.config.borrowLimit));
  requireWithin('InsufficientLiquidity', [debt, available], tokenFigures());
  return {
    debt,
    received: toLamports(amount),
    protocolFee: protocol,
    referrerFee: referrer,
  };
}

type Figures = (needed: Sf, available: Sf) => RejectionFigures;

function requireWithin(
  name: Parameters<typeof klendRejection>[0],
  [needed, available]: readonly [Sf, Sf],
  figures: Figures,
): void {
  if (needed <= available) return;
  const reason = 'the amount plus its fee exceeds the limit';
  throw klendRejection(name, reason, figures(needed, available));
}

const usdFigures =
  (limit: Sf): Figures =>
  (needed, available) => ({ unit: 'usd', needed, available, limit });

/** A debt is a whole number; the capacity is rounded down. */
const tokenFigures =
  (limit?: bigint): Figures =>
  (needed, available) => ({
    unit: 'token',
    needed: floorSf(needed),
    available: floorSf(available),
    ...(limit !== undefined && { limit }),
  });

const remainingCapacity = ({ config, liquidity }: Reserve): Sf =>
  subSfToZero(sfFromInt(config.borrowLimit), liquidity.borrowedAmountSf);
