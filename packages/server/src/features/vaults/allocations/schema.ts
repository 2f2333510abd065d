import { Type } from 'typebox';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  OpenObject,
} from '../../../http/schemas/primitives.ts';

export const VaultAllocationRow = Type.Object(
  {
    reserve: AddressString,
    market: AddressString,
    marketName: Type.String(),
    tokenMint: AddressString,
    symbol: Type.String(),
    targetWeightPct: DecimalString,
    actualPct: DecimalString,
    suppliedTokenAmount: DecimalString,
    suppliedUsd: DecimalString,
    capTokenAmount: Type.Union([DecimalString, Type.Null()]),
    utilizationRatio: DecimalString,
    supplyApy: DecimalString,
    rewardsApy: DecimalString,
    collateral: Type.Array(OpenObject),
  },
  { title: 'VaultAllocationRow' },
);

export const VaultAllocations = Type.Object(
  {
    asOf: IsoInstant,
    capitalDeployedUsd: DecimalString,
    utilizationRatio: DecimalString,
    allocations: Type.Array(VaultAllocationRow),
    unallocated: Type.Object({
      tokenAmount: DecimalString,
      usd: DecimalString,
      pct: DecimalString,
    }),
  },
  { title: 'VaultAllocations' },
);
