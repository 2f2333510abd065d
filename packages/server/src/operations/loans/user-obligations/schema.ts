import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  OpenObject,
  U64String,
  U128String,
} from '../../../http/schemas/primitives.ts';
import { ObligationStats } from '../obligation-stats-schema.ts';

/** Padding of the account. The contract allows it; it is never sent. */
const padding = Type.Optional(Type.Array(U64String, { description: 'Never sent' }));

const BigFraction = Type.Object(
  {
    value: describe(
      Type.Array(U64String, { minItems: 4, maxItems: 4 }),
      'Four 64-bit words of a number scaled by 2^60, lowest word first',
    ),
    padding,
  },
  { title: 'BigFraction' },
);

const SlotStamp = Type.Object(
  {
    slot: describe(U64String, 'Slot of the last refresh'),
    stale: Type.Integer({ description: '1 if the account must be refreshed before use, else 0' }),
    priceStatus: describe(
      Type.Optional(Type.Integer()),
      'Bits of the price checks that passed at the last refresh',
    ),
    placeholder: describe(Type.Optional(Type.Array(Type.Integer())), 'Unused'),
  },
  { title: 'SlotStamp' },
);

const ObligationCollateralSlot = Type.Object(
  {
    depositReserve: describe(
      AddressString,
      'Address of the reserve; 11111111111111111111111111111111 in an empty slot',
    ),
    depositedAmount: describe(U64String, 'Deposit in lamports of the cToken'),
    marketValueSf: describe(U128String, 'Value in USD at the last refresh, times 2^60'),
    borrowedAmountAgainstThisCollateralInElevationGroup: describe(
      U64String,
      'Debt against this deposit in the elevation group, in lamports',
    ),
    padding,
  },
  { title: 'ObligationCollateralSlot' },
);

const ObligationDebtSlot = Type.Object(
  {
    borrowReserve: describe(
      AddressString,
      'Address of the reserve; 11111111111111111111111111111111 in an empty slot',
    ),
    cumulativeBorrowRateBsf: describe(
      BigFraction,
      'Cumulative borrow rate of the reserve at the last refresh',
    ),
    lastBorrowedAtTimestamp: describe(
      Type.Optional(U64String),
      'Time of the last borrow, epoch seconds',
    ),
    borrowedAmountSf: describe(U128String, 'Debt at the last refresh in lamports, times 2^60'),
    marketValueSf: describe(U128String, 'Value in USD at the last refresh, times 2^60'),
    borrowFactorAdjustedMarketValueSf: describe(
      U128String,
      'Value times the borrow factor in USD at the last refresh, times 2^60',
    ),
    borrowedAmountOutsideElevationGroups: describe(
      U64String,
      'Debt outside of elevation groups, in lamports',
    ),
    fixedTermBorrowRolloverConfig: describe(
      Type.Optional(OpenObject),
      'Settings for the rollover of a fixed-term debt',
    ),
    borrowedAmountAtExpiration: describe(
      Type.Optional(U64String),
      'Debt when the fixed term expired, in lamports',
    ),
    padding2: padding,
  },
  { title: 'ObligationDebtSlot' },
);

