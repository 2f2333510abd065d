import { Type } from 'typebox';
import { AddressString, DecimalString } from '../../../http/schemas/primitives.ts';
import { PaginationToken } from '../../event-query/event-query-schema.ts';

const fields = {
  createdOn: Type.String({ format: 'date-time' }),
  transactionSignature: Type.String(),
  instruction: Type.String(),
  tokenAmount: DecimalString,
  usdAmount: DecimalString,
};

const FarmTx = Type.Object(fields, { title: 'FarmTx' });

const UserFarmTx = Type.Object(
  { ...fields, farm: AddressString, token: AddressString },
  { title: 'UserFarmTx' },
);

export const FarmTxPage = Type.Object({
  result: Type.Array(FarmTx),
  paginationToken: PaginationToken,
});

export const UserFarmTxPage = Type.Object({
  result: Type.Array(UserFarmTx),
  paginationToken: PaginationToken,
});
