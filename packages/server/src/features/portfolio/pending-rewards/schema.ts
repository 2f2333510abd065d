import { Type } from 'typebox';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';

const POSITION_TYPES = ['Liquidity', 'Lend', 'Borrow Markets', 'Multiply', 'Leverage'] as const;

export type PositionType = (typeof POSITION_TYPES)[number];

const PendingReward = Type.Object(
  {
    mint: AddressString,
    amount: DecimalString,
    index: Type.Integer(),
    type: Type.Integer(),
    tokenProgram: AddressString,
  },
  { title: 'PendingReward' },
);

export const FarmPendingRewards = Type.Object(
  {
    farm: AddressString,
    userState: AddressString,
    delegatee: AddressString,
    strategy: Type.Optional(AddressString),
    vault: Type.Optional(AddressString),
    positionType: Type.Unsafe<PositionType>({ type: 'string', enum: [...POSITION_TYPES] }),
    activeStakeAmount: DecimalString,
    tokenMints: Type.Optional(Type.Array(AddressString, { default: [] })),
    rewards: Type.Array(PendingReward),
  },
  { title: 'FarmPendingRewards' },
);

const PendingRewardErrors = Type.Object(
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
    partialErrors: Type.Optional(PendingRewardErrors),
  },
  { title: 'PortfolioPendingRewards' },
);
