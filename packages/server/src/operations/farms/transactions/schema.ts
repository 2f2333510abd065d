import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';
import { NextPageToken } from '../../../support/events/event-query-schema.ts';

const fields = {
  createdOn: describe(Type.String({ format: 'date-time' }), 'Block time, UTC'),
  transactionSignature: Type.String({ description: 'Signature of the transaction, base58' }),
  instruction: Type.String({ description: 'Instruction of the farms program' }),
  tokenAmount: describe(DecimalString, 'Amount in whole tokens, vault shares or cTokens'),
  usdAmount: describe(DecimalString, 'Value of the amount in USD at the time of the transaction'),
};

const FarmTx = Type.Object(fields, { title: 'FarmTx' });

const UserFarmTx = Type.Object(
  {
    ...fields,
    farm: describe(AddressString, 'Address of the farm'),
    token: describe(AddressString, 'Mint of the token, share or cToken that moved'),
  },
  { title: 'UserFarmTx' },
);

export const FarmTxPage = Type.Object({
  result: describe(Type.Array(FarmTx), 'Transactions of this page'),
  paginationToken: NextPageToken,
});

export const UserFarmTxPage = Type.Object({
  result: describe(Type.Array(UserFarmTx), 'Transactions of this page'),
  paginationToken: NextPageToken,
});
