import { addressFromBytes } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { encodeZstdFrame } from '#localnet/rpc/encoding/zstd-frame.ts';

const PER_PIECE = 1_000;

type ListedAccounts = {
  /** As many accounts as asked for, which may be overwritten. */
  readonly generate: (count: number) => readonly RawAccount[];
  readonly count: number;
  /** Lists with different seeds have different addresses. */
  readonly seed: number;
  /** Where the accounts have addresses that differ between any two of them. */
  readonly keyOffsets: readonly number[];
};

/** Some accounts, as text with a comma behind each. */
export type AccountsPiece = { readonly full: Buffer; readonly addressesOnly: Buffer };

/** Accounts as a node lists them, with compressed data (`base64+zstd`) and without data (`base64`). */
export function listAccounts(list: ListedAccounts): AccountsPiece[] {
  const { generate, count, seed, keyOffsets } = list;
  const random = mixed(seed);
  const pieces: AccountsPiece[] = [];
  for (let start = 0; start < count; start += PER_PIECE) {
    const accounts = generate(Math.min(PER_PIECE, count - start)).map(({ owner, data }) => {
      for (const offset of keyOffsets) data.set(random(32), offset);
      const pubkey = addressFromBytes(random(32));
      const rest = `"executable":false,"lamports":1,"owner":"${owner}","rentEpoch":0,"space":${data.length}`;
      const packed = Buffer.from(encodeZstdFrame(data)).toString('base64');
      return {
        full: `{"pubkey":"${pubkey}","account":{"data":["${packed}","base64+zstd"],${rest}}},`,
        addressesOnly: `{"pubkey":"${pubkey}","account":{"data":["","base64"],${rest}}},`,
      };
    });
    pieces.push({
      full: Buffer.from(accounts.map(({ full }) => full).join('')),
      addressesOnly: Buffer.from(accounts.map(({ addressesOnly }) => addressesOnly).join('')),
    });
  }
  return pieces;
}

/** Bytes that are all different, the same in every run. */
function mixed(seed: number): (size: number) => Uint8Array {
  let state = seed;
  return (size) =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state >>> 24;
    });
}
