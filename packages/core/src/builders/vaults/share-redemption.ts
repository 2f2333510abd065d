import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { floorSf, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { globalConfig } from '../../protocol/kvault/layout/global-config.ts';
import { type ReserveInvestment, vaultHoldings } from '../../protocol/kvault/math/holdings.ts';
import { planWithdraw, type WithdrawPlan } from '../../protocol/kvault/operations/plan-withdraw.ts';
import { refreshVault } from '../../protocol/kvault/operations/refresh-vault.ts';
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import { unreadableError } from '../../views/lending/unavailable-figures.ts';
import type { BuildContext } from '../build.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import { resultOrError } from '../result-or-error.ts';
import {
  formatVaultShares,
  formatVaultTokens,
  type VaultActionContext,
} from './vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot, withdrawableLiquidity } from './vault-at-slot.ts';
import type { RedemptionStep } from './vault-instructions.ts';

/** A full withdrawal if `shares` equals `total`. */
export type RequestedShares = { readonly shares: bigint; readonly total: bigint };

export type ShareRedemption = {
  readonly steps: readonly RedemptionStep[];
  /** Estimated amount of the vault's token. */
  readonly payout: bigint;
  /** Whether no share is left, whenever the transaction lands. */
  readonly isComplete: boolean;
  readonly notes: readonly string[];
};

/**
 * Plans how shares become tokens. A full withdrawal gets as much as the vault can pay. A number of
 * shares is built exactly, even if the vault is illiquid now or the program is expected to reject
 * it, because that may change until the transaction lands.
 */
export function planShareRedemption(
  target: VaultActionContext,
  requested: RequestedShares,
  context: BuildContext,
): ShareRedemption {
  const input = { target, requested, context };
  const planned = planAt(MAX_LANDING_SLOTS, input);
  if (planned instanceof CodedError) {
    const shares = isFullExit(requested) ? U64_MAX : requested.shares;
    const notes = [`The vault program is expected to reject this. ${planned.message}`];
    return { steps: [{ reserve: undefined, shares }], payout: 0n, isComplete: false, notes };
  }
  const now = planAt(0n, input);
  const steps = smallestSteps(planned, now);
  const isComplete =
    [planned, now].every((plan) => burnsAll(plan, requested)) && isShareWorthALamport(input);
  return {
    steps: isFullExit(requested) ? steps : withRest(steps, planned, input),
    payout: planned.steps.reduce((sum, step) => sum + paidBy(step), 0n),
    isComplete,
    notes: redemptionNotes(planned, input, isComplete),
  };
}

export const isFullExit = ({ shares, total }: RequestedShares): boolean => shares === total;

type RedemptionInput = {
  readonly target: VaultActionContext;
  readonly requested: RequestedShares;
  readonly context: BuildContext;
};

function planAt(
  slotsLater: bigint,
  { target, requested, context }: RedemptionInput,
): WithdrawPlan | CodedError {
  const globalConfig = withdrawalPenalties(target, context);
  return resultOrError(() =>
    planWithdraw(decodeVault(target), vaultRatesAtSlot(target, context.state, slotsLater), {
      shares: requested.shares,
      sharesBalance: requested.total,
      globalConfig,
      freeLiquidity: withdrawableLiquidity(target, context.state, slotsLater),
    }),
  );
}

/**
 * The global penalties of the program; zero before it was initialized. Throws ACCOUNT_UNREADABLE if
 * they cannot be decoded.
 */
export function withdrawalPenalties({ vault }: VaultActionContext, { accounts }: BuildContext) {
  const address = globalConfigAddress(vault.program);
  const account = accounts.get(address);
  if (account !== undefined && globalConfig.matches(account)) return globalConfig.view(account);
  if (account?.owner === vault.program) {
    throw unreadableError(address, 'the config of the vault program cannot be decoded');
  }
  return { withdrawalPenaltyBps: 0n, withdrawalPenaltyLamports: toLamports(0n) };
}

/**
 * Each step is limited to its size at both ends of the landing window: the vault's liquidity in a
 * reserve is lower at the start, and shares are worth more at the end.
 */
function smallestSteps({ steps }: WithdrawPlan, now: WithdrawPlan | CodedError): RedemptionStep[] {
  return steps.map(({ reserve, shares }, i) => {
    const other = now instanceof CodedError ? undefined : now.steps[i];
    const isSame = other !== undefined && other.reserve === reserve;
    return { reserve, shares: isSame && other.shares < shares ? other.shares : shares };
  });
}

/**
 * Adds the rest of the requested shares to the last step. If the vault cannot pay that much, adds
 * it to the least liquid reserve, so that the transaction pays everything or nothing.
 */
function withRest(
  steps: readonly RedemptionStep[],
  { unfilledShares }: WithdrawPlan,
  { target, requested, context }: RedemptionInput,
): readonly RedemptionStep[] {
  const rest = steps.reduce((left, { shares }) => left - shares, requested.shares);
  const restReserve =
    unfilledShares > 0n ? leastLiquidReserve(target, context) : steps.at(-1)?.reserve;
  if (!steps.some(({ reserve }) => reserve === restReserve)) {
    return [...steps, { reserve: restReserve, shares: rest }];
  }
  return steps.map(({ reserve, shares }) => ({
    reserve,
    shares: reserve === restReserve ? shares + rest : shares,
  }));
}

function leastLiquidReserve(
  target: VaultActionContext,
  { state }: BuildContext,
): Address | undefined {
  const { exchanges } = vaultRatesAtSlot(target, state, MAX_LANDING_SLOTS);
  const payable = withdrawableLiquidity(target, state, MAX_LANDING_SLOTS);
  const shortfall = ({ reserve, liquidity }: ReserveInvestment): bigint =>
    floorSf(liquidity) - (payable.get(reserve) ?? 0n);
  const [leastLiquid] = [...vaultHoldings(target.vault.fields, exchanges).invested].sort((a, b) =>
    shortfall(b) > shortfall(a) ? 1 : -1,
  );
  return leastLiquid?.reserve;
}

const burnsAll = (plan: WithdrawPlan | CodedError, requested: RequestedShares): boolean =>
  isFullExit(requested) && !(plan instanceof CodedError) && plan.unburnedShares === 0n;

/** Shares worth less than a lamport may be left over by rounding, depending on the slot. */
function isShareWorthALamport({ target, context }: RedemptionInput): boolean {
  const { vault, aum } = refreshVault(
    decodeVault(target),
    vaultRatesAtSlot(target, context.state, 0n),
  );
  return aum >= sfFromInt(vault.sharesIssued);
}

type PlannedStep = WithdrawPlan['steps'][number];

const paidBy = ({ effects }: PlannedStep): bigint =>
  effects.availableToSendToUser + effects.investedLiquidityToSendToUser;

function redemptionNotes(
  plan: WithdrawPlan,
  { target, requested }: RedemptionInput,
  isComplete: boolean,
): string[] {
  const { steps, unfilledShares, unburnedShares } = plan;
  const notes: string[] = [];
  const penalty = steps.reduce((sum, { effects }) => sum + effects.withdrawalPenalty, 0n);
  if (penalty > 0n)
    notes.push(`The vault keeps about ${formatVaultTokens(target, penalty)} as a penalty.`);
  if (unfilledShares > 0n) {
    const payable = formatVaultShares(target, requested.shares - unfilledShares);
    const rest = `The wallet keeps ${formatVaultShares(target, unburnedShares)} unstaked; withdraw them when the vault has more liquidity.`;
    const failure = 'The transaction fails unless that changes; request fewer shares.';
    notes.push(
      `The vault can pay for about ${payable} now. ${isFullExit(requested) ? rest : failure}`,
    );
  } else if (isFullExit(requested) && !isComplete) {
    notes.push('Rounding may leave a few worthless shares, so their account stays open.');
  }
  return notes;
}
