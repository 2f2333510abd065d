import { Type } from 'typebox';
import {
  AddressText,
  DecimalText,
  OpenObject,
  U64Text,
  U128Text,
} from '../../../http/schemas/primitives.ts';

/** Room of the account that is never sent; the contract lets others send it. */
const padding = Type.Optional(Type.Array(U64Text));

const BigFraction = Type.Object(
  { value: Type.Array(U64Text, { minItems: 4, maxItems: 4 }), padding },
  { title: 'BigFraction' },
);

const SlotStamp = Type.Object(
  {
    slot: U64Text,
    stale: Type.Integer(),
    priceStatus: Type.Optional(Type.Integer()),
    placeholder: Type.Optional(Type.Array(Type.Integer())),
  },
  { title: 'SlotStamp' },
);

const ObligationCollateralSlot = Type.Object(
  {
    depositReserve: AddressText,
    depositedAmount: U64Text,
    marketValueSf: U128Text,
    borrowedAmountAgainstThisCollateralInElevationGroup: U64Text,
    padding,
  },
  { title: 'ObligationCollateralSlot' },
);

const ObligationDebtSlot = Type.Object(
  {
    borrowReserve: AddressText,
    cumulativeBorrowRateBsf: BigFraction,
    lastBorrowedAtTimestamp: Type.Optional(U64Text),
    borrowedAmountSf: U128Text,
    marketValueSf: U128Text,
    borrowFactorAdjustedMarketValueSf: U128Text,
    borrowedAmountOutsideElevationGroups: U64Text,
    fixedTermBorrowRolloverConfig: Type.Optional(OpenObject),
    borrowedAmountAtExpiration: Type.Optional(U64Text),
    padding2: padding,
  },
  { title: 'ObligationDebtSlot' },
);

export const ObligationAccount = Type.Object(
  {
    tag: U64Text,
    lastUpdate: SlotStamp,
    lendingMarket: AddressText,
    owner: AddressText,
    deposits: Type.Array(ObligationCollateralSlot, { maxItems: 8 }),
    lowestReserveDepositLiquidationLtv: Type.Optional(U64Text),
    depositedValueSf: U128Text,
    borrows: Type.Array(ObligationDebtSlot, { maxItems: 5 }),
    borrowFactorAdjustedDebtValueSf: U128Text,
    borrowedAssetsMarketValueSf: U128Text,
    allowedBorrowValueSf: U128Text,
    unhealthyBorrowValueSf: U128Text,
    elevationGroup: Type.Integer(),
    numOfObsoleteDepositReserves: Type.Optional(Type.Integer()),
    hasDebt: Type.Integer(),
    referrer: AddressText,
    borrowingDisabled: Type.Optional(Type.Integer()),
    autodeleverageTargetLtvPct: Type.Optional(Type.Integer()),
    lowestReserveDepositMaxLtvPct: Type.Optional(Type.Integer()),
    numOfObsoleteBorrowReserves: Type.Optional(Type.Integer()),
    highestBorrowFactorPct: Type.Optional(U64Text),
    autodeleverageMarginCallStartedTimestamp: Type.Optional(U64Text),
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
    minFullLiquidationValueThreshold: U64Text,
    maxLiquidatableDebtMarketValueAtOnce: Type.Optional(U64Text),
  },
  { title: 'ObligationMarketState' },
);

export const ObligationMarket = Type.Object(
  { address: AddressText, state: ObligationMarketState },
  { title: 'ObligationMarket' },
);

export const ObligationStats = Type.Object(
  {
    leverage: DecimalText,
    borrowLimit: DecimalText,
    loanToValue: DecimalText,
    liquidationLtv: DecimalText,
    netAccountValue: DecimalText,
    userTotalBorrow: DecimalText,
    userTotalDeposit: DecimalText,
    borrowUtilization: DecimalText,
    borrowLiquidationLimit: DecimalText,
    userTotalCollateralDeposit: DecimalText,
    userTotalLiquidatableDeposit: DecimalText,
    userTotalBorrowBorrowFactorAdjusted: DecimalText,
    potentialElevationGroupUpdate: Type.Number(),
  },
  { title: 'ObligationStats' },
);

export const UserObligation = Type.Object(
  {
    obligationAddress: AddressText,
    market: ObligationMarket,
    state: ObligationAccount,
    refreshedStats: ObligationStats,
    obligationTag: Type.Integer({ minimum: 0 }),
    humanTag: Type.String(),
  },
  { title: 'UserObligation' },
);
