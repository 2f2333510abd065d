import { type Address, pubkey } from '@tidegate/core/base';
import {
  confidentialTransferMint,
  decodeExtensions,
  type Extension,
  type Extensions,
  encodeExtensions,
  interestBearingConfig,
  metadataPointer,
  mintCloseAuthority,
  pausableConfig,
  permanentDelegate,
  scaledUiAmountConfig,
  transferFeeConfig,
  transferHook,
} from '@tidegate/core/protocol/spl/layout';

/** Of a mint: an extension, and where in it the key of somebody stands who may change it. */
type Place = { readonly kind: Extension['kind']; readonly offset: number };

/** Behind the number and the length of the extension. */
const BODY_AT = 4;

/** By the number of the authority. */
const PLACES: ReadonlyMap<number, Place> = new Map<number, Place>([
  [4, { kind: 'transferFeeConfig', offset: transferFeeConfig.offsets.transferFeeConfigAuthority }],
  [5, { kind: 'transferFeeConfig', offset: transferFeeConfig.offsets.withdrawWithheldAuthority }],
  [6, { kind: 'mintCloseAuthority', offset: mintCloseAuthority.offsets.closeAuthority }],
  [7, { kind: 'interestBearingConfig', offset: interestBearingConfig.offsets.rateAuthority }],
  [8, { kind: 'permanentDelegate', offset: permanentDelegate.offsets.delegate }],
  [9, { kind: 'confidentialTransferMint', offset: confidentialTransferMint.offsets.authority }],
  [10, { kind: 'transferHook', offset: transferHook.offsets.authority }],
  [12, { kind: 'metadataPointer', offset: metadataPointer.offsets.authority }],
  [15, { kind: 'scaledUiAmountConfig', offset: scaledUiAmountConfig.offsets.authority }],
  [16, { kind: 'pausableConfig', offset: pausableConfig.offsets.authority }],
]);

export const isExtensionAuthority = (type: number): boolean => PLACES.has(type);

/** Who holds an authority, and the extensions with somebody else in that place. */
export type ExtensionAuthority = { readonly holder: Address; with(next: Address): Extensions };

/** Undefined: the mint does not have the extension. */
export function findExtensionAuthority(
  extensions: Extensions | undefined,
  type: number,
): ExtensionAuthority | undefined {
  const place = PLACES.get(type);
  const index = extensions?.entries.findIndex(({ kind }) => kind === place?.kind) ?? -1;
  const entry = extensions?.entries[index];
  if (extensions === undefined || entry === undefined || place === undefined) return undefined;
  const bytes = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  const view = new DataView(bytes.buffer);
  return {
    holder: pubkey.decode(view, BODY_AT + place.offset),
    with(next) {
      pubkey.encode(view, BODY_AT + place.offset, next);
      const [changed = entry] = decodeExtensions(view, 0).entries;
      return { ...extensions, entries: extensions.entries.with(index, changed) };
    },
  };
}
