import { deflateRawSync } from 'node:zlib';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bsfFromBits, ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation as layout, type Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { goldenUser } from '../golden/golden-addresses.ts';
import { zeroed } from '../lending/lending-accounts.ts';
import { GOLDEN_MARKET } from './reserve-history-rows.ts';

/** An obligation that does not exist in the golden cluster. */
export const LOAN = toAddress('LoanxLoanxLoanxLoanxLoanxLoanxLoanxLoanx111');
export const LOAN_OWNER = goldenUser('treasury').address;

type Amounts = readonly (readonly [reserve: Address, amount: bigint])[];

export type LoanStateFields = {
  readonly at: bigint;
  readonly slot: bigint;
  /** Amount in cTokens. */
  readonly deposits?: Amounts;
  /** In base units, with a cumulative rate that is 1 by default. */
  readonly debts?: Amounts;
  readonly cumulativeRate?: bigint;
  readonly tag?: bigint;
  readonly market?: Address;
  readonly obligation?: Address;
};

/** The state of a loan from a slot on. */
export const loanState = (then: LoanStateFields): StateInput<'obligationState'> => ({
  obligation: then.obligation ?? LOAN,
  wallet: LOAN_OWNER,
  slot: toSlot(then.slot),
  at: toUnixSeconds(then.at),
  deflated: deflateRawSync(layout.encode(loanOf(then))),
});

export const closedLoan = (
  then: Pick<LoanStateFields, 'at' | 'slot'>,
): StateInput<'obligationState'> => ({
  ...loanState(then),
  deflated: null,
});

function loanOf(then: LoanStateFields): Obligation {
  const { deposits = [], debts = [], cumulativeRate = ONE_BSF, tag = 0n } = then;
  const empty = zeroed(layout);
  return {
    ...empty,
    tag,
    lendingMarket: then.market ?? GOLDEN_MARKET,
    owner: LOAN_OWNER,
    lastUpdate: { ...empty.lastUpdate, slot: toSlot(then.slot) },
    deposits: empty.deposits.map((deposit, i) => ({
      ...deposit,
      depositReserve: deposits[i]?.[0] ?? ZERO_ADDRESS,
      depositedAmount: deposits[i]?.[1] ?? 0n,
    })),
    borrows: empty.borrows.map((borrow, i) => ({
      ...borrow,
      borrowReserve: debts[i]?.[0] ?? ZERO_ADDRESS,
      borrowedAmountSf: sfFromInt(debts[i]?.[1] ?? 0n),
      cumulativeBorrowRateBsf: {
        ...borrow.cumulativeBorrowRateBsf,
        value: bsfFromBits(cumulativeRate),
      },
    })),
  };
}
