import { type Static, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';
import { WithdrawQueueTx } from '../../../support/events/queue-events.ts';

const fields = {
  createdOn: describe(
    Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    'Block time, UTC',
  ),
  timestamp: Type.Number({ description: 'Block time, epoch ms' }),
  transactionSignature: Type.String({ description: 'Signature of the transaction, base58' }),
  transactionName: Type.String({
    description:
      'Instruction without its version, such as borrowObligationLiquidity, also for V2; a composite instruction has one row for each instruction that it combines',
  }),
  liquidityToken: Type.String({ description: 'Symbol of the token' }),
  liquidityTokenMint: describe(AddressString, 'Mint of the token'),
  liquidityTokenAmount: describe(DecimalString, 'Tokens that moved, in whole tokens'),
  liquidityTokenPrice: describe(
    Type.Optional(DecimalString),
    'USD per whole token before the transaction; absent if unknown',
  ),
  solPrice: describe(
    Type.Optional(DecimalString),
    'USD per SOL before the transaction; absent if unknown',
  ),
  liquidityUsdValue: describe(
    Type.Optional(DecimalString),
    'Value of the moved tokens in USD; absent if the price is unknown',
  ),
  isLiquidationWithdrawal: Type.Boolean({ description: 'Whether a liquidator seized the tokens' }),
  obligationType: Type.String({
    description: 'Kind of loan, such as Vanilla or Multiply; Unknown if its account was never seen',
  }),
  transactionDisplayName: Type.String({
    description: 'Short name of the action, such as Deposit or Liquidation Repay',
  }),
  isSecondPartOfCompositeIx: describe(
    Type.Optional(Type.Boolean()),
    'Whether an earlier row comes from the same instruction',
  ),
};

export const LendTx = Type.Object(fields, { title: 'LendTx' });

const LendTxWithObligation = Type.Object(
  { ...fields, obligation: describe(AddressString, 'Address of the obligation account') },
  { title: 'LendTxWithObligation' },
);

export const ObligationTxList = Type.Object(
  {
    transactions: describe(Type.Array(LendTxWithObligation), 'Transactions in the requested order'),
  },
  { title: 'ObligationTxList' },
);

type ByObligation = Record<string, Static<typeof LendTx>[]>;

const byObligation = { type: 'object', additionalProperties: Type.Array(LendTx) };

export const UserLendTxsByObligation = Type.Unsafe<ByObligation>({
  ...byObligation,
  title: 'UserLendTxsByObligation',
});

const MarketLendTxs = Type.Object(
  {
    market: describe(AddressString, 'Address of the lending market'),
    obligations: describe(
      Type.Unsafe<ByObligation>(byObligation),
      'Transactions by obligation address',
    ),
  },
  { title: 'MarketLendTxs' },
);

export const UserLendTxsAllMarkets = Type.Array(MarketLendTxs, { title: 'UserLendTxsAllMarkets' });

const byObligationAndQueue = {
  obligations: describe(Type.Unsafe<ByObligation>(byObligation), 'Transactions by obligation'),
  withdrawQueueTransactions: describe(
    Type.Array(WithdrawQueueTx),
    'Transactions of the withdraw queues of reserves, in the requested order',
  ),
};

export const UserLendTxsV3 = Type.Object(byObligationAndQueue, { title: 'UserLendTxsV3' });

const MarketLendTxsV3 = Type.Object(
  { market: describe(AddressString, 'Address of the lending market'), ...byObligationAndQueue },
  { title: 'MarketLendTxsV3' },
);

export const UserLendTxsAllMarketsV3 = Type.Array(MarketLendTxsV3, {
  title: 'UserLendTxsAllMarketsV3',
});
