import type { Address, ClusterAccount, RawAccount } from '@tidegate/core/base';
import type { InvokeContext } from './program.ts';

/** A kind of account, of whichever program. */
export type AccountCodec<Fields> = {
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Fields;
  encode(fields: Fields): Uint8Array;
  encodeChange?(
    bytesBefore: Uint8Array,
    change: { readonly before: Fields; readonly after: Fields },
  ): Uint8Array;
};

/** What bytes were decoded to. Bytes are never changed, only replaced, so it stays true. */
const known = new WeakMap<Uint8Array, unknown>();

/** The fields of an account, decoded once for the same bytes. Refused as decoding refuses. */
export function decodeCached<Fields>(kind: AccountCodec<Fields>, account: ClusterAccount): Fields {
  const seen = known.get(account.data);
  if (seen !== undefined && kind.matches(account)) return seen as Fields;
  const fields = kind.decode(account);
  known.set(account.data, fields);
  return fields;
}

export const readAccount = <Fields>(
  call: InvokeContext,
  kind: AccountCodec<Fields>,
  address: Address,
): Fields => decodeCached(kind, call.account(address));

export function writeAccount<Fields>(
  call: InvokeContext,
  kind: AccountCodec<Fields>,
  changed: { readonly address: Address; readonly fields: Fields },
): void {
  writeEncodedAccount(call, {
    ...changed,
    data: encoded(kind, call.account(changed.address), changed.fields),
  });
}

/** Where the fields of the account as it is are known, only what is other than those. */
function encoded<Fields>(
  kind: AccountCodec<Fields>,
  account: ClusterAccount,
  after: Fields,
): Uint8Array {
  const before = known.get(account.data);
  const isKnown = before !== undefined && kind.matches(account);
  if (!isKnown || kind.encodeChange === undefined) return kind.encode(after);
  return kind.encodeChange(account.data, { before: before as Fields, after });
}

/** The same for one who has the bytes of the fields already. */
export function writeEncodedAccount(
  call: InvokeContext,
  changed: { readonly address: Address; readonly fields: unknown; readonly data: Uint8Array },
): void {
  known.set(changed.data, changed.fields);
  call.change(changed.address, { data: changed.data });
}
