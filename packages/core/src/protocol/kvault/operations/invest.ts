import type { Address } from '../../../base/encoding/address.ts';
import { type Lamports, toLamports } from '../../../base/numbers/lamports.ts';
import {
  ceilSf,
  floorSf,
  formatSf,
  minSf,
  ONE_SF,
  type Sf,
  sfFromInt,
  subSf,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import type { Slot } from '../../../base/time.ts';
import {
  type CTokenExchangeRate,
  collateralToLiquiditySf,
  liquiditySfToCollateral,
} from '../../klend/math/ctoken-exchange.ts';
import { kvaultRejection } from '../errors.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import { allocationTargets } from '../math/allocation-targets.ts';
import { findExchangeRate } from '../math/holdings.ts';
import { findAllocation, findReserveInvestment, withAllocation } from './allocation.ts';
import { type RefreshedVault, refreshVault, type VaultContext } from './refresh-vault.ts';

export type Investment = {
  readonly reserve: Address;
  /** Whether the reserve's whitelist entry allows investing. Only vaults that require the whitelist check it. */
  readonly whitelisted: boolean;
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

/** The `invest` instruction: moves one reserve to its target. */
export function invest(
  vault: VaultState,
  context: VaultContext,
  investment: Investment,
): InvestEffects {
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
  { exchanges, time }: VaultContext,
  { reserve, whitelisted }: Investment,
): InvestEffects {
  const allocation = findAllocation(vault, reserve);
  checkDelay(vault, allocation, time.slot);
  const invested = findReserveInvestment(holdings, reserve).liquidity;
  const gap = targetGap(allocation.tokenTargetAllocationSf, invested, vault.tokenAvailable);
  if (gap.liquidity <= sfFromInt(vault.minInvestAmount)) {
    const reason = `the amount of ${formatSf(gap.liquidity)} does not exceed the minimum of ${vault.minInvestAmount}`;
    throw kvaultRejection('InvestAmountBelowMinimum', reason);
  }
  if (gap.direction === 'add' && vault.allowInvestInWhitelistedReservesOnly === 1 && !whitelisted) {
    throw kvaultRejection('ReserveNotWhitelisted', `the reserve ${reserve} is not whitelisted`);
  }
  const exchange = findExchangeRate(exchanges, reserve);
  const collateralAmount = collateralFor(allocation, exchange, gap.liquidity);
  const worth = collateralToLiquiditySf(exchange, collateralAmount);
  const move = { direction: gap.direction, collateralAmount, worth };
  return applyMove(vault, { ...allocation, lastInvestSlot: time.slot }, move);
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

/** Rounded down. A reserve without weight is emptied. */
const collateralFor = (
  allocation: VaultAllocation,
  exchange: CTokenExchangeRate,
  liquidity: Sf,
): bigint =>
  allocation.targetAllocationWeight === 0n
    ? allocation.ctokenAllocation
    : liquiditySfToCollateral(exchange, liquidity);

type Move = {
  readonly direction: 'add' | 'subtract';
  readonly collateralAmount: bigint;
  readonly worth: Sf;
};

/**
 * The reserve rounds in its favor: deposits up, withdrawals down. The crank funds or the caller pay the lost lamport,
 * not the vault.
 */
function applyMove(
  vault: VaultState,
  { reserve, ctokenAllocation, lastInvestSlot }: VaultAllocation,
  { direction, collateralAmount, worth }: Move,
): InvestEffects {
  const loss = worth % ONE_SF > 0n ? 1n : 0n;
  const isDeposit = direction === 'add';
  const liquidityAmount = toLamports(isDeposit ? ceilSf(worth) : floorSf(worth));
  const bookedAmount = isDeposit ? loss - liquidityAmount : liquidityAmount + loss;
  const fromCrankFunds = vault.availableCrankFunds >= loss ? loss : 0n;
  const collateral = isDeposit
    ? ctokenAllocation + collateralAmount
    : ctokenAllocation - collateralAmount;
  const changes = { ctokenAllocation: toU64(collateral, 'cTokens of the vault'), lastInvestSlot };
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
