import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

const RewardTokenApy = Type.Object(
  { tokenMint: AddressString, apy: DecimalString },
  { title: 'RewardTokenApy' },
);

const VaultReserveYield = Type.Object(
  {
    pubkey: AddressString,
    supplyApy: DecimalString,
    rewardsApy: DecimalString,
    allocationRatio: DecimalString,
    rewardTokens: Type.Array(RewardTokenApy),
  },
  { title: 'VaultReserveYield' },
);

export const VaultMetricsPoint = Type.Object(
  {
    timestamp: IsoInstant,
    tvl: DecimalString,
    solTvl: DecimalString,
    apy: DecimalString,
    apyTheoretical: DecimalString,
    apyActual: DecimalString,
    apyFarmRewards: DecimalString,
    apyReservesIncentives: DecimalString,
    apyIncentives: DecimalString,
    sharePrice: DecimalString,
    interest: DecimalString,
    interestUsd: DecimalString,
    interestSol: DecimalString,
    reserves: Type.Array(VaultReserveYield),
    vaultRewards: Type.Array(RewardTokenApy),
  },
  { title: 'VaultMetricsPoint' },
);
