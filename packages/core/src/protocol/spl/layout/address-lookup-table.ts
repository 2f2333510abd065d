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

const header = struct({
  /** 1 is a lookup table. */
  discriminator: u32,
  /** `NOT_DEACTIVATED` while the table is active. */
  deactivationSlot: slot,
  /** Addresses from `lastExtendedSlotStartIndex` on were added in this slot and are usable from the next. */
  lastExtendedSlot: slot,
  lastExtendedSlotStartIndex: u8,
  /** 0 for a frozen table. The following key is then meaningless. */
  authorityTag: u8,
  authority: pubkey,
  padding: u16,
});

/** The maximum of 64 bits instead of a slot. */
export const NOT_DEACTIVATED = toSlot(U64_MAX);

const NAME = 'alt.AddressLookupTable';
const TABLE = 1;
/** An index into a table is one byte. */
const MAX_ADDRESSES = 256;

export type AddressLookupTable = Decoded<typeof header> & {
  readonly addresses: readonly Address[];
};

type AddressLookupTableView = {
  readonly head: View<typeof header>;
  readonly addresses: Elements<Address>;
};

export const addressLookupTable = {
  name: NAME,
  /** The size without addresses. */
  size: header.size,
  offsets: header.offsets,
  matches: ({ owner, data }: RawAccount): boolean =>
    owner === ADDRESS_LOOKUP_TABLE_PROGRAM && sizeFits(data.length) && isTable(viewOf(data)),
  decode(account: RawAccount): AddressLookupTable {
    const source = open(account);
    return {
      ...header.decode(source, 0),
      addresses: addressesOf(source).decode(source, header.size),
    };
  },
  /** Do not change the bytes while the view is in use. */
  view(account: RawAccount): AddressLookupTableView {
    const source = open(account);
    return {
      head: header.view(source, 0),
      addresses: addressesOf(source).view(source, header.size),
    };
  },
  encode({ addresses, ...fields }: AddressLookupTable): Uint8Array {
    const data = new Uint8Array(header.size + addresses.length * ADDRESS_BYTES);
    const target = viewOf(data);
    header.encode(target, 0, fields);
    array(pubkey, addresses.length).encode(target, header.size, addresses);
    return data;
  },
};

function open({ owner, data }: RawAccount): DataView {
  if (owner !== ADDRESS_LOOKUP_TABLE_PROGRAM) {
    throw new CodedError('ACCOUNT_WRONG_OWNER', { account: NAME, owner });
  }
  if (!sizeFits(data.length)) {
    const accepts = `${header.size} and ${ADDRESS_BYTES} for each of at most ${MAX_ADDRESSES} addresses`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account: NAME, size: data.length, accepts });
  }
  const source = viewOf(data);
  if (!isTable(source)) throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: NAME });
  const { authorityTag } = header.view(source, 0);
  if (authorityTag > 1) {
    const reason = `an optional field has the tag ${authorityTag}`;
    throw new CodedError('MALFORMED_DATA', { what: NAME, reason });
  }
  return source;
}

function sizeFits(size: number): boolean {
  const addressBytes = size - header.size;
  return (
    addressBytes >= 0 &&
    addressBytes % ADDRESS_BYTES === 0 &&
    addressBytes / ADDRESS_BYTES <= MAX_ADDRESSES
  );
}

const isTable = (source: DataView): boolean => source.getUint32(0, true) === TABLE;

const addressesOf = (source: DataView) =>
  array(pubkey, (source.byteLength - header.size) / ADDRESS_BYTES);

const viewOf = (data: Uint8Array): DataView =>
  new DataView(data.buffer, data.byteOffset, data.length);
