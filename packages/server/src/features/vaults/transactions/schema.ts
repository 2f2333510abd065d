import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';
import {
  EventQueryRequest,
  FlagString,
  PaginationToken,
} from '../../event-query/event-query-schema.ts';

const amounts = {
  solPrice: DecimalString,
  sharePrice: DecimalString,
  tokenPrice: DecimalString,
  tokenAmount: DecimalString,
  numberOfShares: DecimalString,
};

const transactionFields = {
  timestamp: IsoInstant,
  signature: Type.String(),
  kvault: AddressString,
  wallet: AddressString,
};

const VaultTx = Type.Object(
  {
    ix: Type.Object(
      { market: Type.Optional(AddressString), reserve: Type.Optional(AddressString), ...amounts },
      { title: 'VaultTxDetail' },
    ),
    ...transactionFields,
  },
  { title: 'VaultTx' },
);

const BulkVaultTx = Type.Object(
  {
    ix: Type.Object(
      { market: Type.Optional(Type.String()), reserve: Type.Optional(Type.String()), ...amounts },
      { title: 'VaultTxInstruction' },
    ),
    ...transactionFields,
    rawJson: Type.Optional(Type.String()),
  },
  { title: 'BulkVaultTx' },
);

export const VaultTxPage = Type.Object(
  { result: Type.Array(VaultTx), paginationToken: PaginationToken },
  { title: 'VaultTxPage' },
);

export const BulkVaultTxPage = Type.Object({
  result: Type.Array(BulkVaultTx),
  paginationToken: PaginationToken,
});

const { instruction } = EventQueryRequest.properties;

export const VaultTxRequest = Type.Object({
  ...EventQueryRequest.properties,
  instruction: Type.Optional(instruction),
  direction: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
  ),
});

export const BulkVaultTxQuery = Type.Object({
  programId: Type.Optional(Type.String({ default: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' })),
  includeRawJson: Type.Optional(FlagString),
});
