import { lamports } from '../../../base/encoding/branded-fields.ts';
import { concatBytes } from '../../../base/encoding/bytes.ts';
import {
  bytes,
  type Field,
  i16,
  i64,
  pubkey,
  struct,
  u8,
  u16,
  u64,
} from '../../../base/encoding/layout.ts';
import { CodedError } from '../../../base/errors.ts';

/** Applies from the start of `epoch`. */
const transferFee = struct({
  epoch: u64,
  maximumFee: lamports,
  transferFeeBasisPoints: u16,
});

/** In extensions the zero address means none. */
export const transferFeeConfig = struct({
  transferFeeConfigAuthority: pubkey,
  withdrawWithheldAuthority: pubkey,
  withheldAmount: lamports,
  olderTransferFee: transferFee,
  newerTransferFee: transferFee,
});

/** On a token account: fees withheld from received transfers. Not part of its amount. */
export const transferFeeAmount = struct({ withheldAmount: lamports });

export const mintCloseAuthority = struct({ closeAuthority: pubkey });

export const confidentialTransferMint = struct({
  authority: pubkey,
  autoApproveNewAccounts: u8,
  auditorElgamalPubkey: pubkey,
});

/** The initial state of token accounts: 1 is initialized, 2 is frozen. */
export const defaultAccountState = struct({ state: u8 });

/** Changes only the displayed amount. Rates are in basis points per year. */
export const interestBearingConfig = struct({
  rateAuthority: pubkey,
  initializationTimestamp: i64,
  preUpdateAverageRate: i16,
  lastUpdateTimestamp: i64,
  currentRate: i16,
});

export const permanentDelegate = struct({ delegate: pubkey });

export const transferHook = struct({ authority: pubkey, programId: pubkey });

/** On a token account: 1 while a transfer hook runs. */
export const transferHookAccount = struct({ transferring: u8 });

export const metadataPointer = struct({ authority: pubkey, metadataAddress: pubkey });

/** Multipliers are the bits of a double. `scaledUiMultiplierAt` returns the exact value. */
export const scaledUiAmountConfig = struct({
  authority: pubkey,
  multiplier: u64,
  newMultiplierEffectiveTimestamp: i64,
  newMultiplier: u64,
});

export const pausableConfig = struct({ authority: pubkey, paused: u8 });

/** Extensions without data. */
export const emptyExtension = struct({});

const codecs = [
  known('transferFeeConfig', 1, transferFeeConfig),
  known('transferFeeAmount', 2, transferFeeAmount),
  known('mintCloseAuthority', 3, mintCloseAuthority),
  known('confidentialTransferMint', 4, confidentialTransferMint),
  known('defaultAccountState', 6, defaultAccountState),
  known('immutableOwner', 7, emptyExtension),
  known('nonTransferable', 9, emptyExtension),
  known('interestBearingConfig', 10, interestBearingConfig),
  known('permanentDelegate', 12, permanentDelegate),
  known('nonTransferableAccount', 13, emptyExtension),
  known('transferHook', 14, transferHook),
  known('transferHookAccount', 15, transferHookAccount),
  known('metadataPointer', 18, metadataPointer),
  known('scaledUiAmountConfig', 25, scaledUiAmountConfig),
  known('pausableConfig', 26, pausableConfig),
  known('pausableAccount', 27, emptyExtension),
];

type KnownExtension = ReturnType<(typeof codecs)[number]['decode']>;

/** An extension that is not decoded. Its bytes are preserved. */
type OtherExtension = { readonly kind: 'other'; readonly type: number; readonly data: Uint8Array };

export type Extension = KnownExtension | OtherExtension;

export type Extensions = {
  readonly entries: readonly Extension[];
  /** The reserved bytes after the last entry. */
  readonly rest: Uint8Array;
};

const codecByType = new Map(codecs.map((codec) => [codec.type, codec]));
const codecByKind = new Map<string, { type: number; body: Field<unknown> }>(
  codecs.map((codec) => [codec.kind, codec]),
);

/** Decodes entries of type (u16), length (u16) and value, up to the end or to a type of zero. */
export function decodeExtensions(source: DataView, start: number): Extensions {
  const entries: Extension[] = [];
  let at = start;
  while (at + 2 <= source.byteLength) {
    const type = source.getUint16(at, true);
    if (type === 0) break;
    if (at + 4 > source.byteLength) throw malformed('its length is missing');
    const size = source.getUint16(at + 2, true);
    if (at + 4 + size > source.byteLength) throw malformed(`type ${type} is truncated`);
    entries.push(decodeEntry(source, at + 4, { type, size }));
    at += 4 + size;
  }
  return { entries, rest: bytes(source.byteLength - at).decode(source, at) };
}

export function encodeExtensions({ entries, rest }: Extensions): Uint8Array {
  return concatBytes([...entries.map(encodeEntry), rest]);
}

/** Returns the extension of a kind, if present. */
export function findExtension<Kind extends KnownExtension['kind']>(
  extensions: Extensions | undefined,
  kind: Kind,
): Extract<KnownExtension, { kind: Kind }> | undefined {
  return extensions?.entries.find(
    (entry): entry is Extract<KnownExtension, { kind: Kind }> => entry.kind === kind,
  );
}

function decodeEntry(
  source: DataView,
  offset: number,
  { type, size }: { readonly type: number; readonly size: number },
): Extension {
  const codec = codecByType.get(type);
  if (codec === undefined) return { kind: 'other', type, data: bytes(size).decode(source, offset) };
  if (size !== codec.body.size) {
    throw malformed(`${codec.kind} has ${size} bytes instead of ${codec.body.size}`);
  }
  return codec.decode(source, offset);
}

function encodeEntry(entry: Extension): Uint8Array {
  const { type, body, value } =
    entry.kind === 'other'
      ? { type: entry.type, body: bytes(entry.data.length), value: entry.data }
      : { ...codecOf(entry.kind), value: entry.value };
  const data = new Uint8Array(4 + body.size);
  const target = new DataView(data.buffer);
  target.setUint16(0, type, true);
  target.setUint16(2, body.size, true);
  body.encode(target, 4, value);
  return data;
}

function codecOf(kind: string): { type: number; body: Field<unknown> } {
  const codec = codecByKind.get(kind);
  if (codec === undefined) throw malformed(`${kind} is not an extension`);
  return codec;
}

function known<const Kind extends string, Value>(kind: Kind, type: number, body: Field<Value>) {
  return {
    kind,
    type,
    body,
    decode: (source: DataView, offset: number) => ({ kind, value: body.decode(source, offset) }),
  };
}

function malformed(reason: string): CodedError {
  return new CodedError('MALFORMED_DATA', { what: 'token extension', reason });
}
