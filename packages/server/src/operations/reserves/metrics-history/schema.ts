import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  U64String,
} from '../../../http/schemas/primitives.ts';

const ReserveSnapshotMetrics = Type.Object(
  {
    status: describe(
      Type.Optional(
        Type.Unsafe<string>({ type: 'string', enum: ['Active', 'Obsolete', 'Hidden'] }),
      ),
      'Status of the reserve on chain',
    ),
    symbol: Type.String({ description: 'Symbol of the token' }),
    decimals: Type.Integer({ description: 'Decimals of the token' }),
    mintAddress: describe(AddressString, 'Mint of the token'),
    depositTvl: describe(DecimalString, 'Deposits in USD'),
    borrowTvl: describe(DecimalString, 'Debts in USD'),
    totalSupply: describe(DecimalString, 'Deposits in whole tokens, lent ones included'),
    totalBorrows: describe(DecimalString, 'Debts in whole tokens'),
    totalLiquidity: describe(DecimalString, 'Tokens available in the reserve, in whole tokens'),
    mintTotalSupply: describe(
      Type.Optional(DecimalString),
      'Supply of the cToken, in whole cTokens',
    ),
    exchangeRate: Type.Number({ description: 'cTokens per token' }),
    cumulativeBorrowRate: describe(
      Type.Optional(DecimalString),
      'Growth of a debt since the reserve was created, as a factor',
    ),
    assetPriceUSD: Type.Number({ description: 'USD per whole token as stored in the reserve' }),
    assetOraclePriceUSD: describe(
      Type.Optional(Type.Number()),
      'USD per whole token of the oracle',
    ),
    supplyInterestAPY: Type.Number({
      description: 'Yearly rate of deposits without rewards, as a fraction',
    }),
    borrowInterestAPY: Type.Number({ description: 'Yearly rate of debts, as a fraction' }),
    utilizationRatio: describe(
      Type.Optional(Type.Number()),
      'Debts divided by deposits, as a fraction',
    ),
    borrowCurve: describe(
      Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
      'Points of the borrow rate curve: utilization and rate, as fractions',
    ),
    borrowFactor: Type.Number({
      description: 'Factor by which debts count against the borrow limit, in percent',
    }),
    loanToValue: Type.Number({ description: 'Maximum loan-to-value, as a fraction' }),
    liquidationThreshold: Type.Number({
      description: 'Loan-to-value at which liquidation starts, as a fraction',
    }),
    minLiquidationBonus: describe(
      Type.Optional(Type.Number()),
      'Lowest bonus of liquidators, as a fraction',
    ),
    maxLiquidationBonus: describe(
      Type.Optional(Type.Number()),
      'Highest bonus of liquidators, as a fraction',
    ),
    protocolTakeRate: describe(
      Type.Optional(Type.Number()),
      'Part of the interest that the protocol keeps, as a fraction',
    ),
    borrowFeePercentage: describe(Type.Optional(Type.Number()), 'Fee of a borrow, as a fraction'),
    flashLoanFeePercentage: describe(
      Type.Optional(Type.Number()),
      'Fee of a flash loan, as a fraction',
    ),
    accumulatedProtocolFees: describe(
      Type.Optional(DecimalString),
      'Uncollected fees of the protocol, in whole tokens',
    ),
    reserveDepositLimit: describe(U64String, 'Maximum of all deposits, in lamports'),
    reserveBorrowLimit: describe(U64String, 'Maximum of all debts, in lamports'),
    depositLimitCrossedTimestamp: describe(
      Type.Optional(Type.Number()),
      'When deposits exceeded the limit, epoch seconds; 0 if they do not',
    ),
    borrowLimitCrossedTimestamp: describe(
      Type.Optional(Type.Number()),
      'When debts exceeded the limit, epoch seconds; 0 if they do not',
    ),
  },
  { title: 'ReserveSnapshotMetrics' },
);

const ReserveSnapshot = Type.Object(
  {
    timestamp: describe(IsoInstant, 'Time of the point, UTC'),
    metrics: describe(ReserveSnapshotMetrics, 'State of the reserve at this time'),
  },
  { title: 'ReserveSnapshot' },
);

export const ReserveHistory = Type.Object(
  {
    reserve: describe(AddressString, 'Address of the reserve'),
    market: describe(AddressString, 'Address of the lending market'),
    history: describe(Type.Array(ReserveSnapshot), 'Oldest first'),
  },
  { title: 'ReserveHistory' },
);
