import { Type } from 'typebox';
import { AddressText, DecimalText, IsoInstant, U64Text } from '../../../http/schemas/primitives.ts';

const ReserveSnapshotMetrics = Type.Object(
  {
    status: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: ['Active', 'Obsolete', 'Hidden'] }),
    ),
    symbol: Type.String(),
    decimals: Type.Integer(),
    mintAddress: AddressText,
    depositTvl: DecimalText,
    borrowTvl: DecimalText,
    totalSupply: DecimalText,
    totalBorrows: DecimalText,
    totalLiquidity: DecimalText,
    mintTotalSupply: Type.Optional(DecimalText),
    exchangeRate: Type.Number(),
    cumulativeBorrowRate: Type.Optional(DecimalText),
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
    accumulatedProtocolFees: Type.Optional(DecimalText),
    reserveDepositLimit: U64Text,
    reserveBorrowLimit: U64Text,
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
  { reserve: AddressText, market: AddressText, history: Type.Array(ReserveSnapshot) },
  { title: 'ReserveHistory' },
);
