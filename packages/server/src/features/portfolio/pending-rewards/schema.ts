import { Type } from 'typebox';
import { AddressText, DecimalText } from '../../../http/schemas/primitives.ts';

const POSITION_TYPES = ['Liquidity', 'Lend', 'Borrow Markets', 'Multiply', 'Leverage'] as const;

export type PositionType = (typeof POSITION_TYPES)[number];

const PendingReward = Type.Object(
  {
    mint: AddressText,
    amount: DecimalText,
    index: Type.Integer(),
    type: Type.Integer(),
    tokenProgram: AddressText,
  },
  { title: 'PendingReward' },
);

export const FarmPendingRewards = Type.Object(
  {
    farm: AddressText,
    userState: AddressText,
    delegatee: AddressText,
    strategy: Type.Optional(AddressText),
    vault: Type.Optional(AddressText),
    positionType: Type.Unsafe<PositionType>({ type: 'string', enum: [...POSITION_TYPES] }),
    activeStakeAmount: DecimalText,
    tokenMints: Type.Optional(Type.Array(AddressText, { default: [] })),
    rewards: Type.Array(PendingReward),
  },
  { title: 'FarmPendingRewards' },
);

const PendingRewardGaps = Type.Object(
  {
    positionTokenMints: Type.Optional(Type.Array(Type.String())),
    seasonFarms: Type.Optional(Type.Array(Type.String())),
    rewardMetadata: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'PendingRewardGaps' },
);

export const PortfolioPendingRewards = Type.Object(
  {
    timestamp: Type.String({ format: 'date-time' }),
    farms: Type.Array(FarmPendingRewards),
    partialErrors: Type.Optional(PendingRewardGaps),
  },
  { title: 'PortfolioPendingRewards' },
);
