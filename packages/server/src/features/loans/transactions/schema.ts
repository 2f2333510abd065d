import { type Static, Type } from 'typebox';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';

const fields = {
  createdOn: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  timestamp: Type.Number(),
  transactionSignature: Type.String(),
  transactionName: Type.String(),
  liquidityToken: Type.String(),
  liquidityTokenMint: AddressString,
  liquidityTokenAmount: DecimalString,
  liquidityTokenPrice: Type.Optional(DecimalString),
  solPrice: Type.Optional(DecimalString),
  liquidityUsdValue: Type.Optional(DecimalString),
  isLiquidationWithdrawal: Type.Boolean(),
  obligationType: Type.String(),
  transactionDisplayName: Type.String(),
  isSecondPartOfCompositeIx: Type.Optional(Type.Boolean()),
};

export const LendTx = Type.Object(fields, { title: 'LendTx' });

const LendTxWithObligation = Type.Object(
  { ...fields, obligation: AddressString },
  { title: 'LendTxWithObligation' },
);

export const ObligationTxList = Type.Object(
  { transactions: Type.Array(LendTxWithObligation) },
  { title: 'ObligationTxList' },
);

type ByObligation = Record<string, Static<typeof LendTx>[]>;

const byObligation = { type: 'object', additionalProperties: Type.Array(LendTx) };

export const UserLendTxsByObligation = Type.Unsafe<ByObligation>({
  ...byObligation,
  title: 'UserLendTxsByObligation',
});

const MarketLendTxs = Type.Object(
  { market: AddressString, obligations: Type.Unsafe<ByObligation>(byObligation) },
  { title: 'MarketLendTxs' },
);

export const UserLendTxsAllMarkets = Type.Array(MarketLendTxs, { title: 'UserLendTxsAllMarkets' });
