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

/** A mint extension, and the offset of the authority in it. */
type AuthorityOffset = { readonly kind: Extension['kind']; readonly offset: number };

/** After the type and length of the extension. */
const BODY_OFFSET = 4;

/** By authority type. */
const AUTHORITY_OFFSETS: ReadonlyMap<number, AuthorityOffset> = new Map<number, AuthorityOffset>([
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

export const isExtensionAuthority = (type: number): boolean => AUTHORITY_OFFSETS.has(type);

/** The current holder, and the extensions with another holder. */
export type ExtensionAuthority = { readonly holder: Address; with(next: Address): Extensions };

/** Undefined if the mint does not have the extension. */
export function findExtensionAuthority(
  extensions: Extensions | undefined,
  type: number,
): ExtensionAuthority | undefined {
  const location = AUTHORITY_OFFSETS.get(type);
  const index = extensions?.entries.findIndex(({ kind }) => kind === location?.kind) ?? -1;
  const entry = extensions?.entries[index];
  if (extensions === undefined || entry === undefined || location === undefined) return undefined;
  const bytes = encodeExtensions({ entries: [entry], rest: new Uint8Array() });
  const view = new DataView(bytes.buffer);
  return {
    holder: pubkey.decode(view, BODY_OFFSET + location.offset),
    with(next) {
      pubkey.encode(view, BODY_OFFSET + location.offset, next);
      const [changed = entry] = decodeExtensions(view, 0).entries;
      return { ...extensions, entries: extensions.entries.with(index, changed) };
    },
  };
}
