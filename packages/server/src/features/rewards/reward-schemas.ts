import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../http/schemas/primitives.ts';

const NullableAddress = Type.Union([AddressString, Type.Null()]);

/** Supply rewards have no debt, borrow rewards no deposit, rewards for pairs both. */
const sides = { depositReserve: NullableAddress, borrowReserve: NullableAddress };

export const VaultReward = Type.Object(
  {
    kvault: AddressString,
    rewardToken: AddressString,
    lastCalculated: IsoInstant,
    apy: DecimalString,
    tokensPerSecond: DecimalString,
  },
  { title: 'VaultReward' },
);

export const LendingReward = Type.Object(
  {
    ...sides,
    market: AddressString,
    rewardToken: AddressString,
    lastCalculated: IsoInstant,
    apy: DecimalString,
    tokensPerSecond: DecimalString,
    activePositionsUsd: DecimalString,
  },
  { title: 'LendingReward' },
);

export const LendingRewardPoint = Type.Object(
  { timestamp: IsoInstant, ...sides, rewardToken: AddressString, rewardApy: DecimalString },
  { title: 'LendingRewardPoint' },
);

const means = { avgBaseApy: DecimalString, avgBoostedApy: DecimalString, avgMaxApy: DecimalString };

/** What one wallet has of one token. */
const walletFigures = {
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
    ...means,
    rewards: Type.Array(
      Type.Object(
        { ...sides, market: AddressString, ...walletFigures },
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
  { boost: DecimalString, name: Type.String(), farm: Type.Optional(AddressString) },
  { title: 'StakingBoost' },
);

export const SeasonUserTotal = Type.Object(
  {
    wallet: AddressString,
    totalRewards: Type.Object({ amount: DecimalString, tokenMint: AddressString }),
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
