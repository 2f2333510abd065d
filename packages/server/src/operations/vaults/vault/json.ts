import { formatSf } from '@tidegate/core/base';
import type { VaultReport } from '@tidegate/core/views/vaults';
import type { Static } from 'typebox';
import type { Vault, VaultAllocation, VaultState } from './schema.ts';

export function vaultJson(vault: VaultReport): Static<typeof Vault> {
  return { address: vault.address, state: stateJson(vault), programId: vault.program };
}

function stateJson({ fields, name, allocations }: VaultReport): Static<typeof VaultState> {
  return {
    vaultAdminAuthority: fields.vaultAdminAuthority,
    baseVaultAuthority: fields.baseVaultAuthority,
    baseVaultAuthorityBump: Number(fields.baseVaultAuthorityBump),
    tokenMint: fields.tokenMint,
    tokenMintDecimals: Number(fields.tokenMintDecimals),
    tokenVault: fields.tokenVault,
    tokenProgram: fields.tokenProgram,
    sharesMint: fields.sharesMint,
    sharesMintDecimals: Number(fields.sharesMintDecimals),
    tokenAvailable: String(fields.tokenAvailable),
    sharesIssued: String(fields.sharesIssued),
    availableCrankFunds: String(fields.availableCrankFunds),
    performanceFeeBps: Number(fields.performanceFeeBps),
    managementFeeBps: Number(fields.managementFeeBps),
    lastFeeChargeTimestamp: Number(fields.lastFeeChargeTimestamp),
    prevAum: formatSf(fields.prevAumSf),
    pendingFees: formatSf(fields.pendingFeesSf),
    vaultAllocationStrategy: allocations.map(allocationJson),
    minDepositAmount: String(fields.minDepositAmount),
    minWithdrawAmount: String(fields.minWithdrawAmount),
    minInvestAmount: String(fields.minInvestAmount),
    minInvestDelaySlots: Number(fields.minInvestDelaySlots),
    crankFundFeePerReserve: String(fields.crankFundFeePerReserve),
    pendingAdmin: fields.pendingAdmin,
    cumulativeEarnedInterest: formatSf(fields.cumulativeEarnedInterestSf),
    cumulativeMgmtFees: formatSf(fields.cumulativeMgmtFeesSf),
    cumulativePerfFees: formatSf(fields.cumulativePerfFeesSf),
    name,
    vaultLookupTable: fields.vaultLookupTable,
    vaultFarm: fields.vaultFarm,
    creationTimestamp: Number(fields.creationTimestamp),
    allocationAdmin: fields.allocationAdmin,
  };
}

function allocationJson(
  allocation: VaultReport['allocations'][number],
): Static<typeof VaultAllocation> {
  return {
    reserve: allocation.reserve,
    ctokenVault: allocation.ctokenVault,
    targetAllocationWeight: Number(allocation.targetAllocationWeight),
    tokenAllocationCap: String(allocation.tokenAllocationCap),
    ctokenVaultBump: Number(allocation.ctokenVaultBump),
    ctokenAllocation: String(allocation.ctokenAllocation),
    lastInvestSlot: String(allocation.lastInvestSlot),
    tokenTargetAllocation: formatSf(allocation.tokenTargetAllocationSf),
  };
}
