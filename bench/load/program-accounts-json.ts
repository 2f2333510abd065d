import { addressFromBytes } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { encodeZstdFrame } from '#localnet/rpc/encoding/zstd-frame.ts';
import { generateObligations } from '../generated/generated-obligations.ts';

const PER_PIECE = 1_000;

/**
 * As many obligations as asked for, each of another wallet, as a node lists accounts (`base64+zstd`): text in
 * pieces, a comma behind each account.
 */
export function* programAccountsJson(
  originals: readonly ClusterAccount[],
  count: number,
): Iterable<Buffer> {
  const random = mixed(1);
  const made = generateObligations(originals, count);
  for (let start = 0; start < count; start += PER_PIECE) {
    const lines = made.slice(start, start + PER_PIECE).map(({ owner, data }) => {
      data.set(random(32), obligation.offsets.owner);
      const packed = Buffer.from(encodeZstdFrame(data)).toString('base64');
      const account = `{"data":["${packed}","base64+zstd"],"executable":false,"lamports":1,"owner":"${owner}","rentEpoch":0,"space":${data.length}}`;
      return `{"pubkey":"${addressFromBytes(random(32))}","account":${account}},`;
    });
    yield Buffer.from(lines.join(''));
  }
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
