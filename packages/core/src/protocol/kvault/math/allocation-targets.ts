import type { Address } from '../../../base/encoding/address.ts';
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
import type { VaultStateView } from '../layout/vault-state.ts';
import { usedAllocations } from './holdings.ts';

/** Lamports that each reserve should hold, by the vault's weights and caps. */
export type AllocationTargets = ReadonlyMap<Address, Sf>;

type Place = {
  readonly reserve: Address;
  readonly weight: bigint;
  readonly cap: Sf;
  target: Sf;
};

/**
 * A part stays unallocated by its own weight and cap. The rest goes out in rounds: each reserve below
 * its cap gets its weight of what the round began with; one that reaches its cap takes no part in the
 * next round, which there is only if a cap was reached. Shares round down; what is left stays free.
 */
export function allocationTargets(vault: VaultStateView, aum: Sf): AllocationTargets {
  const places: Place[] = usedAllocations(vault).map((allocation) => ({
    reserve: allocation.reserve,
    weight: allocation.targetAllocationWeight,
    cap: sfFromInt(allocation.tokenAllocationCap),
    target: ZERO_SF,
  }));
  let weight = places.reduce((sum, place) => (place.cap > 0n ? sum + place.weight : sum), 0n);
  let rest = subSf(aum, unallocatedTarget(vault, aum, toU64(weight, 'allocation weights')));
  let capReached = true;
  while (capReached && rest > 0n && weight > 0n) {
    const round = { tokens: rest, weight };
    capReached = false;
    for (const place of places.filter(({ target, cap }) => target < cap)) {
      const share = partOf(round.tokens, place.weight, round.weight);
      const room = subSf(place.cap, place.target);
      const given = minSf(share, room);
      if (share >= room) {
        capReached = true;
        weight -= place.weight;
      }
      rest = subSf(rest, given);
      place.target = addSf(place.target, given);
    }
  }
  return new Map(places.map(({ reserve, target }) => [reserve, target]));
}

function unallocatedTarget(vault: VaultStateView, aum: Sf, allocatedWeight: bigint): Sf {
  const { unallocatedWeight, unallocatedTokensCap } = vault;
  if (unallocatedWeight === 0n) return ZERO_SF;
  const total = toU64(allocatedWeight + unallocatedWeight, 'allocation weights');
  const cap = unallocatedTokensCap === 0n ? U64_MAX : unallocatedTokensCap;
  return minSf(partOf(aum, unallocatedWeight, total), sfFromInt(cap));
}

/** The product must fit 128 bits, or the program stops. */
const partOf = (tokens: Sf, weight: bigint, total: bigint): Sf =>
  divSfByInt(mulSfByInt(tokens, weight), total);
