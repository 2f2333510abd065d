import type { Address } from '../../../base/encoding/address.ts';
import type { Decoded, Shape, Struct, View } from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';
import { decodeExtensions, type Extensions, encodeExtensions } from './extensions.ts';

/** Mints are padded to the size of a token account when they have extensions. */
const TYPE_AT = 165;
const EXTENSIONS_AT = TYPE_AT + 1;
/** A multisig has this size and no type byte; nothing else ever has. */
const MULTISIG_SIZE = 355;

type TokenDataKind = {
  /** As errors name it. */
  readonly name: string;
  /** Without extensions. */
  readonly size: number;
  /** The byte that tells mints and token accounts apart where there are extensions. */
  readonly type: number;
};

/** A kind of account that both token programs keep, with extensions in Token-2022. */
export type TokenData<S extends Shape> = {
  readonly name: string;
  readonly size: number;
  readonly offsets: Struct<S>['offsets'];
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): WithExtensions<Decoded<Struct<S>>>;
  /** Without extensions; the bytes must not change while it is in use. */
  view(account: RawAccount): View<Struct<S>>;
  encode(value: WithExtensions<Decoded<Struct<S>>>): Uint8Array;
};

export type WithExtensions<Fields> = Fields & {
  /** Undefined for the short form, the only one that the Token program has. */
  readonly extensions: Extensions | undefined;
};

export type TokenDataDefinition<S extends Shape> = {
  readonly name: string;
  readonly type: number;
  readonly base: Struct<S>;
  /** Throws where the base is not of an account in use. */
  check(view: View<Struct<S>>): void;
};

export function tokenData<S extends Shape>(facts: TokenDataDefinition<S>): TokenData<S> {
  const { name, type, base } = facts;
  const kind = { name, type, size: base.size };

  function open(account: RawAccount): DataView {
    const source = openTokenData(kind, account);
    facts.check(base.view(source, 0));
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

/** Checks owner, size and type; what the bytes of the base say is left to the caller. */
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
    throw malformedTokenData(account, 'its type byte or padding is of another kind of account');
  }
  return new DataView(data.buffer, data.byteOffset, data.length);
}

function matchesTokenData(kind: TokenDataKind, { owner, data }: RawAccount): boolean {
  if (owner !== TOKEN_PROGRAM && owner !== TOKEN_2022_PROGRAM) return false;
  if (!sizeFits(kind, owner, data.length)) return false;
  return data.length === kind.size || isExtended(kind, data);
}

/** Undefined for data that ends with the base. */
function extensionsOfTokenData(kind: TokenDataKind, source: DataView): Extensions | undefined {
  return source.byteLength === kind.size ? undefined : decodeExtensions(source, EXTENSIONS_AT);
}

/** The base alone, or the base padded, its type byte and its extensions. */
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

/** The programs' optional values: a tag of 0 or 1 before a value that is there in either case. */
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
