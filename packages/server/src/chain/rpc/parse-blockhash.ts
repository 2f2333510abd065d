import type { LatestBlockhash } from '@tidegate/core/base';
import { requireHash, requireInteger, requireObject } from './response-values.ts';

/** Parses the `value` of a `getLatestBlockhash` response. */
export function parseBlockhash(value: unknown): Omit<LatestBlockhash, 'slot'> {
  const { blockhash, lastValidBlockHeight } = requireObject(value, 'latest blockhash');
  return {
    blockhash: requireHash(blockhash, 'blockhash'),
    lastValidBlockHeight: BigInt(requireInteger(lastValidBlockHeight, 'last valid block height')),
  };
}
