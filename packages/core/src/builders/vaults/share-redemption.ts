import type { Address } from '../../base/encoding/address.ts';
import { CodedError } from '../../base/errors.ts';
import { toLamports, U64_MAX } from '../../base/numbers/lamports.ts';
import { floorSf, sfFromInt } from '../../base/numbers/scaled-fraction.ts';
import { globalConfig } from '../../protocol/kvault/layout/global-config.ts';
import { type ReserveInvestment, vaultHoldings } from '../../protocol/kvault/math/holdings.ts';
import { planWithdraw, type WithdrawPlan } from '../../protocol/kvault/operations/plan-withdraw.ts';
import { refreshVault } from '../../protocol/kvault/operations/refresh-vault.ts';
import { globalConfigAddress } from '../../protocol/kvault/pda.ts';
import type { BuildContext } from '../build.ts';
import { MAX_LANDING_SLOTS } from '../lending/lending-amounts.ts';
import { resultOrError } from '../result-or-error.ts';
import {
  formatVaultShares,
  formatVaultTokens,
  type VaultActionContext,
} from './vault-action-context.ts';
import { decodeVault, vaultRatesAtSlot, withdrawableLiquidity } from './vault-at-slot.ts';
import type { RedemptionLeg } from './vault-instructions.ts';

/** Everything is wanted where `shares` are all that there are. */
export type RequestedShares = { readonly shares: bigint; readonly total: bigint };

export type ShareRedemption = {
  readonly legs: readonly RedemptionLeg[];
  /** Of the vault's token, about. */
  readonly payout: bigint;
  /** No share is left, whenever the transaction lands. */
  readonly isComplete: boolean;
  readonly notes: readonly string[];
};

/**
 * How shares become tokens. Who leaves gets as much as can be paid. A number of shares is carried exactly, also where
 * too little is at hand or the program has another reason to refuse: that is the chain's to say, and may have changed.
 */
export function planShareRedemption(
  place: VaultActionContext,
  wanted: RequestedShares,
  scene: BuildContext,
): ShareRedemption {
  const asked = { place, wanted, scene };
  const planned = planAt(MAX_LANDING_SLOTS, asked);
  if (planned instanceof CodedError) {
    const legs = [{ reserve: undefined, shares: isFullExit(wanted) ? U64_MAX : wanted.shares }];
    const notes = [`The vault program is expected to refuse this. ${planned.message}`];
    return { legs, payout: 0n, isComplete: false, notes };
  }
  const now = planAt(0n, asked);
  const legs = smallestLegs(planned, now);
  const isComplete = [planned, now].every((plan) => burnsAll(plan, wanted)) && sharesAreDear(asked);
  return {
    legs: isFullExit(wanted) ? legs : withRest(legs, planned, asked),
    payout: planned.legs.reduce((sum, leg) => sum + paidBy(leg), 0n),
    isComplete,
    notes: exitNotes(planned, asked, isComplete),
  };
}

export const isFullExit = ({ shares, total }: RequestedShares): boolean => shares === total;

type Asked = {
  readonly place: VaultActionContext;
  readonly wanted: RequestedShares;
  readonly scene: BuildContext;
};

const planAt = (slotsLater: bigint, { place, wanted, scene }: Asked): WithdrawPlan | CodedError =>
  resultOrError(() =>
    planWithdraw(decodeVault(place), vaultRatesAtSlot(place, scene.state, slotsLater), {
      shares: wanted.shares,
      sharesBalance: wanted.total,
      globalConfig: withdrawalPenalties(place, scene),
      freeLiquidity: withdrawableLiquidity(place, scene.state, slotsLater),
    }),
  );

/** Those that all vaults have; none before the program was set up. */
export function withdrawalPenalties({ vault }: VaultActionContext, { accounts }: BuildContext) {
  const account = accounts.get(globalConfigAddress(vault.program));
  if (account !== undefined && globalConfig.matches(account)) return globalConfig.view(account);
  return { withdrawalPenaltyBps: 0n, withdrawalPenaltyLamports: toLamports(0n) };
}

