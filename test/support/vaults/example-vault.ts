import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { toLamports, U64_MAX } from '#core/base/numbers/lamports.ts';
import { FRACTION_BITS, sfFromBits, sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import type { CTokenExchangeRate } from '#core/protocol/klend/math/exact-ratio.ts';
import {
  type VaultAllocation,
  type VaultState,
  vaultState,
} from '#core/protocol/kvault/layout/vault-state.ts';
import type { VaultContext } from '#core/protocol/kvault/operations/refresh-vault.ts';
import { NEWEST_VAULT_RULES } from '#core/protocol/kvault/releases.ts';

/** Arbitrary addresses of one repeated byte. */
export const repeatedByteAddress = (byte: number): Address =>
  addressFromBytes(new Uint8Array(32).fill(byte));

export const RESERVE_A = repeatedByteAddress(0xa);
export const RESERVE_B = repeatedByteAddress(0xb);

const emptyVault = vaultState.body.decode(new DataView(new ArrayBuffer(vaultState.size)), 0);

/** A vault of zeros with the given changes. The allocations come first. */
export function vaultWith(
  changes: Partial<Omit<VaultState, 'vaultAllocationStrategy'>>,
  allocations: readonly Partial<VaultAllocation>[] = [],
): VaultState {
  const vaultAllocationStrategy = emptyVault.vaultAllocationStrategy.map((free, i) => ({
    ...free,
    ...allocations[i],
  }));
  return { ...emptyVault, vaultAllocationStrategy, ...changes };
}

export const NO_PENALTY = { withdrawalPenaltyBps: 0n, withdrawalPenaltyLamports: toLamports(0n) };

const NOW = 1_700_086_400n;

/** The reference example: two USDC reserves, one day after the last fee charge. */
export const exampleVault: VaultState = vaultWith(
  {
    tokenMintDecimals: 6n,
    sharesMintDecimals: 6n,
    tokenAvailable: toLamports(1_000_000n),
    sharesIssued: 9_000_000n,
    prevAumSf: sfFromInt(8_000_000n),
    pendingFeesSf: sfFromBits((4001n << FRACTION_BITS) / 4n),
    managementFeeBps: 100n,
    performanceFeeBps: 1000n,
    lastFeeChargeTimestamp: toUnixSeconds(NOW - 86_400n),
  },
  [
    {
      reserve: RESERVE_A,
      targetAllocationWeight: 1n,
      tokenAllocationCap: toLamports(U64_MAX),
      ctokenAllocation: 3_000_000n,
    },
    {
      reserve: RESERVE_B,
      targetAllocationWeight: 3n,
      tokenAllocationCap: toLamports(U64_MAX),
      ctokenAllocation: 5_000_000n,
    },
  ],
);

export const EXCHANGE_A: CTokenExchangeRate = {
  totalSupply: sfFromInt(1_499_999_000_000n),
  mintTotalSupply: 1_400_000_000_000n,
};

export const EXCHANGE_B: CTokenExchangeRate = {
  totalSupply: sfFromInt(999_999_000_000n),
  mintTotalSupply: 1_400_000_000_000n,
};

export const exampleVaultContext: VaultContext = {
  exchanges: new Map([
    [RESERVE_A, EXCHANGE_A],
    [RESERVE_B, EXCHANGE_B],
  ]),
  time: { slot: toSlot(1_000_000n), unix: toUnixSeconds(NOW) },
  rules: NEWEST_VAULT_RULES,
};
