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
  /** The reserve has a whitelist entry that allows investing; asked for only by vaults that say so. */
  readonly whitelisted: boolean;
};

export type InvestEffects = {
  readonly vault: VaultState;
  readonly direction: 'add' | 'subtract';
  /** Into the reserve or out of it. */
  readonly liquidityAmount: Lamports;
  readonly collateralAmount: bigint;
  /** A lamport that the caller pays into the vault, where the crank funds do not. */
  readonly roundingLoss: Lamports;
};

/** Moves one reserve to its target. */
export function invest(
  vault: VaultState,
  moment: VaultContext,
  investment: Investment,
): InvestEffects {
  return investRefreshed(refreshTargets(vault, moment), moment, investment);
}

/** The vault with its fees charged and every target written, before a reserve is chosen. */
export function refreshTargets(vault: VaultState, moment: VaultContext): RefreshedVault {
  const refreshed = refreshVault(vault, moment);
  const targets = allocationTargets(refreshed.vault, refreshed.aum);
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
  const gap = gapTo(allocation.tokenTargetAllocationSf, invested, vault.tokenAvailable);
  if (gap.liquidity <= sfFromInt(vault.minInvestAmount)) {
    const reason = `${formatSf(gap.liquidity)} would move, which is not more than ${vault.minInvestAmount}`;
    throw kvaultRejection('InvestAmountBelowMinimum', reason);
  }
  if (gap.direction === 'add' && vault.allowInvestInWhitelistedReservesOnly === 1 && !whitelisted) {
    throw kvaultRejection('ReserveNotWhitelisted', `the reserve ${reserve} is not whitelisted`);
  }
  const exchange = findExchangeRate(exchanges, reserve);
  const collateralAmount = collateralFor(allocation, exchange, gap.liquidity);
  const worth = collateralToLiquiditySf(exchange, collateralAmount);
  const move = { direction: gap.direction, collateralAmount, worth };
  return moved(vault, { ...allocation, lastInvestSlot: time.slot }, move);
}

function checkDelay(vault: VaultState, allocation: VaultAllocation, slot: Slot): void {
  const first = toU64(allocation.lastInvestSlot + vault.minInvestDelaySlots, 'slot to invest');
  if (slot < first) {
    throw kvaultRejection('InvestTooSoon', `the reserve has its turn again in slot ${first}`);
  }
}

type Gap = { readonly direction: 'add' | 'subtract'; readonly liquidity: Sf };

/** What is missing is filled as far as there are tokens; what is too much goes out whole. */
function gapTo(target: Sf, invested: Sf, available: Lamports): Gap {
  if (invested > target) return { direction: 'subtract', liquidity: subSf(invested, target) };
  return { direction: 'add', liquidity: minSf(subSf(target, invested), sfFromInt(available)) };
}

/** Rounded down; a reserve without weight is left with nothing. */
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
 * The reserve rounds in its own favour: up what goes in, down what comes out. The vault's books do
 * not take the lost lamport; the crank funds do, or the caller.
 */
function moved(
  vault: VaultState,
  { reserve, ctokenAllocation, lastInvestSlot }: VaultAllocation,
  { direction, collateralAmount, worth }: Move,
): InvestEffects {
  const loss = worth % ONE_SF > 0n ? 1n : 0n;
  const adds = direction === 'add';
  const liquidityAmount = toLamports(adds ? ceilSf(worth) : floorSf(worth));
  const booked = adds ? loss - liquidityAmount : liquidityAmount + loss;
  const cranked = vault.availableCrankFunds >= loss ? loss : 0n;
  const collateral = adds
    ? ctokenAllocation + collateralAmount
    : ctokenAllocation - collateralAmount;
  const changes = { ctokenAllocation: toU64(collateral, 'cTokens of the vault'), lastInvestSlot };
  return {
    vault: {
      ...withAllocation(vault, reserve, changes),
      tokenAvailable: toLamports(vault.tokenAvailable + booked),
      availableCrankFunds: toLamports(vault.availableCrankFunds - cranked),
    },
    direction,
    liquidityAmount,
    collateralAmount,
    roundingLoss: toLamports(loss - cranked),
  };
}
