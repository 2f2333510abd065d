import { ADDRESS_BYTES, type Address } from '../../../base/encoding/address.ts';
import { slot } from '../../../base/encoding/branded-fields.ts';
import {
  array,
  type Decoded,
  type Elements,
  pubkey,
  struct,
  u8,
  u16,
  u32,
  type View,
} from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import { U64_MAX } from '../../../base/numbers/lamports.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import { toSlot } from '../../../base/time.ts';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '../programs.ts';

const head = struct({
  /** 1 for a table. */
  discriminator: u32,
  /** `IN_USE` until it is taken out of use. */
  deactivationSlot: slot,
  /** Addresses added in this slot, from `lastExtendedSlotStartIndex` on, serve from the next slot. */
  lastExtendedSlot: slot,
  lastExtendedSlotStartIndex: u8,
  /** 0 for a table that nobody can change; the key behind it then means nothing. */
  authorityTag: u8,
  authority: pubkey,
  padding: u16,
});

/** The largest number there is, in place of a slot. */
export const NOT_DEACTIVATED = toSlot(U64_MAX);

const NAME = 'alt.AddressLookupTable';
const TABLE = 1;
/** An index into a table is one byte. */
const MAX_ADDRESSES = 256;

export type AddressLookupTable = Decoded<typeof head> & { readonly addresses: readonly Address[] };

type AddressLookupTableView = {
  readonly head: View<typeof head>;
  readonly addresses: Elements<Address>;
};

export const addressLookupTable = {
  name: NAME,
  /** Without addresses. */
  size: head.size,
  offsets: head.offsets,
  matches: ({ owner, data }: RawAccount): boolean =>
    owner === ADDRESS_LOOKUP_TABLE_PROGRAM && sizeFits(data.length) && isTable(viewOf(data)),
  decode(account: RawAccount): AddressLookupTable {
    const source = open(account);
    return { ...head.decode(source, 0), addresses: addressesOf(source).decode(source, head.size) };
  },
  /** The bytes must not change while it is in use. */
  view(account: RawAccount): AddressLookupTableView {
    const source = open(account);
    return { head: head.view(source, 0), addresses: addressesOf(source).view(source, head.size) };
  },
  encode({ addresses, ...fields }: AddressLookupTable): Uint8Array {
    const data = new Uint8Array(head.size + addresses.length * ADDRESS_BYTES);
    const target = viewOf(data);
    head.encode(target, 0, fields);
    array(pubkey, addresses.length).encode(target, head.size, addresses);
    return data;
  },
};

function open({ owner, data }: RawAccount): DataView {
  if (owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) {
    throw new CodedError('ACCOUNT_WRONG_OWNER', { account: NAME, owner });
  }
  if (!sizeFits(data.length)) {
    const accepts = `${head.size} and ${ADDRESS_BYTES} for each of at most ${MAX_ADDRESSES} addresses`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account: NAME, size: data.length, accepts });
  }
  const source = viewOf(data);
  if (!isTable(source)) throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: NAME });
  const { authorityTag } = head.view(source, 0);
  if (authorityTag > 1) {
    const reason = `an optional field has the tag ${authorityTag}`;
    throw new CodedError('MALFORMED_DATA', { what: NAME, reason });
  }
  return source;
}

function sizeFits(size: number): boolean {
  const tail = size - head.size;
  return tail >= 0 && tail % ADDRESS_BYTES === 0 && tail / ADDRESS_BYTES <= MAX_ADDRESSES;
}

const isTable = (source: DataView): boolean => source.getUint32(0, true) === TABLE;

const addressesOf = (source: DataView) =>
  array(pubkey, (source.byteLength - head.size) / ADDRESS_BYTES);

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);
