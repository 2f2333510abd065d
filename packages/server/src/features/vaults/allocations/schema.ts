import { Type } from 'typebox';
import {
  AddressText,
  DecimalText,
  IsoInstant,
  OpenObject,
} from '../../../http/schemas/primitives.ts';

export const VaultAllocationRow = Type.Object(
  {
    reserve: AddressText,
    market: AddressText,
    marketName: Type.String(),
    tokenMint: AddressText,
    symbol: Type.String(),
    targetWeightPct: DecimalText,
    actualPct: DecimalText,
    suppliedTokenAmount: DecimalText,
    suppliedUsd: DecimalText,
    capTokenAmount: Type.Union([DecimalText, Type.Null()]),
    utilizationRatio: DecimalText,
    supplyApy: DecimalText,
    rewardsApy: DecimalText,
    collateral: Type.Array(OpenObject),
  },
  { title: 'VaultAllocationRow' },
);

export const VaultAllocations = Type.Object(
  {
    asOf: IsoInstant,
    capitalDeployedUsd: DecimalText,
    utilizationRatio: DecimalText,
    allocations: Type.Array(VaultAllocationRow),
    unallocated: Type.Object({ tokenAmount: DecimalText, usd: DecimalText, pct: DecimalText }),
  },
  { title: 'VaultAllocations' },
);
