import { Type } from 'typebox';
import { AddressText, DecimalText, IsoInstant } from '../../http/schemas/primitives.ts';

const NullableAddress = Type.Union([AddressText, Type.Null()]);

/** Supply rewards have no debt, borrow rewards no deposit, rewards for pairs both. */
const sides = { depositReserve: NullableAddress, borrowReserve: NullableAddress };

export const VaultReward = Type.Object(
  {
    kvault: AddressText,
    rewardToken: AddressText,
    lastCalculated: IsoInstant,
    apy: DecimalText,
    tokensPerSecond: DecimalText,
  },
  { title: 'VaultReward' },
);

export const LendingReward = Type.Object(
  {
    ...sides,
    market: AddressText,
    rewardToken: AddressText,
    lastCalculated: IsoInstant,
    apy: DecimalText,
    tokensPerSecond: DecimalText,
    activePositionsUsd: DecimalText,
  },
  { title: 'LendingReward' },
);

export const LendingRewardPoint = Type.Object(
  { timestamp: IsoInstant, ...sides, rewardToken: AddressText, rewardApy: DecimalText },
  { title: 'LendingRewardPoint' },
);

const means = { avgBaseApy: DecimalText, avgBoostedApy: DecimalText, avgMaxApy: DecimalText };

/** What one wallet has of one token. */
const walletFigures = {
  rewardMint: AddressText,
  lastCalculated: IsoInstant,
  tokensEarned: DecimalText,
  tokensPerSecond: DecimalText,
  stakingBoost: DecimalText,
  effectiveStakingBoost: DecimalText,
  baseApy: DecimalText,
  boostedApy: DecimalText,
  maxApy: DecimalText,
  usdAmount: DecimalText,
  usdAmountBoosted: DecimalText,
};

export const UserLendingRewards = Type.Object(
  {
    ...means,
    rewards: Type.Array(
      Type.Object(
        { ...sides, market: AddressText, ...walletFigures },
        { title: 'UserLendingReward' },
      ),
    ),
  },
  { title: 'UserLendingRewards' },
);

export const UserVaultReward = Type.Object(
  { ...means, ...walletFigures },
  { title: 'UserVaultReward' },
);

export const StakingBoost = Type.Object(
  { boost: DecimalText, name: Type.String(), farm: Type.Optional(AddressText) },
  { title: 'StakingBoost' },
);

export const SeasonUserTotal = Type.Object(
  {
    wallet: AddressText,
    totalRewards: Type.Object({ amount: DecimalText, tokenMint: AddressText }),
  },
  { title: 'SeasonUserTotal' },
);

export const SourceQuery = Type.Object({
  source: Type.Optional(
    Type.String({
      description: 'The season; the newest one if left out, nothing if there is none',
    }),
  ),
});
