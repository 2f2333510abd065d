import { Type } from 'typebox';
import {
  AddressString,
  OpenObject,
  U64String,
  U128String,
} from '../../../http/schemas/primitives.ts';
import { ObligationStats } from '../obligation-stats-schema.ts';

/** Padding of the account. The contract allows it; it is never sent. */
const padding = Type.Optional(Type.Array(U64String));

const BigFraction = Type.Object(
  { value: Type.Array(U64String, { minItems: 4, maxItems: 4 }), padding },
  { title: 'BigFraction' },
);

const SlotStamp = Type.Object(
  {
    slot: U64String,
    stale: Type.Integer(),
    priceStatus: Type.Optional(Type.Integer()),
    placeholder: Type.Optional(Type.Array(Type.Integer())),
  },
  { title: 'SlotStamp' },
);

const ObligationCollateralSlot = Type.Object(
  {
    depositReserve: AddressString,
    depositedAmount: U64String,
    marketValueSf: U128String,
    borrowedAmountAgainstThisCollateralInElevationGroup: U64String,
    padding,
  },
  { title: 'ObligationCollateralSlot' },
);

const ObligationDebtSlot = Type.Object(
  {
    borrowReserve: AddressString,
    cumulativeBorrowRateBsf: BigFraction,
    lastBorrowedAtTimestamp: Type.Optional(U64String),
    borrowedAmountSf: U128String,
    marketValueSf: U128String,
    borrowFactorAdjustedMarketValueSf: U128String,
    borrowedAmountOutsideElevationGroups: U64String,
    fixedTermBorrowRolloverConfig: Type.Optional(OpenObject),
    borrowedAmountAtExpiration: Type.Optional(U64String),
    padding2: padding,
  },
  { title: 'ObligationDebtSlot' },
);

export const ObligationAccount = Type.Object(
  {
    tag: U64String,
    lastUpdate: SlotStamp,
    lendingMarket: AddressString,
    owner: AddressString,
    deposits: Type.Array(ObligationCollateralSlot, { maxItems: 8 }),
    lowestReserveDepositLiquidationLtv: Type.Optional(U64String),
    depositedValueSf: U128String,
    borrows: Type.Array(ObligationDebtSlot, { maxItems: 5 }),
    borrowFactorAdjustedDebtValueSf: U128String,
    borrowedAssetsMarketValueSf: U128String,
    allowedBorrowValueSf: U128String,
    unhealthyBorrowValueSf: U128String,
    elevationGroup: Type.Integer(),
    numOfObsoleteDepositReserves: Type.Optional(Type.Integer()),
    hasDebt: Type.Integer(),
    referrer: AddressString,
    borrowingDisabled: Type.Optional(Type.Integer()),
    autodeleverageTargetLtvPct: Type.Optional(Type.Integer()),
    lowestReserveDepositMaxLtvPct: Type.Optional(Type.Integer()),
    numOfObsoleteBorrowReserves: Type.Optional(Type.Integer()),
    highestBorrowFactorPct: Type.Optional(U64String),
    autodeleverageMarginCallStartedTimestamp: Type.Optional(U64String),
    obligationOrders: Type.Optional(Type.Array(OpenObject)),
    borrowOrder: Type.Optional(OpenObject),
  },
  { title: 'ObligationAccount' },
);

const ObligationMarketState = Type.Object(
  {
    autodeleverageEnabled: Type.Integer({ minimum: 0, maximum: 255 }),
    borrowDisabled: Type.Optional(Type.Integer()),
    emergencyMode: Type.Optional(Type.Integer()),
    liquidationMaxDebtCloseFactorPct: Type.Optional(Type.Integer()),
    insolvencyRiskUnhealthyLtvPct: Type.Optional(Type.Integer()),
    minFullLiquidationValueThreshold: U64String,
    maxLiquidatableDebtMarketValueAtOnce: Type.Optional(U64String),
  },
  { title: 'ObligationMarketState' },
);

export const ObligationMarket = Type.Object(
  { address: AddressString, state: ObligationMarketState },
  { title: 'ObligationMarket' },
);

export const UserObligation = Type.Object(
  {
    obligationAddress: AddressString,
    market: ObligationMarket,
    state: ObligationAccount,
    refreshedStats: ObligationStats,
    obligationTag: Type.Integer({ minimum: 0 }),
    humanTag: Type.String(),
  },
  { title: 'UserObligation' },
);
