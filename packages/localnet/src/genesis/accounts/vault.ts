import {
  type Address,
  type ChainTime,
  toLamports,
  U64_MAX,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { KVAULT_PROGRAM, sharesMint, tokenVault } from '@tidegate/core/protocol/kvault';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import type { Keys } from '../seed/seeded-keys.ts';
import { tokenOf } from '../specs/token-specs.ts';
import type { AllocationSpec, VaultKey, VaultSpec } from '../specs/vault-specs.ts';
import { derived } from './derived-address.ts';
import { blank, fixedText } from './empty-account.ts';
import { reserveAddress } from './market.ts';

export const vaultAddress = (keys: Keys, vault: VaultKey): Address => keys(`vault/${vault}`);

/** Who runs a vault; also the authority of its lookup table. */
export const vaultAdmin = (keys: Keys, vault: VaultKey): Address => keys(`admin/${vault}`);

export const vaultFarmAddress = (keys: Keys, { key, farm }: VaultSpec): Address =>
  farm === undefined ? ZERO_ADDRESS : keys(`farm/vault/${key}`);

/** A vault without shares. */
export function newVault(
  spec: VaultSpec,
  keys: Keys,
  { time, lookupTable }: { time: ChainTime; lookupTable: Address },
): VaultState {
  const empty = blank(vaultState.body);
  const address = vaultAddress(keys, spec.key);
  const admin = vaultAdmin(keys, spec.key);
  const authority = derived('authority', [address], KVAULT_PROGRAM);
  const token = tokenOf(spec.symbol);
  return {
    ...empty,
    vaultAdminAuthority: admin,
    pendingAdmin: admin,
    allocationAdmin: admin,
    baseVaultAuthority: authority.address,
    baseVaultAuthorityBump: BigInt(authority.bump),
    tokenMint: token.mint,
    tokenMintDecimals: BigInt(token.decimals),
    tokenVault: tokenVault(address),
    tokenProgram: token.tokenProgram,
    sharesMint: sharesMint(address),
    sharesMintDecimals: BigInt(spec.sharesDecimals),
    unallocatedWeight: spec.unallocatedWeight,
    performanceFeeBps: spec.performanceFeeBps,
    managementFeeBps: spec.managementFeeBps,
    vaultAllocationStrategy: empty.vaultAllocationStrategy.map((place, i) => {
      const allocation = spec.allocations[i];
      return allocation === undefined
        ? place
        : { ...place, ...allocationFields(spec, allocation, keys) };
    }),
    minDepositAmount: toLamports(1_000n),
    minWithdrawAmount: toLamports(10n),
    minInvestAmount: toLamports(1_000n),
    minInvestDelaySlots: 150n,
    crankFundFeePerReserve: toLamports(spec.crankFundFeePerReserve),
    name: fixedText(spec.name, empty.name.length),
    vaultLookupTable: lookupTable,
    vaultFarm: vaultFarmAddress(keys, spec),
    creationTimestamp: time.unix,
  };
}

function allocationFields(spec: VaultSpec, { market, weight, cap }: AllocationSpec, keys: Keys) {
  const reserve = reserveAddress(keys, market, spec.symbol);
  const vault = vaultAddress(keys, spec.key);
  const ctokenVault = derived('ctoken_vault', [vault, reserve], KVAULT_PROGRAM);
  const unit = 10n ** BigInt(tokenOf(spec.symbol).decimals);
  return {
    reserve,
    ctokenVault: ctokenVault.address,
    ctokenVaultBump: BigInt(ctokenVault.bump),
    targetAllocationWeight: weight,
    tokenAllocationCap: toLamports(cap === undefined ? U64_MAX : cap * unit),
  };
}
