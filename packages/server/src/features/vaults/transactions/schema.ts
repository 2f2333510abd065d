import { Type } from 'typebox';
import { AddressText, DecimalText, IsoInstant } from '../../../http/schemas/primitives.ts';

const YES = ['1', 'true', 'yes', 'on', 'y', 'enabled'];
const NO = ['0', 'false', 'no', 'off', 'n', 'disabled'];

/** A yes or no in one of the forms that callers write it in. */
export const FlagText = Type.Unsafe<string>({
  type: 'string',
  enum: [...YES, ...NO],
  default: 'false',
});

export const isYes = (text: string | undefined): boolean => YES.includes(text ?? 'false');

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
    tokenMint: AddressText,
    tokenAmount: DecimalText,
    tokenPrice: DecimalText,
    solPrice: DecimalText,
    sharePrice: DecimalText,
    numberOfShares: DecimalText,
    usdValue: DecimalText,
    transaction: SignatureText,
    kvault: AddressText,
    latestPosition: Type.Boolean(),
  },
  { title: 'VaultTransaction' },
);

const amounts = {
  solPrice: DecimalText,
  sharePrice: DecimalText,
  tokenPrice: DecimalText,
  tokenAmount: DecimalText,
  numberOfShares: DecimalText,
};

const happened = { timestamp: IsoInstant, signature: Type.String() };

const VaultTx = Type.Object(
  {
    ix: Type.Object(
      { market: Type.Optional(AddressText), reserve: Type.Optional(AddressText), ...amounts },
      { title: 'VaultTxDetail' },
    ),
    ...happened,
    kvault: AddressText,
    wallet: AddressText,
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
    kvault: AddressText,
    wallet: AddressText,
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
  includeRawJson: Type.Optional(FlagText),
});

const farmAmounts = {
  createdOn: Type.String({ format: 'date-time' }),
  transactionSignature: Type.String(),
  instruction: Type.String(),
  tokenAmount: DecimalText,
  usdAmount: DecimalText,
};

const FarmTx = Type.Object(farmAmounts, { title: 'FarmTx' });

const UserFarmTx = Type.Object(
  { ...farmAmounts, farm: AddressText, token: AddressText },
  { title: 'UserFarmTx' },
);

export const FarmTxPage = Type.Object({ result: Type.Array(FarmTx), paginationToken });

export const UserFarmTxPage = Type.Object({ result: Type.Array(UserFarmTx), paginationToken });
