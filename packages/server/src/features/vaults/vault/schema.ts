import { Type } from 'typebox';
import { AddressText, DecimalText, U64Text } from '../../../http/schemas/primitives.ts';

export const VaultAllocation = Type.Object(
  {
    reserve: AddressText,
    ctokenVault: AddressText,
    targetAllocationWeight: Type.Number({ multipleOf: 1 }),
    tokenAllocationCap: U64Text,
    ctokenVaultBump: Type.Number(),
    ctokenAllocation: U64Text,
    lastInvestSlot: U64Text,
    tokenTargetAllocation: DecimalText,
  },
  { title: 'VaultAllocation' },
);

export const VaultState = Type.Object(
  {
    vaultAdminAuthority: AddressText,
    baseVaultAuthority: AddressText,
    baseVaultAuthorityBump: Type.Number(),
    tokenMint: AddressText,
    tokenMintDecimals: Type.Number(),
    tokenVault: AddressText,
    tokenProgram: AddressText,
    sharesMint: AddressText,
    sharesMintDecimals: Type.Number(),
    tokenAvailable: DecimalText,
    sharesIssued: DecimalText,
    availableCrankFunds: DecimalText,
    performanceFeeBps: Type.Number(),
    managementFeeBps: Type.Number(),
    lastFeeChargeTimestamp: Type.Number(),
    prevAum: DecimalText,
    pendingFees: DecimalText,
    vaultAllocationStrategy: Type.Array(VaultAllocation),
    minDepositAmount: DecimalText,
    minWithdrawAmount: DecimalText,
    minInvestAmount: DecimalText,
    minInvestDelaySlots: Type.Number(),
    crankFundFeePerReserve: DecimalText,
    pendingAdmin: AddressText,
    cumulativeEarnedInterest: DecimalText,
    cumulativeMgmtFees: DecimalText,
    cumulativePerfFees: DecimalText,
    name: Type.String(),
    vaultLookupTable: AddressText,
    vaultFarm: AddressText,
    creationTimestamp: Type.Number(),
    allocationAdmin: AddressText,
  },
  { title: 'VaultState' },
);

export const Vault = Type.Object(
  { address: AddressText, state: VaultState, programId: AddressText },
  { title: 'Vault' },
);
