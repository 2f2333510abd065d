import { type Static, Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString } from '../../../http/schemas/primitives.ts';
import {
  EventQueryRequest,
  FlagString,
  NextPageToken,
} from '../../../support/events/event-query-schema.ts';
import { ReserveParameter } from '../../../support/schemas/address-parameters.ts';
import { ProgramIdString } from '../../../support/schemas/program-id.ts';

const common = {
  timestamp: describe(
    Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    'Block time, UTC',
  ),
  signature: Type.String({ description: 'Signature of the transaction, base58' }),
  wallet: Type.String({
    description: 'Address of the wallet; 11111111111111111111111111111111 if unknown',
  }),
  rawJson: describe(
    Type.Optional(Type.String()),
    'The transaction as the node returned it, in JSON; only with includeRawJson',
  ),
};

const instructionsOn = (subject: string) =>
  describe(
    Type.Array(Type.Unsafe<Record<string, unknown>>({})),
    `Instructions on the ${subject} in order of execution: name, reserve, amounts and prices where known`,
  );

const BulkLendTx = Type.Object(
  {
    ixs: instructionsOn('loan'),
    ...common,
    obligation: Type.String({
      description: 'Address of the obligation account; 11111111111111111111111111111111 for none',
    }),
  },
  { title: 'BulkLendTx' },
);

export type BulkLendTx = Static<typeof BulkLendTx>;

export const BulkLendTxPage = Type.Object(
  {
    result: describe(Type.Array(BulkLendTx), 'Transactions of this page, newest first'),
    paginationToken: NextPageToken,
  },
  { title: 'BulkLendTxPage' },
);

export const BulkLendTxRequest = EventQueryRequest;

export const BulkLendTxQuery = Type.Object({
  programId: Type.Optional(ProgramIdString),
  includeRawJson: describe(Type.Optional(FlagString), 'Also returns the transaction as JSON'),
});

const BulkWithdrawQueueTx = Type.Object(
  {
    ixs: instructionsOn('ticket'),
    ...common,
    reserve: ReserveParameter,
    withdrawTicket: describe(AddressString, 'Account of the place in the queue of the reserve'),
  },
  { title: 'BulkWithdrawQueueTx' },
);

export type BulkWithdrawQueueTx = Static<typeof BulkWithdrawQueueTx>;

export const BulkLendTxPageV3 = Type.Object(
  {
    obligationTransactions: describe(
      Type.Array(BulkLendTx),
      'Transactions of this page on loans, newest first',
    ),
    withdrawQueueTransactions: describe(
      Type.Array(BulkWithdrawQueueTx),
      'Transactions of this page on queues, newest first',
    ),
    paginationToken: NextPageToken,
  },
  { title: 'BulkLendTxPageV3' },
);
