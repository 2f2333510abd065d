import type { Address, ClusterAccount, RawAccount } from '@tidegate/core/base';
import type { InvokeContext } from './program.ts';

/** Codec of one account type. */
export type AccountCodec<Fields> = {
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Fields;
  encode(fields: Fields): Uint8Array;
  encodeChange?(
    bytesBefore: Uint8Array,
    change: { readonly before: Fields; readonly after: Fields },
  ): Uint8Array;
};

/** Decoded fields by data. Data is replaced and never modified, so entries stay valid. */
const decodedFields = new WeakMap<Uint8Array, unknown>();

/** Decodes each data array once. Throws as the codec does. */
export function decodeCached<Fields>(codec: AccountCodec<Fields>, account: ClusterAccount): Fields {
  const cachedFields = decodedFields.get(account.data);
  if (cachedFields !== undefined && codec.matches(account)) return cachedFields as Fields;
  const fields = codec.decode(account);
  decodedFields.set(account.data, fields);
  return fields;
}

export const readAccount = <Fields>(
  call: InvokeContext,
  codec: AccountCodec<Fields>,
  address: Address,
): Fields => decodeCached(codec, call.account(address));

export function writeAccount<Fields>(
  call: InvokeContext,
  codec: AccountCodec<Fields>,
  change: { readonly address: Address; readonly fields: Fields },
): void {
  writeEncodedAccount(call, {
    ...change,
    data: encodeFields(codec, call.account(change.address), change.fields),
  });
}

/** Re-encodes only the changed fields if the current ones are cached. */
function encodeFields<Fields>(
  codec: AccountCodec<Fields>,
  account: ClusterAccount,
  after: Fields,
): Uint8Array {
  const before = decodedFields.get(account.data);
  const isCached = before !== undefined && codec.matches(account);
  if (!isCached || codec.encodeChange === undefined) return codec.encode(after);
  return codec.encodeChange(account.data, { before: before as Fields, after });
}

/** Like `writeAccount`, for a caller that has already encoded the fields. */
export function writeEncodedAccount(
  call: InvokeContext,
  change: { readonly address: Address; readonly fields: unknown; readonly data: Uint8Array },
): void {
  decodedFields.set(change.data, change.fields);
  call.updateAccount(change.address, { data: change.data });
}
