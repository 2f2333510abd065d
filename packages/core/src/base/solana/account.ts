import type { Address } from '../encoding/address.ts';
import { bytesFromHex } from '../encoding/bytes.ts';
import {
  type Decoded,
  type Shape,
  type Struct,
  struct,
  type ValueChange,
  type View,
} from '../encoding/layout.ts';
import { CodedError } from '../errors.ts';

/** The owner and data of an account. */
export type RawAccount = { readonly owner: Address; readonly data: Uint8Array };

/** Matches, decodes and encodes one account type of a program. */
export type AccountCodec<S extends Shape> = {
  /** `program.Type`, for error messages. */
  readonly name: string;
  /** The known size. A program upgrade can append fields, so a longer account is read up to here. */
  readonly size: number;
  /** Offsets from the first byte of the account, for RPC filters. */
  readonly offsets: Struct<S>['offsets'];
  readonly discriminator: Uint8Array;
  readonly body: Struct<S>;
  /** Whether the owner and discriminator match, and the account has at least the known size. */
  matches(account: RawAccount): boolean;
  /** The `version` field; undefined if the type has none, or the account is too short. */
  versionOf(data: Uint8Array): bigint | undefined;
  decode(account: RawAccount): Decoded<Struct<S>>;
  /** Reads fields on access. Do not change the bytes while the view is in use. */
  view(account: RawAccount): View<Struct<S>>;
  encode(value: Decoded<Struct<S>>): Uint8Array;
  /** Same result as `encode(change.after)`, but encodes only what differs from `bytesBefore`. */
  encodeChange(bytesBefore: Uint8Array, change: ValueChange<Decoded<Struct<S>>>): Uint8Array;
};

export type AccountDefinition<S extends Shape> = {
  readonly name: string;
  readonly owners: readonly Address[];
  /** Eight bytes in hex. */
  readonly discriminator: string;
  /** Supported values of the `version` field. Every other version is rejected. */
  readonly versions?: readonly bigint[];
  readonly fields: S;
};

const HEADER = 8;

export function account<const S extends Shape>(definition: AccountDefinition<S>): AccountCodec<S> {
  const { name, owners, versions } = definition;
  const body = struct(definition.fields);
  const size = HEADER + body.size;
  const discriminator = bytesFromHex(definition.discriminator);
  const offsets = Object.fromEntries(
    Object.entries(body.offsets).map(([field, offset]) => [field, HEADER + offset]),
  ) as Struct<S>['offsets'];
  const versionAt = offsets['version'] ?? HEADER;
  const open = createOpener({ name, owners, versions, size, discriminator, versionAt });

  return {
    name,
    size,
    offsets,
    discriminator,
    body,
    matches: ({ owner, data }) =>
      owners.includes(owner) &&
      data.length >= size &&
      discriminator.every((byte, i) => byte === data[i]),
    versionOf: (data) =>
      versions === undefined || data.length < size
        ? undefined
        : new DataView(data.buffer, data.byteOffset).getBigUint64(versionAt, true),
    decode(raw) {
      open(raw);
      const copy = raw.data.slice();
      return body.decodeShared(new DataView(copy.buffer, copy.byteOffset, copy.length), HEADER);
    },
    view: (raw) => body.view(open(raw), HEADER),
    encode(value) {
      const data = new Uint8Array(size);
      data.set(discriminator);
      body.encode(new DataView(data.buffer), HEADER, value);
      return data;
    },
    encodeChange(bytesBefore, change) {
      const data = bytesBefore.slice();
      body.patch(new DataView(data.buffer), HEADER, change);
      return data;
    },
  };
}

type OpenerOptions = {
  readonly name: string;
  readonly owners: readonly Address[];
  readonly versions: readonly bigint[] | undefined;
  readonly size: number;
  readonly discriminator: Uint8Array;
  readonly versionAt: number;
};

/** Checks an account before its fields are read. */
function createOpener(options: OpenerOptions): (account: RawAccount) => DataView {
  const { name, owners, versions, size, discriminator, versionAt } = options;
  const firstWord = new DataView(discriminator.buffer).getBigUint64(0, true);
  return ({ owner, data }) => {
    if (!owners.includes(owner)) {
      throw new CodedError('ACCOUNT_WRONG_OWNER', { account: name, owner });
    }
    if (data.length < size) {
      const accepts = `at least ${size}`;
      throw new CodedError('ACCOUNT_WRONG_SIZE', { account: name, size: data.length, accepts });
    }
    const source = new DataView(data.buffer, data.byteOffset, data.length);
    if (source.getBigUint64(0, true) !== firstWord) {
      throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: name });
    }
    if (versions !== undefined) {
      const version = source.getBigUint64(versionAt, true);
      if (!versions.includes(version)) {
        throw new CodedError('ACCOUNT_UNKNOWN_VERSION', { account: name, version });
      }
    }
    return source;
  };
}
