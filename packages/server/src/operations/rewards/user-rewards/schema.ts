import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import { rewardReserves } from '../reward-schemas.ts';

const averageApys = {
  avgBaseApy: describe(
    DecimalString,
    'Mean of baseApy, weighted by USD value; 0 without rewarded positions',
  ),
  avgBoostedApy: describe(
    DecimalString,
    'Mean of boostedApy, weighted by USD value; 0 without rewarded positions',
  ),
  avgMaxApy: describe(
    DecimalString,
    'Mean of maxApy, weighted by USD value; 0 without rewarded positions',
  ),
};

/** Reward of one wallet in one token. */
const walletReward = {
  rewardMint: describe(AddressString, 'Mint of the reward token'),
  lastCalculated: describe(IsoInstant, 'Time of the calculation, UTC'),
  tokensEarned: describe(DecimalString, 'Reward of the season so far, in whole tokens'),
  tokensPerSecond: describe(DecimalString, 'Reward of the wallet, in whole tokens per second'),
  stakingBoost: describe(DecimalString, 'Additional reward by staking, as a fraction'),
  effectiveStakingBoost: describe(
    DecimalString,
    'Staking boost after the cap of the season, as a fraction',
  ),
  baseApy: describe(DecimalString, 'Yearly reward without boost, as a fraction'),
  boostedApy: describe(DecimalString, 'Yearly reward with the boost of the wallet, as a fraction'),
  maxApy: describe(DecimalString, 'Yearly reward with the highest boost, as a fraction'),
  usdAmount: describe(DecimalString, 'Value of the earned reward without boost, in USD'),
  usdAmountBoosted: describe(DecimalString, 'Value of the earned reward with boost, in USD'),
};

export const UserLendingRewards = Type.Object(
  {
    ...averageApys,
    rewards: describe(
      Type.Array(
        Type.Object(
          {
            ...rewardReserves,
            market: describe(AddressString, 'Address of the lending market'),
            ...walletReward,
          },
          { title: 'UserLendingReward' },
        ),
      ),
      'One entry per rewarded position and token',
    ),
  },
  { title: 'UserLendingRewards' },
);

export const UserVaultReward = Type.Object(
  { ...averageApys, ...walletReward },
  { title: 'UserVaultReward' },
);