export const ObligationAccount = Type.Object(
  {
    tag: describe(U64String, 'Kind of loan as in the account'),
    lastUpdate: describe(SlotStamp, 'Last refresh of the account'),
    lendingMarket: describe(AddressString, 'Address of the lending market'),
    owner: describe(AddressString, 'Address of the owner'),
    deposits: describe(
      Type.Array(ObligationCollateralSlot, { maxItems: 8 }),
      'All 8 slots; empty ones have the reserve 11111111111111111111111111111111',
    ),
    lowestReserveDepositLiquidationLtv: describe(
      Type.Optional(U64String),
      'Lowest liquidation threshold of the deposits, in percent',
    ),
    depositedValueSf: describe(
      U128String,
      'Value of the deposits in USD at the last refresh, times 2^60',
    ),
    borrows: describe(
      Type.Array(ObligationDebtSlot, { maxItems: 5 }),
      'All 5 slots; empty ones have the reserve 11111111111111111111111111111111',
    ),
    borrowFactorAdjustedDebtValueSf: describe(
      U128String,
      'Debts times borrow factors in USD at the last refresh, times 2^60',
    ),
    borrowedAssetsMarketValueSf: describe(
      U128String,
      'Value of the debts in USD at the last refresh, times 2^60',
    ),
    allowedBorrowValueSf: describe(
      U128String,
      'Borrow limit in USD at the last refresh, times 2^60',
    ),
    unhealthyBorrowValueSf: describe(
      U128String,
      'Debt in USD at which liquidation starts, at the last refresh, times 2^60',
    ),
    elevationGroup: Type.Integer({ description: 'Number of the elevation group; 0 for none' }),
    numOfObsoleteDepositReserves: describe(
      Type.Optional(Type.Integer()),
      'Deposits in reserves that are obsolete',
    ),
    hasDebt: Type.Integer({ description: '1 if the loan has debt, else 0' }),
    referrer: describe(
      AddressString,
      'Address of the referrer; 11111111111111111111111111111111 for none',
    ),
    borrowingDisabled: describe(
      Type.Optional(Type.Integer()),
      '1 if the loan cannot borrow, else 0',
    ),
    autodeleverageTargetLtvPct: describe(
      Type.Optional(Type.Integer()),
      'Target loan-to-value of an auto-deleverage, in percent',
    ),
    lowestReserveDepositMaxLtvPct: describe(
      Type.Optional(Type.Integer()),
      'Lowest maximum loan-to-value of the deposits, in percent',
    ),
    numOfObsoleteBorrowReserves: describe(
      Type.Optional(Type.Integer()),
      'Debts in reserves that are obsolete',
    ),
    highestBorrowFactorPct: describe(
      Type.Optional(U64String),
      'Highest borrow factor of the debts, in percent',
    ),
    autodeleverageMarginCallStartedTimestamp: describe(
      Type.Optional(U64String),
      'Start of the margin call before an auto-deleverage, epoch seconds; 0 for none',
    ),
    obligationOrders: describe(
      Type.Optional(Type.Array(OpenObject)),
      'Stop-loss and take-profit orders of the account',
    ),
    borrowOrder: describe(Type.Optional(OpenObject), 'Borrow order of the account'),
  },
  { title: 'ObligationAccount' },
);

const ObligationMarketState = Type.Object(
  {
    autodeleverageEnabled: describe(
      Type.Integer({ minimum: 0, maximum: 255 }),
      '1 if the market auto-deleverages, else 0',
    ),
    borrowDisabled: describe(
      Type.Optional(Type.Integer()),
      '1 if the market does not lend, else 0',
    ),
    emergencyMode: describe(
      Type.Optional(Type.Integer()),
      '1 if the market is in emergency mode, else 0',
    ),
    liquidationMaxDebtCloseFactorPct: describe(
      Type.Optional(Type.Integer()),
      'Part of the debt that one liquidation can repay, in percent',
    ),
    insolvencyRiskUnhealthyLtvPct: describe(
      Type.Optional(Type.Integer()),
      'Loan-to-value from which a loan can be liquidated in full, in percent',
    ),
    minFullLiquidationValueThreshold: describe(
      U64String,
      'Debt below which a loan can be liquidated in full, in whole USD',
    ),
    maxLiquidatableDebtMarketValueAtOnce: describe(
      Type.Optional(U64String),
      'Largest debt that one liquidation can repay, in whole USD',
    ),
  },
  { title: 'ObligationMarketState' },
);

export const ObligationMarket = Type.Object(
  {
    address: describe(AddressString, 'Address of the lending market'),
    state: describe(ObligationMarketState, 'Values of the market account'),
  },
  { title: 'ObligationMarket' },
);

export const UserObligation = Type.Object(
  {
    obligationAddress: describe(AddressString, 'Address of the obligation account'),
    market: describe(ObligationMarket, 'Market of the loan'),
    state: describe(ObligationAccount, 'The decoded account as of its last refresh on chain'),
    refreshedStats: describe(
      ObligationStats,
      'Values and limits of the loan as of the slot of the response',
    ),
    obligationTag: describe(
      Type.Integer({ minimum: 0 }),
      'Kind of loan as in the account: 0 Vanilla, 1 Multiply, 2 Lending, 3 Leverage; 4 to 6 are fixed-rate variants',
    ),
    humanTag: Type.String({ description: 'Name of the kind of loan' }),
  },
  { title: 'UserObligation' },
);
