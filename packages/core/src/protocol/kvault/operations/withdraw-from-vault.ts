import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  floorSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { kvaultRejection } from '../errors.ts';
import type { GlobalConfigView } from '../layout/global-config.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { type Disinvestment, disinvestment, NO_DISINVESTMENT } from '../math/disinvestment.ts';
import { findExchangeRate } from '../math/holdings.ts';
import { sharesToBurn } from '../math/shares.ts';
import { penaltyRates } from '../math/withdrawal-penalty.ts';
import { withdrawalQuote } from '../math/withdrawal-quote.ts';
import { findAllocation, findReserveInvestment, withAllocation } from './allocation.ts';
import { type RefreshedVault, refreshVault, type VaultContext } from './refresh-vault.ts';

export type SharesToRedeem = {
  /** As the instruction has it: more than the balance means all of it. */
  readonly shares: bigint;
  readonly sharesBalance: bigint;
  readonly globalConfig: Pick<
    GlobalConfigView,
    'withdrawalPenaltyBps' | 'withdrawalPenaltyLamports'
  >;
};

export type VaultWithdrawal = SharesToRedeem & {
  /** Pays what the available tokens do not; without one only those are paid out. */
  readonly reserve: Address | undefined;
};

/** The user gets `availableToSendToUser + investedLiquidityToSendToUser`. */
export type WithdrawEffects = {
  readonly vault: VaultState;
  readonly sharesToBurn: bigint;
  readonly availableToSendToUser: Lamports;
  readonly investedToDisinvestCtokens: bigint;
  /** What the reserve gives for the cTokens. */
  readonly investedLiquidityToDisinvest: Lamports;
  readonly investedLiquidityToSendToUser: Lamports;
  /** Part of what is burned for; it stays in the vault. */
  readonly withdrawalPenalty: Lamports;
};

/**
 * `withdraw`, `sell` and `withdraw_from_available`. What cannot be paid out is not burned, but the
 * penalty is on all that was asked for.
 */
export function withdrawFromVault(
  vault: VaultState,
  moment: VaultContext,
  withdrawal: VaultWithdrawal,
): WithdrawEffects {
  const { reserve, globalConfig } = withdrawal;
  if (reserve !== undefined) findAllocation(vault, reserve);
  const shares = sharesToRedeem(withdrawal);
  const refreshed = refreshVault(vault, moment);
  const { holdings, aum } = refreshed;
  const pool = { aum, sharesIssued: refreshed.vault.sharesIssued };
  const quote = withdrawalQuote(pool, penaltyRates(vault, globalConfig), shares);
  const available = holdings.available < quote.net ? holdings.available : quote.net;
  const taken =
    reserve === undefined
      ? NO_DISINVESTMENT
      : disinvestment(
          findReserveInvestment(holdings, reserve),
          findExchangeRate(moment.exchanges, reserve),
          quote.net - available,
        );
  const owed = addSf(sfFromInt(available), taken.owed);
  const cost = sharesToBurn(pool, addSf(owed, sfFromInt(quote.penalty)));
  const burned = cost < shares ? cost : shares;
  checkPayout(vault, burned, floorSf(owed));
  return {
    vault: withdrawn(refreshed, { available, taken, burned, owed, reserve }),
    sharesToBurn: burned,
    availableToSendToUser: available,
    investedToDisinvestCtokens: taken.ctokens,
    investedLiquidityToDisinvest: taken.released,
    investedLiquidityToSendToUser: taken.paid,
    withdrawalPenalty: quote.penalty,
  };
}

/** At most what the user has, and not nothing. */
export function sharesToRedeem({ shares, sharesBalance }: SharesToRedeem): bigint {
  const redeemed = shares < sharesBalance ? shares : sharesBalance;
  if (redeemed > 0n) return redeemed;
  throw kvaultRejection('CannotWithdrawZeroShares', 'there are no shares to burn');
}

function checkPayout({ minWithdrawAmount }: VaultState, burned: bigint, payout: bigint): void {
  if (burned === 0n) {
    throw kvaultRejection('WithdrawResultsInZeroShares', 'nothing is at hand to pay out');
  }
  if (payout <= minWithdrawAmount) {
    const reason = `it pays out ${payout}, which is not more than ${minWithdrawAmount}`;
    throw kvaultRejection('WithdrawAmountBelowMinimum', reason);
  }
}

type Withdrawn = {
  readonly available: Lamports;
  readonly taken: Disinvestment;
  readonly burned: bigint;
  readonly owed: Sf;
  readonly reserve: Address | undefined;
};

/** The penalty and the lamports of rounding stay, so the AUM falls by less than the shares were worth. */
function withdrawn(
  { vault, aum }: RefreshedVault,
  { available, taken, burned, owed, reserve }: Withdrawn,
): VaultState {
  const left = taken.released - taken.paid;
  const paid = {
    ...vault,
    tokenAvailable: toLamports(vault.tokenAvailable - available + left),
    sharesIssued: toU64(vault.sharesIssued - burned, 'shares of the vault'),
    prevAumSf: subSf(aum, owed),
  };
  if (reserve === undefined) return paid;
  const { ctokenAllocation } = findAllocation(vault, reserve);
  const rest = toU64(ctokenAllocation - taken.ctokens, 'cTokens of the vault');
  return withAllocation(paid, reserve, { ctokenAllocation: rest });
}
