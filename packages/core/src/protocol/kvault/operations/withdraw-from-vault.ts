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
  /** The argument of the instruction, capped at the balance. */
  readonly shares: bigint;
  readonly sharesBalance: bigint;
  readonly globalConfig: Pick<
    GlobalConfigView,
    'withdrawalPenaltyBps' | 'withdrawalPenaltyLamports'
  >;
};

export type VaultWithdrawal = SharesToRedeem & {
  /** Pays the rest after the available tokens. Without a reserve only available tokens are paid. */
  readonly reserve: Address | undefined;
};

/** The user receives `availableToSendToUser + investedLiquidityToSendToUser`. */
export type WithdrawEffects = {
  readonly vault: VaultState;
  readonly sharesToBurn: bigint;
  readonly availableToSendToUser: Lamports;
  readonly investedToDisinvestCtokens: bigint;
  /** The liquidity of the redeemed cTokens. */
  readonly investedLiquidityToDisinvest: Lamports;
  readonly investedLiquidityToSendToUser: Lamports;
  /** Its shares are burned, but it stays in the vault. */
  readonly withdrawalPenalty: Lamports;
};

/**
 * The instructions `withdraw`, `sell` and `withdrawFromAvailable`. Shares that cannot be paid are not burned, but the
 * penalty applies to the full request.
 */
export function withdrawFromVault(
  vault: VaultState,
  context: VaultContext,
  withdrawal: VaultWithdrawal,
): WithdrawEffects {
  const { reserve, globalConfig } = withdrawal;
  if (reserve !== undefined) findAllocation(vault, reserve);
  const shares = sharesToRedeem(withdrawal);
  const refreshed = refreshVault(vault, context);
  const { holdings, aum } = refreshed;
  const pool = { aum, sharesIssued: refreshed.vault.sharesIssued };
  const quote = withdrawalQuote(pool, penaltyRates(vault, globalConfig), shares);
  const available = holdings.available < quote.net ? holdings.available : quote.net;
  const fromReserve =
    reserve === undefined
      ? NO_DISINVESTMENT
      : disinvestment(
          findReserveInvestment(holdings, reserve),
          findExchangeRate(context.exchanges, reserve),
          { requested: quote.net - available, rules: context.rules },
        );
  const owed = addSf(sfFromInt(available), fromReserve.owed);
  const cost = sharesToBurn(pool, addSf(owed, sfFromInt(quote.penalty)));
  const burned = cost < shares ? cost : shares;
  checkPayout(vault, burned, floorSf(owed));
  return {
    vault: withdrawn(refreshed, { available, fromReserve, burned, owed, reserve }),
    sharesToBurn: burned,
    availableToSendToUser: available,
    investedToDisinvestCtokens: fromReserve.ctokens,
    investedLiquidityToDisinvest: fromReserve.released,
    investedLiquidityToSendToUser: fromReserve.paid,
    withdrawalPenalty: quote.penalty,
  };
}

/** The requested shares, capped at the balance. Throws for zero. */
export function sharesToRedeem({
  shares,
  sharesBalance,
}: Pick<SharesToRedeem, 'shares' | 'sharesBalance'>): bigint {
  const redeemed = shares < sharesBalance ? shares : sharesBalance;
  if (redeemed > 0n) return redeemed;
  throw kvaultRejection('CannotWithdrawZeroShares', 'the number of shares is zero');
}

function checkPayout({ minWithdrawAmount }: VaultState, burned: bigint, payout: bigint): void {
  if (burned === 0n) {
    throw kvaultRejection('WithdrawResultsInZeroShares', 'no liquidity is available', {
      unit: 'token',
      available: 0n,
    });
  }
  if (payout <= minWithdrawAmount) {
    const reason = `the payout of ${payout} does not exceed the minimum of ${minWithdrawAmount}`;
    throw kvaultRejection('WithdrawAmountBelowMinimum', reason, {
      unit: 'token',
      needed: minWithdrawAmount + 1n,
      available: payout,
      limit: minWithdrawAmount,
    });
  }
}

type Withdrawn = {
  readonly available: Lamports;
  readonly fromReserve: Disinvestment;
  readonly burned: bigint;
  readonly owed: Sf;
  readonly reserve: Address | undefined;
};

/** The penalty and rounding remainders stay, so the AUM decreases by less than the value of the shares. */
function withdrawn(
  { vault, aum }: RefreshedVault,
  { available, fromReserve, burned, owed, reserve }: Withdrawn,
): VaultState {
  const left = fromReserve.released - fromReserve.paid;
  const paid = {
    ...vault,
    tokenAvailable: toLamports(vault.tokenAvailable - available + left),
    sharesIssued: toU64(vault.sharesIssued - burned, 'shares of the vault'),
    prevAumSf: subSf(aum, owed),
  };
  if (reserve === undefined) return paid;
  const { ctokenAllocation } = findAllocation(vault, reserve);
  const rest = toU64(ctokenAllocation - fromReserve.ctokens, 'cTokens of the vault');
  return withAllocation(paid, reserve, { ctokenAllocation: rest });
}
