import { Type } from 'typebox';
import {
  AddressString,
  DecimalString,
  IsoInstant,
  U64String,
} from '../../../http/schemas/primitives.ts';

const ReserveSnapshotMetrics = Type.Object(
  {
    status: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: ['Active', 'Obsolete', 'Hidden'] }),
    ),
    symbol: Type.String(),
    decimals: Type.Integer(),
    mintAddress: AddressString,
    depositTvl: DecimalString,
    borrowTvl: DecimalString,
    totalSupply: DecimalString,
    totalBorrows: DecimalString,
    totalLiquidity: DecimalString,
    mintTotalSupply: Type.Optional(DecimalString),
    exchangeRate: Type.Number(),
    cumulativeBorrowRate: Type.Optional(DecimalString),
    assetPriceUSD: Type.Number(),
    assetOraclePriceUSD: Type.Optional(Type.Number()),
    supplyInterestAPY: Type.Number(),
    borrowInterestAPY: Type.Number(),
    utilizationRatio: Type.Optional(Type.Number()),
    borrowCurve: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    borrowFactor: Type.Number(),
    loanToValue: Type.Number(),
    liquidationThreshold: Type.Number(),
    minLiquidationBonus: Type.Optional(Type.Number()),
    maxLiquidationBonus: Type.Optional(Type.Number()),
    protocolTakeRate: Type.Optional(Type.Number()),
    borrowFeePercentage: Type.Optional(Type.Number()),
    flashLoanFeePercentage: Type.Optional(Type.Number()),
    accumulatedProtocolFees: Type.Optional(DecimalString),
    reserveDepositLimit: U64String,
    reserveBorrowLimit: U64String,
    depositLimitCrossedTimestamp: Type.Optional(Type.Number()),
    borrowLimitCrossedTimestamp: Type.Optional(Type.Number()),
  },
  { title: 'ReserveSnapshotMetrics' },
);

const ReserveSnapshot = Type.Object(
  { timestamp: IsoInstant, metrics: ReserveSnapshotMetrics },
  { title: 'ReserveSnapshot' },
);

export const ReserveHistory = Type.Object(
  { reserve: AddressString, market: AddressString, history: Type.Array(ReserveSnapshot) },
  { title: 'ReserveHistory' },
);
