import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import { rewardReserves } from '../reward-schemas.ts';

const averageApys = {
  avgBaseApy: DecimalString,
  avgBoostedApy: DecimalString,
  avgMaxApy: DecimalString,
};

/** Reward of one wallet in one token. */
const walletReward = {
  rewardMint: AddressString,
  lastCalculated: IsoInstant,
  tokensEarned: DecimalString,
  tokensPerSecond: DecimalString,
  stakingBoost: DecimalString,
  effectiveStakingBoost: DecimalString,
  baseApy: DecimalString,
  boostedApy: DecimalString,
  maxApy: DecimalString,
  usdAmount: DecimalString,
  usdAmountBoosted: DecimalString,
};

export const UserLendingRewards = Type.Object(
  {
    ...averageApys,
    rewards: Type.Array(
      Type.Object(
        { ...rewardReserves, market: AddressString, ...walletReward },
        { title: 'UserLendingReward' },
      ),
    ),
  },
  { title: 'UserLendingRewards' },
);

export const UserVaultReward = Type.Object(
  { ...averageApys, ...walletReward },
  { title: 'UserVaultReward' },
);
