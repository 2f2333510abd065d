import { type Static, Type } from 'typebox';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';
import { ProgramIdString } from '../../lending-program/program-id.ts';
import { BulkVaultTxRequest, FlagString } from '../../vaults/transactions/schema.ts';

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

const BulkLendTx = Type.Object(
  {
    ixs: Type.Array(Type.Unsafe<Record<string, unknown>>({})),
    timestamp: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    signature: Type.String(),
    obligation: Type.String(),
    wallet: Type.String(),
    rawJson: Type.Optional(Type.String()),
  },
  { title: 'BulkLendTx' },
);

export type BulkLendTx = Static<typeof BulkLendTx>;

export const BulkLendTxPage = Type.Object(
  { result: Type.Array(BulkLendTx), paginationToken: Type.Optional(Type.String()) },
  { title: 'BulkLendTxPage' },
);

/** The same is asked of both. */
export const BulkLendTxRequest = BulkVaultTxRequest;

export const BulkLendTxQuery = Type.Object({
  programId: Type.Optional(ProgramIdString),
  includeRawJson: Type.Optional(FlagString),
});
