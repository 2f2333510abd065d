import { deflateRawSync } from 'node:zlib';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { bsfFromBits, ONE_BSF } from '#core/base/numbers/big-scaled-fraction.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation as layout, type Obligation } from '#core/protocol/klend/layout/obligation.ts';
import type { StateInput } from '#server/history/schema/event-tables.ts';
import { zeroed } from '../lending/lending-accounts.ts';
import { GOLDEN_MARKET } from './reserve-history-rows.ts';

/** An obligation that the golden cluster does not have. */
export const LOAN = toAddress('LoanxLoanxLoanxLoanxLoanxLoanxLoanxLoanx111');
export const LOAN_OWNER = toAddress('BcgScEraToUtTtDmoRmXr3AsMJAktt5k5kcLMcXa5iwN');

type Amounts = readonly (readonly [reserve: Address, amount: bigint])[];

export type LoanStateFields = {
  readonly at: bigint;
  readonly slot: bigint;
  /** cTokens. */
  readonly deposits?: Amounts;
  /** In smallest units, at the cumulative rate that goes with them: one, if none is named. */
  readonly debts?: Amounts;
  readonly cumulativeRate?: bigint;
  readonly tag?: bigint;
  readonly market?: Address;
  readonly obligation?: Address;
};

/** The state of a loan from that slot on. */
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
  const blank = zeroed(layout);
  return {
    ...blank,
    tag,
    lendingMarket: then.market ?? GOLDEN_MARKET,
    owner: LOAN_OWNER,
    lastUpdate: { ...blank.lastUpdate, slot: toSlot(then.slot) },
    deposits: blank.deposits.map((place, i) => ({
      ...place,
      depositReserve: deposits[i]?.[0] ?? ZERO_ADDRESS,
      depositedAmount: deposits[i]?.[1] ?? 0n,
    })),
    borrows: blank.borrows.map((place, i) => ({
      ...place,
      borrowReserve: debts[i]?.[0] ?? ZERO_ADDRESS,
      borrowedAmountSf: sfFromInt(debts[i]?.[1] ?? 0n),
      cumulativeBorrowRateBsf: {
        ...place.cumulativeBorrowRateBsf,
        value: bsfFromBits(cumulativeRate),
      },
    })),
  };
}
