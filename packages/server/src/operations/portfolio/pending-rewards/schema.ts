import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';

const POSITION_TYPES = ['Liquidity', 'Lend', 'Borrow Markets', 'Multiply', 'Leverage'] as const;

export type PositionType = (typeof POSITION_TYPES)[number];

const PendingReward = Type.Object(
  {
    mint: describe(AddressString, 'Mint of the reward token'),
    amount: describe(DecimalString, 'Claimable reward in whole tokens'),
    index: Type.Integer({ description: 'Index of the reward in the farm' }),
    type: Type.Integer({
      description: 'Kind of reward as in the farm: 0 proportional, 1 constant',
    }),
    tokenProgram: describe(AddressString, 'Token program of the mint'),
  },
  { title: 'PendingReward' },
);

export const FarmPendingRewards = Type.Object(
  {
    farm: describe(AddressString, 'Address of the farm'),
    userState: describe(AddressString, 'Address of the stake account'),
    delegatee: describe(
      AddressString,
      'Address for which the stake is held: the wallet or an obligation',
    ),
    strategy: describe(
      Type.Optional(AddressString),
      'Strategy that the farm belongs to; absent if there is none',
    ),
    vault: describe(
      Type.Optional(AddressString),
      'Vault whose shares are staked; absent if it is not a vault farm',
    ),
    positionType: describe(
      Type.Unsafe<PositionType>({ type: 'string', enum: [...POSITION_TYPES] }),
      'Kind of position that earns the rewards',
    ),
    activeStakeAmount: describe(DecimalString, 'Active stake in whole units of the staked token'),
    tokenMints: describe(
      Type.Optional(Type.Array(AddressString, { default: [] })),
      'Mints of the staked tokens',
    ),
    rewards: describe(Type.Array(PendingReward), 'Claimable rewards'),
  },
  { title: 'FarmPendingRewards' },
);

const PendingRewardErrors = Type.Object(
  {
    positionTokenMints: describe(
      Type.Optional(Type.Array(Type.String())),
      'Positions whose tokens are unknown',
    ),
    seasonFarms: describe(
      Type.Optional(Type.Array(Type.String())),
      'Season farms that could not be read',
    ),
    rewardMetadata: describe(
      Type.Optional(Type.Array(Type.String())),
      'Farms whose rewards could not be computed completely',
    ),
  },
  { title: 'PendingRewardGaps' },
);

export const PortfolioPendingRewards = Type.Object(
  {
    timestamp: describe(Type.String({ format: 'date-time' }), 'Time of the state, UTC'),
    farms: describe(Type.Array(FarmPendingRewards), 'One entry per stake'),
    partialErrors: describe(
      Type.Optional(PendingRewardErrors),
      'What is missing from the response; absent if it is complete',
    ),
  },
  { title: 'PortfolioPendingRewards' },
);
