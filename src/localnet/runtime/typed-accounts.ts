import type { RawAccount } from '../../base/account.ts';
import type { Address } from '../../base/address.ts';
import type { ClusterAccount } from '../../chain/source.ts';
import type { Call } from './program.ts';

/** A kind of account, of whichever program. */
export type Kind<Fields> = {
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Fields;
  encode(fields: Fields): Uint8Array;
};

/** What bytes were decoded to. Bytes are never changed, only replaced, so it stays true. */
const known = new WeakMap<Uint8Array, unknown>();

/** The fields of an account, decoded once for the same bytes. Refused as decoding refuses. */
export function decoded<Fields>(kind: Kind<Fields>, account: ClusterAccount): Fields {
  const seen = known.get(account.data);
  if (seen !== undefined && kind.matches(account)) return seen as Fields;
  const fields = kind.decode(account);
  known.set(account.data, fields);
  return fields;
}

export const readFields = <Fields>(call: Call, kind: Kind<Fields>, address: Address): Fields =>
  decoded(kind, call.account(address));

export function writeFields<Fields>(
  call: Call,
  kind: Kind<Fields>,
  changed: { readonly address: Address; readonly fields: Fields },
): void {
  writeEncoded(call, { ...changed, data: kind.encode(changed.fields) });
}

/** The same for one who has the bytes of the fields already. */
export function writeEncoded(
  call: Call,
  changed: { readonly address: Address; readonly fields: unknown; readonly data: Uint8Array },
): void {
  known.set(changed.data, changed.fields);
  call.change(changed.address, { data: changed.data });
}
