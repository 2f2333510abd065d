import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  OpenObject,
} from '../../../http/schemas/primitives.ts';

export const VaultAllocationRow = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    market: describe(AddressString, 'Address of the lending market'),
    marketName: Type.String({ description: 'Name of the market' }),
    tokenMint: describe(AddressString, 'Mint of the token'),
    symbol: Type.String({ description: 'Symbol of the token' }),
    targetWeightPct: describe(
      DecimalString,
      'Target weight in percent of all weights, the unallocated one included',
    ),
    actualPct: describe(DecimalString, 'Actual part of the vault, in percent'),
    suppliedTokenAmount: describe(DecimalString, 'Tokens in the reserve, in whole tokens'),
    suppliedUsd: describe(DecimalString, 'Tokens in the reserve, in USD'),
    capTokenAmount: describe(
      Type.Union([DecimalString, Type.Null()]),
      'Maximum in the reserve, in whole tokens; null if there is none',
    ),
    utilizationRatio: describe(
      DecimalString,
      'Debts of the reserve divided by its deposits, as a fraction',
    ),
    supplyApy: describe(DecimalString, 'Yearly rate of deposits without rewards, as a fraction'),
    rewardsApy: describe(
      DecimalString,
      'Yearly rewards of the farms of the reserve, as a fraction',
    ),
    collateral: describe(
      Type.Array(OpenObject),
      'Reserves whose deposits secure debts of this reserve, with liquidation threshold in percent',
    ),
  },
  { title: 'VaultAllocationRow' },
);

export const VaultAllocations = Type.Object(
  {
    asOf: describe(IsoInstant, 'Time of the state, UTC'),
    capitalDeployedUsd: describe(DecimalString, 'Tokens in all reserves, in USD'),
    utilizationRatio: describe(
      DecimalString,
      'Part of the vault that borrowers hold, by the utilization of each reserve, as a fraction',
    ),
    allocations: describe(Type.Array(VaultAllocationRow), 'One entry per reserve'),
    unallocated: describe(
      Type.Object({
        tokenAmount: describe(DecimalString, 'In whole tokens'),
        usd: describe(DecimalString, 'In USD'),
        pct: describe(DecimalString, 'Part of the vault, in percent'),
      }),
      'Tokens that are in no reserve',
    ),
  },
  { title: 'VaultAllocations' },
);
