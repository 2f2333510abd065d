import { Type } from 'typebox';
import { describe } from '../../../http/schemas/describe.ts';
import {
  AddressString,
  DecimalString,
  NullableNumber,
  NullableString,
} from '../../../http/schemas/primitives.ts';
import { NextPageToken } from '../../../support/events/event-query-schema.ts';

const NullableDecimal = Type.Union([DecimalString, Type.Null()]);

const Details = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

const FarmAdminTx = Type.Object(
  {
    createdOn: describe(Type.String({ format: 'date-time' }), 'Block time, UTC'),
    transactionSignature: Type.String({ description: 'Signature of the transaction, base58' }),
    instruction: Type.String({ description: 'Instruction of the farms program' }),
    farm: describe(AddressString, 'Address of the farm'),
    signer: describe(AddressString, 'Account that signed the instruction'),
    tokenAmount: describe(
      NullableDecimal,
      'Tokens that the instruction moved, or the reward that it assigned to a user, in whole tokens; null for other instructions, and if the decimals of the token are not known any more',
    ),
    usdAmount: describe(
      NullableDecimal,
      'Value of tokenAmount in USD at the time of the transaction; null without tokenAmount or a known price',
    ),
    token: describe(
      Type.Union([AddressString, Type.Null()]),
      'Mint of the reward or of the staked token; null for instructions without a token',
    ),
    rewardIndex: describe(
      NullableNumber,
      'Index of the reward in the farm; null if the instruction has no such argument',
    ),
    configMode: describe(
      NullableString,
      'Option that updateFarmConfig sets; null for other instructions and unknown options',
    ),
    details: describe(
      Details,
      'updateFarmConfig: mode, the number of the option, data, its argument bytes in base64, and value, what they mean: a number as a string, an address, or a schedule of rates with the time from which each applies; absent if they are not understood. rewardUserOnce: userState. initializeFarmDelegated: farmDelegate. updateSecondDelegatedAuthority: newSecondDelegatedAuthority. Null for other instructions',
    ),
  },
  { title: 'FarmAdminTx' },
);

export const FarmAdminTxPage = Type.Object({
  result: describe(Type.Array(FarmAdminTx), 'Instructions of this page'),
  paginationToken: NextPageToken,
});
