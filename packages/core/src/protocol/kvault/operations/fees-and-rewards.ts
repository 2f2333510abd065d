import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  floorSf,
  minSf,
  sfFromInt,
  subSf,
  subSfToZero,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import type { UnixSeconds } from '../../../base/time.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultState } from '../layout/vault-state.ts';
import { ctokenRounding } from '../math/disinvestment.ts';
import { hasActiveRewards } from '../math/fees.ts';
import { findExchangeRate, type VaultHoldings } from '../math/holdings.ts';
import { findAllocation, findReserveInvestment, withAllocation } from './allocations.ts';
import { chargeFees, issueRewards, type VaultContext, valueHoldings } from './refresh-vault.ts';

/** The admin receives `availableToSendToUser + investedLiquidityToSendToUser`. */
export type PendingFeesEffects = {
  readonly vault: VaultState;
  readonly availableToSendToUser: Lamports;
  readonly investedToDisinvestCtokens: bigint;
  /** The liquidity of the redeemed cTokens. */
  readonly investedLiquidityToDisinvest: Lamports;
  readonly investedLiquidityToSendToUser: Lamports;
};

/**
 * The `withdrawPendingFees` instruction: pays from available tokens first, then from `reserve`. If the value of the
 * cTokens has a fraction, the payout is one lamport less, which counts as paid.
 */
export function withdrawPendingFees(
  vault: VaultState,
  context: VaultContext,
  reserve: Address,
): PendingFeesEffects {
  const { ctokenAllocation } = findAllocation(vault, reserve);
  const { vault: charged, holdings } = chargedVault(vault, context);
  const fees = charged.pendingFeesSf;
  const fromAvailable = minSf(sfFromInt(holdings.available), fees);
  const available = toLamports(floorSf(fromAvailable));
  const { liquidity } = findReserveInvestment(holdings, reserve);
  const invested = floorSf(minSf(liquidity, subSf(fees, fromAvailable)));
  const exchange = findExchangeRate(context.exchanges, reserve);
  const rounding = ctokenRounding(context.rules);
  const ctokens = rounding.ctokensFor(exchange, invested);
  const { floor: released, loss } = rounding.worth(exchange, ctokens);
  const paid = toLamports(invested - loss);
  const rest = toU64(ctokenAllocation - ctokens, 'cTokens of the vault');
  return {
    vault: {
      ...withAllocation(charged, reserve, { ctokenAllocation: rest }),
      tokenAvailable: toLamports(charged.tokenAvailable - available + released - paid),
      pendingFeesSf: subSf(fees, sfFromInt(available + invested)),
    },
    availableToSendToUser: available,
    investedToDisinvestCtokens: ctokens,
    investedLiquidityToDisinvest: released,
    investedLiquidityToSendToUser: paid,
  };
}

/** The `giveUpPendingFees` instruction: returns at most `amount` lamports of pending fees to the shareholders. */
export function giveUpPendingFees(
  vault: VaultState,
  context: VaultContext,
  amount: bigint,
): VaultState {
  const { vault: charged, holdings } = chargedVault(vault, context);
  const fees = charged.pendingFeesSf;
  const left = subSf(fees, minSf(sfFromInt(amount), fees));
  const total = addSf(sfFromInt(holdings.available), holdings.investedTotal);
  return {
    ...charged,
    pendingFeesSf: left,
    lastFeeChargeTimestamp: context.time.unix,
    prevAumSf: subSfToZero(total, left),
  };
}

/** Like `refreshVault`, but does not throw if the pending fees exceed the holdings. */
function chargedVault(
  vault: VaultState,
  context: VaultContext,
): { readonly vault: VaultState; readonly holdings: VaultHoldings } {
  const { time } = context;
  const rewarded = issueRewards(vault, time.unix);
  const holdings = valueHoldings(rewarded, context);
  return { vault: chargeFees(rewarded, holdings.investedTotal, time.unix), holdings };
}

/** The `topupRewards` instruction. `amount` moves from the payer to the vault's token account. */
export function topupRewards(vault: VaultState, amount: bigint, now: UnixSeconds): VaultState {
  if (amount === 0n) throw kvaultRejection('RewardTopupAmountZero', 'the amount is zero');
  const refreshed = issueRewards(vault, now);
  const { rewardInfo } = refreshed;
  const rewardsAvailable = toLamports(rewardInfo.rewardsAvailable + amount);
  const toppedUp = { ...rewardInfo, rewardsAvailable };
  // Rewards that had run out do not pay for the time without them.
  const lastIssuanceTs = hasActiveRewards(toppedUp) ? now : rewardInfo.lastIssuanceTs;
  return { ...refreshed, rewardInfo: { ...toppedUp, lastIssuanceTs } };
}

export type RewardWithdrawal = { readonly vault: VaultState; readonly amount: Lamports };

/** The `withdrawRewards` instruction. Returns what was not issued by now, at most `requested`. */
export function withdrawRewards(
  vault: VaultState,
  requested: bigint,
  now: UnixSeconds,
): RewardWithdrawal {
  if (requested === 0n) throw kvaultRejection('RewardWithdrawAmountZero', 'the amount is zero');
  const refreshed = issueRewards(vault, now);
  const { rewardInfo } = refreshed;
  const { rewardsAvailable: available } = rewardInfo;
  const amount = requested < available ? toLamports(requested) : available;
  const rewardsAvailable = toLamports(available - amount);
  return { vault: { ...refreshed, rewardInfo: { ...rewardInfo, rewardsAvailable } }, amount };
}
