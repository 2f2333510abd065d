import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

const RewardTokenApy = Type.Object(
  {
    tokenMint: describe(AddressString, 'Mint of the reward token'),
    apy: describe(DecimalString, 'Yearly reward, as a fraction'),
  },
  { title: 'RewardTokenApy' },
);

const VaultReserveYield = Type.Object(
  {
    pubkey: describe(AddressString, 'Address of the reserve'),
    supplyApy: describe(DecimalString, 'Yearly rate of deposits without rewards, as a fraction'),
    rewardsApy: describe(DecimalString, 'Sum of the yearly rewards, as a fraction'),
    allocationRatio: describe(
      DecimalString,
      'Part of the vault that is in the reserve, as a fraction',
    ),
    rewardTokens: describe(
      Type.Array(RewardTokenApy),
      'Rewards of the farms of the reserve, by token',
    ),
  },
  { title: 'VaultReserveYield' },
);

export const VaultMetricsPoint = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    tvl: describe(DecimalString, 'Value of the vault in USD'),
    solTvl: describe(DecimalString, 'Value of the vault in SOL'),
    apy: describe(DecimalString, 'Same as apyTheoretical'),
    apyTheoretical: describe(
      DecimalString,
      'Yearly yield if all tokens were allocated by weight, as a fraction',
    ),
    apyActual: describe(DecimalString, 'Yearly yield of the actual allocation, as a fraction'),
    apyFarmRewards: describe(
      DecimalString,
      'Yearly rewards of the farm of the vault, as a fraction',
    ),
    apyReservesIncentives: describe(
      DecimalString,
      'Yearly rewards of the farms of the reserves, as a fraction',
    ),
    apyIncentives: describe(DecimalString, 'Yearly season rewards, as a fraction'),
    sharePrice: describe(DecimalString, 'USD per whole share'),
    interest: describe(
      DecimalString,
      'Interest since creation before fees, in whole tokens, up to the time of the point: also what the account counts with the next use of the vault',
    ),
    interestUsd: describe(
      DecimalString,
      'Interest since creation in USD up to the time of the point, each interval at its own price',
    ),
    interestSol: describe(
      DecimalString,
      'Interest since creation in SOL up to the time of the point, each interval at its own price',
    ),
    reserves: describe(Type.Array(VaultReserveYield), 'One entry per allocated reserve'),
    vaultRewards: describe(
      Type.Array(RewardTokenApy),
      'Rewards of the farm of the vault, by token',
    ),
  },
  { title: 'VaultMetricsPoint' },
);
