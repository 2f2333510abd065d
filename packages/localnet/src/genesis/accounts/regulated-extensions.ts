import {
  type Address,
  addressToBytes,
  bytesFromText,
  concatBytes,
  toLamports,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import type { Extension, Extensions } from '@tidegate/core/protocol/spl/layout';

const CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16;
const TOKEN_METADATA = 19;
/** An authority and three values that are zero without confidential transfers. */
const CONFIDENTIAL_TRANSFER_FEE_CONFIG_BYTES = 129;

type RegulatedToken = {
  readonly mint: Address;
  readonly authority: Address;
  readonly name: string;
  readonly symbol: string;
};

/** The extensions of a regulated stablecoin; none of them changes an amount. */
export function regulatedExtensions({ mint, authority, name, symbol }: RegulatedToken): Extensions {
  const noFee = { epoch: 0n, maximumFee: toLamports(0n), transferFeeBasisPoints: 0 };
  const entries: Extension[] = [
    { kind: 'mintCloseAuthority', value: { closeAuthority: authority } },
    { kind: 'permanentDelegate', value: { delegate: authority } },
    {
      kind: 'transferFeeConfig',
      value: {
        transferFeeConfigAuthority: authority,
        withdrawWithheldAuthority: authority,
        withheldAmount: toLamports(0n),
        olderTransferFee: noFee,
        newerTransferFee: noFee,
      },
    },
    {
      kind: 'confidentialTransferMint',
      value: { authority, autoApproveNewAccounts: 0, auditorElgamalPubkey: ZERO_ADDRESS },
    },
    {
      kind: 'other',
      type: CONFIDENTIAL_TRANSFER_FEE_CONFIG,
      data: paddedBytes(addressToBytes(authority), CONFIDENTIAL_TRANSFER_FEE_CONFIG_BYTES),
    },
    { kind: 'transferHook', value: { authority, programId: ZERO_ADDRESS } },
    { kind: 'metadataPointer', value: { authority, metadataAddress: mint } },
    {
      kind: 'other',
      type: TOKEN_METADATA,
      data: encodeMetadata({ mint, authority, name, symbol }),
    },
  ];
  return { entries, rest: new Uint8Array(0) };
}

/** Extensions that token accounts of such a mint must have. */
export const regulatedAccountExtensions: Extensions['entries'] = [
  { kind: 'transferFeeAmount', value: { withheldAmount: toLamports(0n) } },
  { kind: 'transferHookAccount', value: { transferring: 0 } },
];

/** Authority, mint, name, symbol, an empty URI and no additional fields. */
function encodeMetadata({ mint, authority, name, symbol }: RegulatedToken): Uint8Array {
  const texts = [name, symbol, ''].map(lengthPrefixed);
  return concatBytes([
    addressToBytes(authority),
    addressToBytes(mint),
    ...texts,
    new Uint8Array(4),
  ]);
}

function lengthPrefixed(text: string): Uint8Array {
  const content = bytesFromText(text);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, content.length, true);
  return concatBytes([length, content]);
}

function paddedBytes(start: Uint8Array, size: number): Uint8Array {
  const data = new Uint8Array(size);
  data.set(start);
  return data;
}
