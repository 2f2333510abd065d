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
  readonly size: number;
  /** Offsets from the first byte of the account, for RPC filters. */
  readonly offsets: Struct<S>['offsets'];
  readonly discriminator: Uint8Array;
  readonly body: Struct<S>;
  /** Whether the owner, size and discriminator match. */
  matches(account: RawAccount): boolean;
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
  const body = struct(definition.fields);
  const size = HEADER + body.size;
  const discriminator = bytesFromHex(definition.discriminator);
  const firstWord = new DataView(discriminator.buffer).getBigUint64(0, true);
  const offsets = Object.fromEntries(
    Object.entries(body.offsets).map(([name, offset]) => [name, HEADER + offset]),
  ) as Struct<S>['offsets'];

  function open({ owner, data }: RawAccount): DataView {
    const { name } = definition;
    if (!definition.owners.includes(owner))
      throw new CodedError('ACCOUNT_WRONG_OWNER', { account: name, owner });
    if (data.length !== size) {
      throw new CodedError('ACCOUNT_WRONG_SIZE', {
        account: name,
        size: data.length,
        accepts: `${size}`,
      });
    }
    const source = new DataView(data.buffer, data.byteOffset, data.length);
    if (source.getBigUint64(0, true) !== firstWord) {
      throw new CodedError('ACCOUNT_WRONG_DISCRIMINATOR', { account: name });
    }
    if (definition.versions !== undefined) checkVersion(source, definition.versions);
    return source;
  }

  function checkVersion(source: DataView, versions: readonly bigint[]): void {
    const version = source.getBigUint64(offsets['version'] ?? HEADER, true);
    if (versions.includes(version)) return;
    throw new CodedError('ACCOUNT_UNKNOWN_VERSION', { account: definition.name, version });
  }

  return {
    name: definition.name,
    size,
    offsets,
    discriminator,
    body,
    matches: ({ owner, data }) =>
      definition.owners.includes(owner) &&
      data.length === size &&
      discriminator.every((byte, i) => byte === data[i]),
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
