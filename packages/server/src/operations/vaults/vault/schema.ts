import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, U64String } from '../../../http/schemas/primitives.ts';

export const VaultAllocation = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    ctokenVault: describe(AddressString, 'Token account with the cTokens of the vault'),
    targetAllocationWeight: describe(
      Type.Number({ multipleOf: 1 }),
      'Target weight relative to the other reserves',
    ),
    tokenAllocationCap: describe(
      U64String,
      'Maximum in the reserve, in lamports of the token; 18446744073709551615 for none',
    ),
    ctokenVaultBump: Type.Number({ description: 'Bump seed of the cToken account' }),
    ctokenAllocation: describe(U64String, 'Allocation in lamports of the cToken'),
    lastInvestSlot: describe(U64String, 'Slot of the last investment'),
    tokenTargetAllocation: describe(
      DecimalString,
      'Target of the last investment, in lamports of the token with a fraction',
    ),
  },
  { title: 'VaultAllocation' },
);

export const VaultState = Type.Object(
  {
    vaultAdminAuthority: describe(AddressString, 'Address of the admin'),
    baseVaultAuthority: describe(
      AddressString,
      'Address that owns the token accounts of the vault',
    ),
    baseVaultAuthorityBump: Type.Number({ description: 'Bump seed of the authority' }),
    tokenMint: describe(AddressString, 'Mint of the token of the vault'),
    tokenMintDecimals: Type.Number({ description: 'Decimals of the token' }),
    tokenVault: describe(AddressString, 'Token account with the tokens that are in no reserve'),
    tokenProgram: describe(AddressString, 'Token program of the token'),
    sharesMint: describe(AddressString, 'Mint of the shares'),
    sharesMintDecimals: Type.Number({ description: 'Decimals of the shares' }),
    tokenAvailable: describe(DecimalString, 'Tokens in no reserve, in lamports'),
    sharesIssued: describe(DecimalString, 'Shares issued, in lamports of the share mint'),
    availableCrankFunds: describe(DecimalString, 'Funds for investments, in lamports of the token'),
    performanceFeeBps: Type.Number({
      description: 'Performance fee in basis points of the interest',
    }),
    managementFeeBps: Type.Number({ description: 'Yearly management fee in basis points' }),
    lastFeeChargeTimestamp: Type.Number({
      description: 'When fees were last charged, epoch seconds',
    }),
    prevAum: describe(
      DecimalString,
      'Value of the vault when fees were last charged, in lamports of the token with a fraction',
    ),
    pendingFees: describe(
      DecimalString,
      'Charged fees that were not withdrawn, in lamports of the token with a fraction',
    ),
    vaultAllocationStrategy: describe(Type.Array(VaultAllocation), 'One entry per reserve'),
    minDepositAmount: describe(DecimalString, 'Smallest deposit, in lamports of the token'),
    minWithdrawAmount: describe(
      DecimalString,
      'Bound that a withdrawal must exceed, in lamports of the token',
    ),
    minInvestAmount: describe(DecimalString, 'Smallest investment, in lamports of the token'),
    minInvestDelaySlots: Type.Number({ description: 'Slots between two investments in a reserve' }),
    crankFundFeePerReserve: describe(
      DecimalString,
      'Part of a deposit for investments per reserve, in lamports of the token',
    ),
    pendingAdmin: describe(
      AddressString,
      'Address of the next admin; 11111111111111111111111111111111 for none',
    ),
    cumulativeEarnedInterest: describe(
      DecimalString,
      'Interest since creation, in lamports of the token with a fraction',
    ),
    cumulativeMgmtFees: describe(
      DecimalString,
      'Management fees since creation, in lamports of the token with a fraction',
    ),
    cumulativePerfFees: describe(
      DecimalString,
      'Performance fees since creation, in lamports of the token with a fraction',
    ),
    name: Type.String({ description: 'Name of the vault on chain' }),
    vaultLookupTable: describe(
      AddressString,
      'Address of the lookup table; 11111111111111111111111111111111 for none',
    ),
    vaultFarm: describe(
      AddressString,
      'Address of the farm of the shares; 11111111111111111111111111111111 for none',
    ),
    creationTimestamp: Type.Number({ description: 'Creation of the vault, epoch seconds' }),
    allocationAdmin: describe(AddressString, 'Address that sets the allocation'),
  },
  { title: 'VaultState' },
);

export const Vault = Type.Object(
  {
    address: describe(AddressString, 'Address of the vault'),
    state: describe(VaultState, 'The decoded account'),
    programId: describe(AddressString, 'Program that owns the account'),
  },
  { title: 'Vault' },
);
