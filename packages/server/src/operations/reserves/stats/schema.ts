import { type TSchema, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import { InterestRateBasisString } from '../interest-rate-basis.ts';

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const tokens = (description: string) => describe(DecimalString, `${description}, in whole tokens`);
const usd = (description: string) => describe(DecimalString, `${description}, in USD`);
const fraction = (description: string) => describe(DecimalString, `${description}, as a fraction`);

const average = (what: string, days: number) =>
  describe(
    nullable(DecimalString),
    `Time-weighted average of the ${what} over ${days} days, as a fraction; null if its series is shorter`,
  );

const apyAverages = (what: string) =>
  Type.Object(
    {
      current: fraction(`Yearly ${what} now, without rewards`),
      avg7d: average(what, 7),
      avg14d: average(what, 14),
      avg30d: average(what, 30),
      avg60d: average(what, 60),
      avg90d: average(what, 90),
      avg180d: average(what, 180),
    },
    { description: `The ${what} now and its averages` },
  );

const SeasonRewards = describe(
  nullable(DecimalString),
  'Rate of season rewards; null if not all loans are followed, which share them',
);

const Total = (description: string) =>
  describe(nullable(DecimalString), `${description}; null if a part is null`);

const RewardApy = Type.Object(
  {
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    farm: describe(AddressString, 'Address of the farm'),
    apy: fraction(
      'Yearly reward divided by all deposits or debts of the reserve, compounded daily; 0 if the token has no price',
    ),
    tokensPerSecond: describe(
      DecimalString,
      'Reward for all positions together, in whole tokens per second',
    ),
  },
  { title: 'ReserveRewardApy' },
);

const PairIncentive = Type.Object(
  {
    depositReserve: describe(AddressString, 'Reserve of the rewarded deposit'),
    borrowReserve: describe(AddressString, 'Reserve of the debt that the loan must have'),
    rewardToken: describe(AddressString, 'Mint of the reward token'),
    apy: fraction('Yearly reward divided by the rewarded deposits, not compounded'),
    tokensPerSecond: describe(
      DecimalString,
      'Reward for all positions together, in whole tokens per second',
    ),
  },
  { title: 'PairIncentive' },
);

const WithdrawalCap = Type.Object(
  {
    capacity: tokens('Most net outflow per interval'),
    currentTotal: tokens('Net outflow of the last interval that was used, negative for an inflow'),
    intervalLengthSeconds: Type.Number({ description: 'Length of an interval; 0 for no cap' }),
    lastIntervalStartTimestamp: describe(IsoInstant, 'Start of that interval, UTC'),
  },
  { title: 'WithdrawalCap' },
);

const BorrowCaps = Type.Object(
  {
    utilization: Type.Object(
      {
        limitPct: Type.Number({
          description: 'Utilization above which nothing is lent; 0 for no limit',
        }),
        currentPct: describe(DecimalString, 'Utilization now, in percent'),
      },
      { description: 'Limit of the utilization' },
    ),
    netWithdrawal: describe(WithdrawalCap, 'Rolling cap of new debts'),
    globalDebt: Type.Object(
      {
        capacity: tokens('Most debt of the reserve'),
        currentTotal: tokens('Debt of the reserve'),
      },
      { description: 'Limit of all debts' },
    ),
    debtOutsideElevationGroup: Type.Object(
      {
        capacity: describe(
          nullable(DecimalString),
          'Most debt outside of elevation groups, in whole tokens; null for no limit',
        ),
        currentTotal: tokens('Debt outside of elevation groups'),
      },
      { description: 'Limit of debts outside of elevation groups' },
    ),
    debtAgainstCollateral: Type.Array(
      Type.Object({
        collateralReserve: describe(AddressString, 'Reserve of the collateral'),
        elevationGroup: Type.Number({ description: 'Number of the elevation group' }),
        capacity: describe(
          nullable(DecimalString),
          'Most debt against this collateral in the group, in whole tokens; null for no limit',
        ),
        currentTotal: tokens('Debt against this collateral in the group'),
      }),
      { description: 'Limits per elevation group and collateral' },
    ),
  },
  { title: 'BorrowCaps' },
);

const AutoDeleverage = Type.Object(
  {
    reserve: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether the reserve can be deleveraged' }),
        marginCallPeriodSecs: Type.Number({ description: 'Time before loans are deleveraged' }),
        thresholdDecreaseBpsPerDay: Type.Number({
          description: 'Decrease of the threshold per day',
        }),
        bonusIncreaseBpsPerDay: Type.Number({ description: 'Increase of the bonus per day' }),
        minBonusBps: Type.Number({ description: 'Least bonus' }),
      },
      { description: 'Settings of the reserve' },
    ),
    market: Type.Object(
      {
        enabled: Type.Boolean({ description: 'Whether the market allows deleveraging' }),
        individualMarginCallPeriodSecs: Type.Number({
          description: 'Time before a single loan is deleveraged',
        }),
      },
      { description: 'Settings of the market' },
    ),
  },
  { title: 'AutoDeleverage' },
);

