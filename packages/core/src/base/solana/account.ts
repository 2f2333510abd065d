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

/** What a cluster says of an account, as far as its meaning goes. */
export type RawAccount = { readonly owner: Address; readonly data: Uint8Array };

/** One kind of account of one program: how it is recognised, read and written. */
export type AccountCodec<S extends Shape> = {
  /** `program.Type`, as errors name it. */
  readonly name: string;
  readonly size: number;
  /** From the first byte of the account, for filters of an RPC node. */
  readonly offsets: Struct<S>['offsets'];
  readonly discriminator: Uint8Array;
  readonly body: Struct<S>;
  /** Whether owner, size and first bytes are of this kind. */
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Decoded<Struct<S>>;
  /** Single fields, read from the bytes when asked; the bytes must not change while it is in use. */
  view(account: RawAccount): View<Struct<S>>;
  encode(value: Decoded<Struct<S>>): Uint8Array;
  /** The same as encoding what is after, with the bytes of what was before: it takes as long as there is change. */
  encodeChange(bytesBefore: Uint8Array, change: ValueChange<Decoded<Struct<S>>>): Uint8Array;
};

export type AccountDefinition<S extends Shape> = {
  readonly name: string;
  readonly owners: readonly Address[];
  /** Eight bytes in hex. */
  readonly discriminator: string;
  /** Known versions, where the account has a `version` field; any other is refused. */
  readonly versions?: readonly bigint[];
  readonly fields: S;
};

const HEADER = 8;

export function account<const S extends Shape>(facts: AccountDefinition<S>): AccountCodec<S> {
  const body = struct(facts.fields);
  const size = HEADER + body.size;
  const discriminator = bytesFromHex(facts.discriminator);
  const firstWord = new DataView(discriminator.buffer).getBigUint64(0, true);
  const offsets = Object.fromEntries(
    Object.entries(body.offsets).map(([name, offset]) => [name, HEADER + offset]),
  ) as Struct<S>['offsets'];

  function open({ owner, data }: RawAccount): DataView {
    const { name } = facts;
    if (!facts.owners.includes(owner))
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
    if (facts.versions !== undefined) checkVersion(source, facts.versions);
    return source;
  }

  function checkVersion(source: DataView, versions: readonly bigint[]): void {
    const version = source.getBigUint64(offsets['version'] ?? HEADER, true);
    if (versions.includes(version)) return;
    throw new CodedError('ACCOUNT_UNKNOWN_VERSION', { account: facts.name, version });
  }

  return {
    name: facts.name,
    size,
    offsets,
    discriminator,
    body,
    matches: ({ owner, data }) =>
      facts.owners.includes(owner) &&
      data.length === size &&
      discriminator.every((byte, i) => byte === data[i]),
    decode(raw) {
      open(raw);
      const own = raw.data.slice();
      return body.share(new DataView(own.buffer, own.byteOffset, own.length), HEADER);
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
