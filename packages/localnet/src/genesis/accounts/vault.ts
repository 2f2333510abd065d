import {
  type Address,
  type ChainTime,
  toLamports,
  U64_MAX,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import {
  KVAULT_PROGRAM,
  sharesMint,
  tokenVault,
  type VaultRules,
} from '@tidegate/core/protocol/kvault';
import { type VaultState, vaultState } from '@tidegate/core/protocol/kvault/layout';
import type { SeededKeys } from '../seed/seeded-keys.ts';
import { tokenBySymbol } from '../specs/token-specs.ts';
import type { AllocationSpec, VaultKey, VaultSpec } from '../specs/vault-specs.ts';
import { derivedAddress } from './derived-address.ts';
import { emptyAccount, paddedText } from './empty-account.ts';
import { reserveAddress } from './market.ts';

export const vaultAddress = (keys: SeededKeys, vault: VaultKey): Address => keys(`vault/${vault}`);

/** The admin of a vault; also the authority of its lookup table. */
export const vaultAdminAddress = (keys: SeededKeys, vault: VaultKey): Address =>
  keys(`admin/${vault}`);

/** Signs what users do with the vault, if it is permissioned. */
export const permissioningAuthorityName = (vault: VaultKey): string => `permission/${vault}`;

export const vaultFarmAddress = (keys: SeededKeys, { key, farm }: VaultSpec): Address =>
  farm === undefined ? ZERO_ADDRESS : keys(`farm/vault/${key}`);

/** A vault without shares. */
export function createVault(
  spec: VaultSpec,
  keys: SeededKeys,
  { time, lookupTable, rules }: { time: ChainTime; lookupTable: Address; rules: VaultRules },
): VaultState {
  const empty = emptyAccount(vaultState.body);
  const address = vaultAddress(keys, spec.key);
  const admin = vaultAdminAddress(keys, spec.key);
  const authority = derivedAddress('authority', [address], KVAULT_PROGRAM);
  const token = tokenBySymbol(spec.symbol);
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
    withdrawalPenaltyBps: spec.withdrawalPenaltyBps ?? 0n,
    vaultAllocationStrategy: empty.vaultAllocationStrategy.map((unused, i) => {
      const allocation = spec.allocations[i];
      return allocation === undefined
        ? unused
        : { ...unused, ...allocationFields(spec, allocation, keys) };
    }),
    minDepositAmount: toLamports(spec.minimums?.deposit ?? 1_000n),
    minWithdrawAmount: toLamports(spec.minimums?.withdraw ?? 10n),
    minInvestAmount: toLamports(spec.minimums?.invest ?? 1_000n),
    minInvestDelaySlots: spec.minInvestDelaySlots ?? 150n,
    crankFundFeePerReserve: toLamports(spec.crankFundFeePerReserve),
    name: paddedText(spec.name, empty.name.length),
    vaultLookupTable: lookupTable,
    vaultFarm: vaultFarmAddress(keys, spec),
    creationTimestamp: time.unix,
    ...limits(spec, keys, rules),
  };
}

/** Whom the vault accepts, and how much, as far as the release of the program has such settings. */
function limits(
  { key, symbol, depositCap, isPermissioned }: VaultSpec,
  keys: SeededKeys,
  rules: VaultRules,
): Pick<VaultState, 'depositCap' | 'permissioningAuthority'> {
  const unit = 10n ** BigInt(tokenBySymbol(symbol).decimals);
  const isCapped = depositCap !== undefined && rules.depositCap === 'cuts';
  const hasAuthority = isPermissioned === true && rules.permissioning === 'authority';
  return {
    depositCap: toLamports(isCapped ? depositCap * unit : 0n),
    permissioningAuthority: hasAuthority ? keys(permissioningAuthorityName(key)) : ZERO_ADDRESS,
  };
}

function allocationFields(
  spec: VaultSpec,
  { market, weight, cap }: AllocationSpec,
  keys: SeededKeys,
) {
  const reserve = reserveAddress(keys, market, spec.symbol);
  const vault = vaultAddress(keys, spec.key);
  const ctokenVault = derivedAddress('ctoken_vault', [vault, reserve], KVAULT_PROGRAM);
  const unit = 10n ** BigInt(tokenBySymbol(spec.symbol).decimals);
  return {
    reserve,
    ctokenVault: ctokenVault.address,
    ctokenVaultBump: BigInt(ctokenVault.bump),
    targetAllocationWeight: weight,
    tokenAllocationCap: toLamports(cap === undefined ? U64_MAX : cap * unit),
  };
}
