import type { Address } from '../../../base/encoding/address.ts';
import { type CodedError, hasCode } from '../../../base/errors.ts';
import { type Lamports, toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  formatSf,
  minSf,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import type { Slot } from '../../../base/time.ts';
import { liquiditySfToCollateral } from '../../klend/math/exact-ratio.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import { allocationTargets } from '../math/allocation-targets.ts';
import { type CTokenWorth, ctokenRounding } from '../math/disinvestment.ts';
import { findExchangeRate } from '../math/holdings.ts';
import type { VaultRules } from '../releases.ts';
import { findAllocation, findReserveInvestment, withAllocation } from './allocations.ts';
import { type RefreshedVault, refreshVault, type VaultContext } from './refresh-vault.ts';

export type Investment = {
  readonly reserve: Address;
  /** Whether the reserve's whitelist entry allows investing. Only vaults that require the whitelist check it. */
  readonly whitelisted: boolean;
  /** Of `investWithMaxAmount`. */
  readonly maxAmount?: bigint;
};

export type InvestEffects = {
  readonly vault: VaultState;
  readonly direction: 'add' | 'subtract';
  /** Into or out of the reserve. */
  readonly liquidityAmount: Lamports;
  readonly collateralAmount: bigint;
  /** The lamport that the caller pays if the crank funds do not. */
  readonly roundingLoss: Lamports;
};

/** `invest` moves one reserve to its target, `investWithMaxAmount` a part of the way. */
export function invest(
  vault: VaultState,
  context: VaultContext,
  investment: Investment,
): InvestEffects {
  if (investment.maxAmount === 0n) {
    throw kvaultRejection('MaxInvestAmountMustBeGreaterThanZero', 'the maximum amount is zero');
  }
  return investRefreshed(refreshTargets(vault, context), context, investment);
}

/** Charges fees and sets all targets. */
export function refreshTargets(vault: VaultState, context: VaultContext): RefreshedVault {
  const refreshed = refreshVault(vault, context);
  const targets = allocationTargets(refreshed.vault, refreshed.aum, context.exchanges);
  const vaultAllocationStrategy = refreshed.vault.vaultAllocationStrategy.map((allocation) => {
    const target = targets.get(allocation.reserve);
    return target === undefined ? allocation : { ...allocation, tokenTargetAllocationSf: target };
  });
  return { ...refreshed, vault: { ...refreshed.vault, vaultAllocationStrategy } };
}

export function investRefreshed(
  { vault, holdings }: RefreshedVault,
  { exchanges, time, rules }: VaultContext,
  { reserve, whitelisted, maxAmount = U64_MAX }: Investment,
): InvestEffects {
  const allocation = findAllocation(vault, reserve);
  checkDelay(vault, allocation, time.slot);
  const invested = findReserveInvestment(holdings, reserve).liquidity;
  const target = allocation.tokenTargetAllocationSf;
  const gap = limited(targetGap(target, invested, vault.tokenAvailable), sfFromInt(maxAmount));
  const isEmptied = allocation.targetAllocationWeight === 0n && !gap.isLimited;
  checkGap(vault, gap, { isEmptied, whitelisted, reserve, rules });
  const exchange = findExchangeRate(exchanges, reserve);
  const collateralAmount = isEmptied
    ? allocation.ctokenAllocation
    : liquiditySfToCollateral(exchange, gap.liquidity);
  const worth = ctokenRounding(rules).worth(exchange, collateralAmount);
  return applyMove(vault, allocation, { gap, collateralAmount, worth, slot: time.slot });
}

type GapChecks = Pick<Investment, 'reserve' | 'whitelisted'> & {
  readonly isEmptied: boolean;
  readonly rules: VaultRules;
};

function checkGap(
  vault: VaultState,
  { direction, liquidity }: TargetGap,
  { isEmptied, whitelisted, reserve, rules }: GapChecks,
): void {
  const checkMinimum = (): void => {
    if (liquidity > sfFromInt(vault.minInvestAmount)) return;
    if (isEmptied && direction === 'subtract' && rules.evacuation === 'any amount') return;
    const reason = `the amount of ${formatSf(liquidity)} does not exceed the minimum of ${vault.minInvestAmount}`;
    throw kvaultRejection('InvestAmountBelowMinimum', reason);
  };
  const checkWhitelist = (): void => {
    if (direction !== 'add' || whitelisted) return;
    if (vault.allowInvestInWhitelistedReservesOnly !== 1) return;
    throw kvaultRejection('ReserveNotWhitelisted', `the reserve ${reserve} is not whitelisted`);
  };
  const checks = [checkWhitelist, checkMinimum];
  if (rules.investOrder === 'minimum first') checks.reverse();
  for (const check of checks) check();
}

function checkDelay(vault: VaultState, allocation: VaultAllocation, slot: Slot): void {
  const first = toU64(allocation.lastInvestSlot + vault.minInvestDelaySlots, 'slot to invest');
  if (slot < first) {
    throw kvaultRejection(
      'InvestTooSoon',
      `the next investment of the reserve is possible in slot ${first}`,
    );
  }
}

type TargetGap = { readonly direction: 'add' | 'subtract'; readonly liquidity: Sf };

/** A deficit is filled with the available tokens. An excess is withdrawn fully. */
function targetGap(target: Sf, invested: Sf, available: Lamports): TargetGap {
  if (invested > target) return { direction: 'subtract', liquidity: subSf(invested, target) };
  return { direction: 'add', liquidity: minSf(subSf(target, invested), sfFromInt(available)) };
}

type LimitedGap = TargetGap & { readonly isLimited: boolean };

const limited = (gap: TargetGap, most: Sf): LimitedGap => ({
  direction: gap.direction,
  liquidity: minSf(gap.liquidity, most),
  isLimited: gap.liquidity > most,
});

type Move = {
  readonly gap: LimitedGap;
  readonly collateralAmount: bigint;
  readonly worth: CTokenWorth;
  readonly slot: Slot;
};

/**
 * The reserve rounds in its favor: deposits up, withdrawals down. The crank funds or the caller pay the lost lamport,
 * not the vault. A limited move uses neither the crank funds nor the delay until the next move.
 */
function applyMove(
  vault: VaultState,
  { reserve, ctokenAllocation, lastInvestSlot }: VaultAllocation,
  { gap: { direction, isLimited }, collateralAmount, worth, slot }: Move,
): InvestEffects {
  const { loss } = worth;
  const isDeposit = direction === 'add';
  const liquidityAmount = isDeposit ? worth.ceil : worth.floor;
  const bookedAmount = isDeposit ? -worth.floor : worth.ceil;
  const fromCrankFunds = !isLimited && vault.availableCrankFunds >= loss ? loss : 0n;
  const collateral = isDeposit
    ? ctokenAllocation + collateralAmount
    : ctokenAllocation - collateralAmount;
  const changes = {
    ctokenAllocation: toU64(collateral, 'cTokens of the vault'),
    lastInvestSlot: isLimited ? lastInvestSlot : slot,
  };
  return {
    vault: {
      ...withAllocation(vault, reserve, changes),
      tokenAvailable: toLamports(vault.tokenAvailable + bookedAmount),
      availableCrankFunds: toLamports(vault.availableCrankFunds - fromCrankFunds),
    },
    direction,
    liquidityAmount,
    collateralAmount,
    roundingLoss: toLamports(loss - fromCrankFunds),
  };
}

export type PlannedInvestment = {
  readonly reserve: Address;
  readonly invested: Sf;
  readonly target: Sf;
  readonly outcome:
    | { readonly kind: 'moves'; readonly effects: InvestEffects }
    | { readonly kind: 'rejected'; readonly error: CodedError<'PROGRAM_REFUSES'> };
};

/** The effect of `invest` on each reserve as the next call. Ignores the limits of the lending program. */
export function planInvest(
  vault: VaultState,
  context: VaultContext,
  whitelisted: ReadonlySet<Address>,
): PlannedInvestment[] {
  const refreshed = refreshTargets(vault, context);
  return refreshed.holdings.invested.map(({ reserve, liquidity }) => {
    const { tokenTargetAllocationSf: target } = findAllocation(refreshed.vault, reserve);
    const outcome = outcomeOf(() =>
      investRefreshed(refreshed, context, { reserve, whitelisted: whitelisted.has(reserve) }),
    );
    return { reserve, invested: liquidity, target, outcome };
  });
}

function outcomeOf(action: () => InvestEffects): PlannedInvestment['outcome'] {
  try {
    return { kind: 'moves', effects: action() };
  } catch (error) {
    if (hasCode(error, 'PROGRAM_REFUSES')) return { kind: 'rejected', error };
    throw error;
  }
}
