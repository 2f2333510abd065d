import type { Address } from '../../../base/encoding/address.ts';
import type { Decoded, Shape, Struct, View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { decodeExtensions, type Extensions, encodeExtensions } from './extensions.ts';

/** A mint with extensions is padded to the size of a token account. */
const TYPE_AT = 165;
const EXTENSIONS_AT = TYPE_AT + 1;
/** Only a multisig has this size. It has no type byte. */
const MULTISIG_SIZE = 355;

type TokenDataKind = {
  /** For error messages. */
  readonly name: string;
  /** The size without extensions. */
  readonly size: number;
  /** The account type byte before the extensions. */
  readonly type: number;
};

/** An account type of both token programs, with extensions in Token-2022. */
export type TokenData<S extends Shape> = {
  readonly name: string;
  readonly size: number;
  readonly offsets: Struct<S>['offsets'];
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): WithExtensions<Decoded<Struct<S>>>;
  /** Views the base without extensions. Do not change the bytes while the view is in use. */
  view(account: RawAccount): View<Struct<S>>;
  encode(value: WithExtensions<Decoded<Struct<S>>>): Uint8Array;
};

export type WithExtensions<Fields> = Fields & {
  /** Undefined without extensions, as always in the Token program. */
  readonly extensions: Extensions | undefined;
};

export type TokenDataDefinition<S extends Shape> = {
  readonly name: string;
  readonly type: number;
  readonly base: Struct<S>;
  /** Throws if the base is not initialized. */
  check(view: View<Struct<S>>): void;
};

export function tokenData<S extends Shape>(definition: TokenDataDefinition<S>): TokenData<S> {
  const { name, type, base } = definition;
  const kind = { name, type, size: base.size };

  function open(account: RawAccount): DataView {
    const source = openTokenData(kind, account);
    definition.check(base.view(source, 0));
    return source;
  }

  return {
    name,
    size: base.size,
    offsets: base.offsets,
    matches: (account) => matchesTokenData(kind, account),
    decode(account) {
      const source = open(account);
      return { ...base.decode(source, 0), extensions: extensionsOfTokenData(kind, source) };
    },
    view: (account) => base.view(open(account), 0),
    encode(value) {
      const data = new Uint8Array(base.size);
      base.encode(new DataView(data.buffer), 0, value);
      return joinTokenData(kind, data, value.extensions);
    },
  };
}

/** Checks the owner, size and type, but not the fields of the base. */
function openTokenData(kind: TokenDataKind, { owner, data }: RawAccount): DataView {
  const account = kind.name;
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) {
    throw new CodedError('ACCOUNT_WRONG_OWNER', { account, owner });
  }
  if (!sizeFits(kind, owner, data.length)) {
    const accepts = `${kind.size}, or more than ${TYPE_AT} in Token-2022`;
    throw new CodedError('ACCOUNT_WRONG_SIZE', { account, size: data.length, accepts });
  }
  if (data.length !== kind.size && !isExtended(kind, data)) {
    throw malformedTokenData(account, 'its type byte or padding belongs to another account type');
  }
  return new DataView(data.buffer, data.byteOffset, data.length);
}

function matchesTokenData(kind: TokenDataKind, { owner, data }: RawAccount): boolean {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return false;
  if (!sizeFits(kind, owner, data.length)) return false;
  return data.length === kind.size || isExtended(kind, data);
}

/** Returns undefined if the data ends with the base. */
function extensionsOfTokenData(kind: TokenDataKind, source: DataView): Extensions | undefined {
  return source.byteLength === kind.size ? undefined : decodeExtensions(source, EXTENSIONS_AT);
}

/** Encodes the base alone, or the padded base, the type byte and the extensions. */
function joinTokenData(
  kind: TokenDataKind,
  base: Uint8Array,
  extensions: Extensions | undefined,
): Uint8Array {
  if (extensions === undefined) return base;
  const tail = encodeExtensions(extensions);
  const data = new Uint8Array(EXTENSIONS_AT + tail.length);
  data.set(base);
  data[TYPE_AT] = kind.type;
  data.set(tail, EXTENSIONS_AT);
  return data;
}

/** Checks the tags of optional values, which must be 0 or 1. */
export function checkTags(name: string, tags: readonly number[]): void {
  const wrong = tags.find((tag) => tag > 1);
  if (wrong !== undefined) throw malformedTokenData(name, `an optional field has the tag ${wrong}`);
}

export function malformedTokenData(name: string, reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: name, reason });
}

function sizeFits(kind: TokenDataKind, owner: Address, size: number): boolean {
  if (size === kind.size) return true;
  return owner === TOKEN_2022_PROGRAM && size > TYPE_AT && size !== MULTISIG_SIZE;
}

function isExtended(kind: TokenDataKind, data: Uint8Array): boolean {
  if (data[TYPE_AT] !== kind.type) return false;
  return data.subarray(kind.size, TYPE_AT).every((byte) => byte === 0);
}
