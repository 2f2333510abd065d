import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import {
  EventQueryRequest,
  FlagString,
  NextPageToken,
} from '../../../support/events/event-query-schema.ts';

const amounts = {
  direction: describe(
    Type.Optional(Type.Unsafe<'in' | 'out'>({ type: 'string', enum: ['in', 'out'] })),
    'Whether an invest moved tokens into or out of the reserve; absent for other instructions',
  ),
  solPrice: describe(DecimalString, 'USD per SOL at the time of the transaction'),
  sharePrice: describe(DecimalString, 'USD per whole share at the time of the transaction'),
  tokenPrice: describe(DecimalString, 'USD per whole token at the time of the transaction'),
  tokenAmount: describe(DecimalString, 'Tokens that moved, in whole tokens'),
  numberOfShares: describe(DecimalString, 'Shares that moved, in whole shares'),
};

const transactionFields = {
  timestamp: describe(IsoInstant, 'Block time, UTC'),
  signature: Type.String({ description: 'Signature of the transaction, base58' }),
  kvault: describe(AddressString, 'Address of the vault'),
  wallet: describe(
    AddressString,
    'Address of the wallet; 11111111111111111111111111111111 if unknown',
  ),
};

const VaultTx = Type.Object(
  {
    ix: describe(
      Type.Object(
        {
          market: describe(
            Type.Optional(AddressString),
            'Lending market of the reserve; absent if no reserve is involved',
          ),
          reserve: describe(
            Type.Optional(AddressString),
            'Reserve that the vault moved tokens into or out of; absent if none is involved',
          ),
          ...amounts,
        },
        { title: 'VaultTxDetail' },
      ),
      'Amounts and prices of the instruction',
    ),
    ...transactionFields,
  },
  { title: 'VaultTx' },
);

const BulkVaultTx = Type.Object(
  {
    ix: describe(
      Type.Object(
        {
          market: describe(
            Type.Optional(Type.String()),
            'Lending market of the reserve; absent if no reserve is involved',
          ),
          reserve: describe(
            Type.Optional(Type.String()),
            'Reserve that the vault moved tokens into or out of; absent if none is involved',
          ),
          ...amounts,
        },
        { title: 'VaultTxInstruction' },
      ),
      'Amounts and prices of the instruction',
    ),
    ...transactionFields,
    rawJson: describe(
      Type.Optional(Type.String()),
      'The transaction as the node returned it, in JSON; only with includeRawJson',
    ),
  },
  { title: 'BulkVaultTx' },
);

export const VaultTxPage = Type.Object(
  {
    result: describe(Type.Array(VaultTx), 'Transactions of this page'),
    paginationToken: NextPageToken,
  },
  { title: 'VaultTxPage' },
);

export const BulkVaultTxPage = Type.Object({
  result: describe(Type.Array(BulkVaultTx), 'Transactions of this page'),
  paginationToken: NextPageToken,
});

const { instruction } = EventQueryRequest.properties;

export const VaultTxRequest = Type.Object({
  ...EventQueryRequest.properties,
  instruction: describe(Type.Optional(instruction), 'Only transactions with this instruction'),
  direction: describe(
    Type.Optional(
      Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
    ),
    'Order by time',
  ),
});

export const BulkVaultTxQuery = Type.Object({
  programId: describe(
    Type.Optional(Type.String({ default: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' })),
    'Vault program that owns the vaults',
  ),
  includeRawJson: describe(Type.Optional(FlagString), 'Also returns the transaction as JSON'),
});
