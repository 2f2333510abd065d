import type { LatestBlockhash } from '@tidegate/core/base';
import { fieldsOf, hashOf, wholeOf } from './response-values.ts';

/** The `value` of an answer to `getLatestBlockhash`. */
export function readBlockhash(value: unknown): Omit<LatestBlockhash, 'slot'> {
  const { blockhash, lastValidBlockHeight } = fieldsOf(value, 'latest blockhash');
  return {
    blockhash: hashOf(blockhash, 'blockhash'),
    lastValidBlockHeight: BigInt(wholeOf(lastValidBlockHeight, 'last valid block height')),
  };
}
