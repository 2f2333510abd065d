import { Type } from 'typebox';
import { AddressText, DecimalText, IsoInstant } from '../../../http/schemas/primitives.ts';

const RewardTokenApy = Type.Object(
  { tokenMint: AddressText, apy: DecimalText },
  { title: 'RewardTokenApy' },
);

const VaultReserveYield = Type.Object(
  {
    pubkey: AddressText,
    supplyApy: DecimalText,
    rewardsApy: DecimalText,
    allocationRatio: DecimalText,
    rewardTokens: Type.Array(RewardTokenApy),
  },
  { title: 'VaultReserveYield' },
);

export const VaultMetricsPoint = Type.Object(
  {
    timestamp: IsoInstant,
    tvl: DecimalText,
    solTvl: DecimalText,
    apy: DecimalText,
    apyTheoretical: DecimalText,
    apyActual: DecimalText,
    apyFarmRewards: DecimalText,
    apyReservesIncentives: DecimalText,
    apyIncentives: DecimalText,
    sharePrice: DecimalText,
    interest: DecimalText,
    interestUsd: DecimalText,
    interestSol: DecimalText,
    reserves: Type.Array(VaultReserveYield),
    vaultRewards: Type.Array(RewardTokenApy),
  },
  { title: 'VaultMetricsPoint' },
);

export const AllocationVolumePoint = Type.Object(
  { timestamp: IsoInstant, volumeUsd: DecimalText },
  { title: 'AllocationVolumePoint' },
);

const UsdSolAmount = Type.Object({ usd: DecimalText, sol: DecimalText }, { title: 'UsdSolAmount' });

export const EarnSummary = Type.Object(
  {
    earnings: Type.Object({
      interest: UsdSolAmount,
      rewards: UsdSolAmount,
      reserveRewards: UsdSolAmount,
      total: UsdSolAmount,
    }),
  },
  { title: 'EarnSummary' },
);
