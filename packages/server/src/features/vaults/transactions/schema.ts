import { Type } from 'typebox';
import { AddressString, DecimalString, IsoInstant } from '../../../http/schemas/primitives.ts';

const YES = ['1', 'true', 'yes', 'on', 'y', 'enabled'];
const NO = ['0', 'false', 'no', 'off', 'n', 'disabled'];

/** A yes or no in one of the forms that callers write it in. */
export const FlagString = Type.Unsafe<string>({
  type: 'string',
  enum: [...YES, ...NO],
  default: 'false',
});

export const parseFlag = (text: string | undefined): boolean => YES.includes(text ?? 'false');

const SignatureText = Type.String({
  title: 'TxSignature',
  minLength: 64,
  maxLength: 88,
  pattern: '^[1-9A-HJ-NP-Za-km-z]{64,88}$',
});

export const VaultTransaction = Type.Object(
  {
    createdOn: IsoInstant,
    instruction: Type.String(),
    tokenMint: AddressString,
    tokenAmount: DecimalString,
    tokenPrice: DecimalString,
    solPrice: DecimalString,
    sharePrice: DecimalString,
    numberOfShares: DecimalString,
    usdValue: DecimalString,
    transaction: SignatureText,
    kvault: AddressString,
    latestPosition: Type.Boolean(),
  },
  { title: 'VaultTransaction' },
);

const amounts = {
  solPrice: DecimalString,
  sharePrice: DecimalString,
  tokenPrice: DecimalString,
  tokenAmount: DecimalString,
  numberOfShares: DecimalString,
};

const happened = { timestamp: IsoInstant, signature: Type.String() };

const VaultTx = Type.Object(
  {
    ix: Type.Object(
      { market: Type.Optional(AddressString), reserve: Type.Optional(AddressString), ...amounts },
      { title: 'VaultTxDetail' },
    ),
    ...happened,
    kvault: AddressString,
    wallet: AddressString,
  },
  { title: 'VaultTx' },
);

const BulkVaultTx = Type.Object(
  {
    ix: Type.Object(
      { market: Type.Optional(Type.String()), reserve: Type.Optional(Type.String()), ...amounts },
      { title: 'VaultTxInstruction' },
    ),
    ...happened,
    kvault: AddressString,
    wallet: AddressString,
    rawJson: Type.Optional(Type.String()),
  },
  { title: 'BulkVaultTx' },
);

const paginationToken = Type.Optional(Type.String());

export const VaultTxPage = Type.Object(
  { result: Type.Array(VaultTx), paginationToken },
  { title: 'VaultTxPage' },
);

export const BulkVaultTxPage = Type.Object({ result: Type.Array(BulkVaultTx), paginationToken });

const instant = { anyOf: [{ type: 'string' }, { type: 'number' }] };

const asked = {
  start: Type.Optional(Type.Unsafe<string | number>(instant)),
  end: Type.Optional(Type.Unsafe<string | number>(instant)),
  instruction: Type.String(),
  paginationToken,
};

export const BulkVaultTxRequest = Type.Object(asked);

export const VaultTxRequest = Type.Object({
  ...asked,
  instruction: Type.Optional(asked.instruction),
  direction: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
  ),
});

export const BulkVaultTxQuery = Type.Object({
  programId: Type.Optional(Type.String({ default: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd' })),
  includeRawJson: Type.Optional(FlagString),
});

const farmAmounts = {
  createdOn: Type.String({ format: 'date-time' }),
  transactionSignature: Type.String(),
  instruction: Type.String(),
  tokenAmount: DecimalString,
  usdAmount: DecimalString,
};

const FarmTx = Type.Object(farmAmounts, { title: 'FarmTx' });

const UserFarmTx = Type.Object(
  { ...farmAmounts, farm: AddressString, token: AddressString },
  { title: 'UserFarmTx' },
);

export const FarmTxPage = Type.Object({ result: Type.Array(FarmTx), paginationToken });

export const UserFarmTxPage = Type.Object({ result: Type.Array(UserFarmTx), paginationToken });