/**
 * Each leg no larger than it is at either end of the time in which the transaction may land: what the vault has in a
 * reserve is less at first, and shares are dearer at last.
 */
function smallestLegs({ legs }: WithdrawPlan, now: WithdrawPlan | CodedError): RedemptionLeg[] {
  return legs.map(({ reserve, shares }, i) => {
    const other = now instanceof CodedError ? undefined : now.legs[i];
    const isSame = other !== undefined && other.reserve === reserve;
    return { reserve, shares: isSame && other.shares < shares ? other.shares : shares };
  });
}

/**
 * All that was asked for: the last leg takes the rest. Where that is too much for the vault, the reserve that is
 * shortest of liquidity takes it, so that nothing is paid out unless everything is.
 */
function withRest(
  legs: readonly RedemptionLeg[],
  { unplacedShares }: WithdrawPlan,
  { place, wanted, scene }: Asked,
): readonly RedemptionLeg[] {
  const rest = legs.reduce((left, { shares }) => left - shares, wanted.shares);
  const taker = unplacedShares > 0n ? shortestReserve(place, scene) : legs.at(-1)?.reserve;
  if (!legs.some(({ reserve }) => reserve === taker)) {
    return [...legs, { reserve: taker, shares: rest }];
  }
  return legs.map(({ reserve, shares }) => ({
    reserve,
    shares: reserve === taker ? shares + rest : shares,
  }));
}

function shortestReserve(place: VaultActionContext, { state }: BuildContext): Address | undefined {
  const { exchanges } = vaultRatesAtSlot(place, state, MAX_LANDING_SLOTS);
  const payable = withdrawableLiquidity(place, state, MAX_LANDING_SLOTS);
  const lacks = ({ reserve, liquidity }: ReserveInvestment): bigint =>
    floorSf(liquidity) - (payable.get(reserve) ?? 0n);
  const [shortest] = [...vaultHoldings(place.vault.fields, exchanges).invested].sort((a, b) =>
    lacks(b) > lacks(a) ? 1 : -1,
  );
  return shortest?.reserve;
}

const burnsAll = (plan: WithdrawPlan | CodedError, wanted: RequestedShares): boolean =>
  isFullExit(wanted) && !(plan instanceof CodedError) && plan.unburnedShares === 0n;

/** Shares worth less than a lamport may be left over by rounding, at one moment and not at another. */
function sharesAreDear({ place, scene }: Asked): boolean {
  const { vault, aum } = refreshVault(decodeVault(place), vaultRatesAtSlot(place, scene.state, 0n));
  return aum >= sfFromInt(vault.sharesIssued);
}

type PlannedLeg = WithdrawPlan['legs'][number];

const paidBy = ({ effects }: PlannedLeg): bigint =>
  effects.availableToSendToUser + effects.investedLiquidityToSendToUser;

function exitNotes(plan: WithdrawPlan, { place, wanted }: Asked, isComplete: boolean): string[] {
  const { legs, unplacedShares, unburnedShares } = plan;
  const notes: string[] = [];
  const penalty = legs.reduce((sum, { effects }) => sum + effects.withdrawalPenalty, 0n);
  if (penalty > 0n)
    notes.push(`The vault keeps about ${formatVaultTokens(place, penalty)} as a penalty.`);
  if (unplacedShares > 0n) {
    const payable = formatVaultShares(place, wanted.shares - unplacedShares);
    const left = `The wallet keeps ${formatVaultShares(place, unburnedShares)}, not staked; withdraw them when there is more to pay with.`;
    const refused = 'Unless that changes the transaction is refused: ask for fewer.';
    const then = isFullExit(wanted) ? left : refused;
    notes.push(`The vault can pay for about ${payable} now. ${then}`);
  } else if (isFullExit(wanted) && !isComplete) {
    notes.push('Rounding may leave a few shares of no worth, so their account stays open.');
  }
  return notes;
}
