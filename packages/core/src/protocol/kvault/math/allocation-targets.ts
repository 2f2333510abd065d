import type { Address } from '../../../base/encoding/address.ts';
import { hasCode } from '../../../base/errors.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import {
  addSf,
  divSfByInt,
  minSf,
  mulSfByInt,
  type Sf,
  sfFromInt,
  subSf,
  ZERO_SF,
} from '../../../base/numbers/scaled-fraction.ts';
import { toU64 } from '../../../base/numbers/u64.ts';
import { type CTokenExchangeRate, collateralToLiquiditySf } from '../../klend/math/exact-ratio.ts';
import type { VaultAllocationView, VaultStateView } from '../layout/vault-state.ts';
import { type CTokenExchangeRates, findExchangeRate, usedAllocations } from './holdings.ts';

/** The target of each reserve in lamports, by weight and cap. */
export type AllocationTargets = ReadonlyMap<Address, Sf>;

type Allocation = {
  readonly reserve: Address;
  readonly weight: bigint;
  readonly cap: Sf;
  /** Whether its weight counts. Only a cap in lamports can exclude it. */
  readonly isWeighted: boolean;
  target: Sf;
};

/**
 * Part of the AUM stays unallocated, by its own weight and cap. The rest is assigned in rounds: each reserve below its
 * cap gets its part by weight. A reserve that reaches its cap is not in the next round, and there is a next round only
 * if a cap was reached. Parts are rounded down, and the remainder stays unallocated.
 */
export function allocationTargets(
  vault: VaultStateView,
  aum: Sf,
  exchanges: CTokenExchangeRates,
): AllocationTargets {
  const allocations: Allocation[] = usedAllocations(vault).map((allocation) => ({
    reserve: allocation.reserve,
    weight: allocation.targetAllocationWeight,
    cap: allocationCap(allocation, exchanges),
    isWeighted: allocation.tokenAllocationCap > 0n,
    target: ZERO_SF,
  }));
  let weight = allocations.reduce(
    (sum, allocation) => (allocation.isWeighted ? sum + allocation.weight : sum),
    0n,
  );
  let rest = subSf(aum, unallocatedTarget(vault, aum, toU64(weight, 'allocation weights')));
  let capReached = true;
  while (capReached && rest > 0n && weight > 0n) {
    const round = { tokens: rest, weight };
    capReached = false;
    for (const allocation of allocations.filter(({ target, cap }) => target < cap)) {
      const share = partOf(round.tokens, allocation.weight, round.weight);
      const capacity = subSf(allocation.cap, allocation.target);
      const assigned = minSf(share, capacity);
      if (share >= capacity) {
        capReached = true;
        weight -= allocation.weight;
      }
      rest = subSf(rest, assigned);
      allocation.target = addSf(allocation.target, assigned);
    }
  }
  return new Map(allocations.map(({ reserve, target }) => [reserve, target]));
}

/** The smaller of the caps in lamports and in cTokens. 0 and U64_MAX cTokens are no cap. */
function allocationCap(
  { reserve, tokenAllocationCap, ctokenAllocationCap: ctokens }: VaultAllocationView,
  exchanges: CTokenExchangeRates,
): Sf {
  const cap = sfFromInt(tokenAllocationCap);
  if (ctokens === 0n || ctokens === U64_MAX) return cap;
  return minSf(cap, worthOrMost(findExchangeRate(exchanges, reserve), ctokens));
}

/** A value above 128 bits counts as U64_MAX lamports. */
function worthOrMost(exchange: CTokenExchangeRate, ctokens: bigint): Sf {
  try {
    return collateralToLiquiditySf(exchange, ctokens);
  } catch (error) {
    if (hasCode(error, 'MATH_OVERFLOW')) return sfFromInt(U64_MAX);
    throw error;
  }
}

function unallocatedTarget(vault: VaultStateView, aum: Sf, allocatedWeight: bigint): Sf {
  const { unallocatedWeight, unallocatedTokensCap } = vault;
  if (unallocatedWeight === 0n) return ZERO_SF;
  const total = toU64(allocatedWeight + unallocatedWeight, 'allocation weights');
  const cap = unallocatedTokensCap === 0n ? U64_MAX : unallocatedTokensCap;
  return minSf(partOf(aum, unallocatedWeight, total), sfFromInt(cap));
}

/** Throws if the product exceeds 128 bits, as the program does. */
const partOf = (tokens: Sf, weight: bigint, total: bigint): Sf =>
  divSfByInt(mulSfByInt(tokens, weight), total);