export const ReserveStats = Type.Object(
  {
    token: describe(AddressString, 'Mint of the token'),
    collateralMintAddress: describe(AddressString, 'Mint of the cToken'),
    rateType: Type.Unsafe<'variable' | 'fixed'>({
      type: 'string',
      enum: ['variable', 'fixed'],
      description: 'fixed if debts have a term',
    }),
    fixedTerm: describe(
      nullable(
        Type.Object({
          termSeconds: Type.Number({ description: 'Term of a debt' }),
          apy: fraction('Yearly rate of a new debt'),
        }),
      ),
      'Term of debts; null if they have none',
    ),
    debtMaturityTimestamp: describe(
      nullable(IsoInstant),
      'Time at which all debts are due, UTC; null if there is none',
    ),
    status: Type.Unsafe<'Active' | 'Obsolete' | 'Hidden'>({
      type: 'string',
      enum: ['Active', 'Obsolete', 'Hidden'],
      description: 'Status of the reserve',
    }),
    interestRateBasis: InterestRateBasisString,
    hostFixedInterestRateBps: Type.Number({
      description: 'Rate of the host on every loan, in basis points',
    }),
    protocolTakeRatePct: Type.Number({ description: 'Part of the interest for the protocol' }),
    supplyApy: apyAverages('supply rate'),
    borrowApy: apyAverages('borrow rate'),
    underlyingApy: describe(
      nullable(DecimalString),
      'Staking yield of the token in the newest epoch, as a fraction; null if it is not of a known stake pool or no two epochs were recorded',
    ),
    supplyApyBreakdown: Type.Object(
      {
        lending: fraction('Rate of deposits'),
        incentives: fraction('Rate of the farm of deposits'),
        seasonRewards: SeasonRewards,
        underlying: describe(
          nullable(DecimalString),
          'Staking yield of the token, as a fraction; 0 for a token that is not of a stake pool, null if no two epochs of its pool were recorded',
        ),
        total: Total('Sum of the parts'),
      },
      { description: 'Parts of what a deposit earns' },
    ),
    borrowApyBreakdown: Type.Object(
      {
        borrow: fraction('Rate of debts'),
        incentives: fraction('Rate of the farm of debts'),
        seasonRewards: SeasonRewards,
        total: Total('Rate of debts minus the rewards'),
      },
      { description: 'Parts of what a debt costs' },
    ),
    utilization: Type.Object(
      {
        current: fraction('Borrowed part of the supply now'),
        avg30d: average('utilization', 30),
        avg90d: average('utilization', 90),
        avg180d: average('utilization', 180),
        avg365d: average('utilization', 365),
      },
      { description: 'The utilization now and its averages' },
    ),
    autoDeleverage: describe(AutoDeleverage, 'Settings of automatic deleveraging'),
    supplyRewardApys: describe(Type.Array(RewardApy), 'Rewards that the farm of deposits pays now'),
    borrowRewardApys: describe(Type.Array(RewardApy), 'Rewards that the farm of debts pays now'),
    pairIncentives: describe(
      Type.Array(PairIncentive),
      'Season rewards for loans with both a deposit and a debt, of which one is of this reserve; empty if the registry has none or not all loans are followed',
    ),
    pointsPrograms: Type.Array(Type.Object({}), {
      description: 'Always empty: points are not on chain',
    }),
    liquidityAvailable: tokens('Tokens in the vault of the reserve, with fees'),
    liquidityAvailableUsd: usd('Tokens in the vault of the reserve, with fees'),
    actualAvailableLiquidity: tokens(
      'Largest loan that all limits of the reserve allow, without the limits of elevation groups and outside of them',
    ),
    actualAvailableLiquidityUsd: usd('Largest loan that all limits of the reserve allow'),
    utilizationLimitBlockBorrowingAbovePct: Type.Number({
      description: 'Utilization above which nothing is lent; 0 for no limit',
    }),
    borrowCaps: describe(BorrowCaps, 'Limits of new debts'),
    totalSupply: tokens('Deposits, lent ones included'),
    totalSupplyUsd: usd('Deposits, lent ones included'),
    totalBorrow: tokens('Debts'),
    totalBorrowUsd: usd('Debts'),
    liqLTV: fraction('Loan-to-value at which a loan can be liquidated'),
    maxLTV: fraction('Maximum loan-to-value outside of elevation groups'),
    borrowFactor: describe(DecimalString, 'Weight of debts against their limit'),
    depositLimit: tokens('Most deposits'),
    borrowLimit: tokens('Most debts'),
    minLiquidationBonus: fraction('Least bonus of a liquidation'),
    liquidationMaxDebtCloseFactorPct: Type.Number({
      description: 'Most of a debt that one liquidation repays, in percent',
    }),
    limits: Type.Object(
      {
        depositWithdrawalCap: describe(WithdrawalCap, 'Rolling cap of withdrawn deposits'),
        debtWithdrawalCap: describe(WithdrawalCap, 'Rolling cap of new debts'),
      },
      { description: 'Rolling caps' },
    ),
    proofOfReserves: Type.Null({ description: 'Always null: no source on chain' }),
  },
  { title: 'ReserveStats' },
);
