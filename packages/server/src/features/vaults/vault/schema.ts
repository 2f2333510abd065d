import { Type } from 'typebox';
import { AddressString, DecimalString, U64String } from '../../../http/schemas/primitives.ts';

export const VaultAllocation = Type.Object(
  {
    reserve: AddressString,
    ctokenVault: AddressString,
    targetAllocationWeight: Type.Number({ multipleOf: 1 }),
    tokenAllocationCap: U64String,
    ctokenVaultBump: Type.Number(),
    ctokenAllocation: U64String,
    lastInvestSlot: U64String,
    tokenTargetAllocation: DecimalString,
  },
  { title: 'VaultAllocation' },
);

export const VaultState = Type.Object(
  {
    vaultAdminAuthority: AddressString,
    baseVaultAuthority: AddressString,
    baseVaultAuthorityBump: Type.Number(),
    tokenMint: AddressString,
    tokenMintDecimals: Type.Number(),
    tokenVault: AddressString,
    tokenProgram: AddressString,
    sharesMint: AddressString,
    sharesMintDecimals: Type.Number(),
    tokenAvailable: DecimalString,
    sharesIssued: DecimalString,
    availableCrankFunds: DecimalString,
    performanceFeeBps: Type.Number(),
    managementFeeBps: Type.Number(),
    lastFeeChargeTimestamp: Type.Number(),
    prevAum: DecimalString,
    pendingFees: DecimalString,
    vaultAllocationStrategy: Type.Array(VaultAllocation),
    minDepositAmount: DecimalString,
    minWithdrawAmount: DecimalString,
    minInvestAmount: DecimalString,
    minInvestDelaySlots: Type.Number(),
    crankFundFeePerReserve: DecimalString,
    pendingAdmin: AddressString,
    cumulativeEarnedInterest: DecimalString,
    cumulativeMgmtFees: DecimalString,
    cumulativePerfFees: DecimalString,
    name: Type.String(),
    vaultLookupTable: AddressString,
    vaultFarm: AddressString,
    creationTimestamp: Type.Number(),
    allocationAdmin: AddressString,
  },
  { title: 'VaultState' },
);

export const Vault = Type.Object(
  { address: AddressString, state: VaultState, programId: AddressString },
  { title: 'Vault' },
);
