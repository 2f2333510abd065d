import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { referenceDecode } from '../reference/reference-base58.ts';
import { zstdFrame } from './zstd-frame.ts';

export type AccountConfig = {
  readonly encoding?: string;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
  readonly filters?: readonly AccountFilter[];
  readonly minContextSlot?: number;
  readonly withContext?: boolean;
};

type AccountFilter =
  | { readonly dataSize: number }
  | {
      readonly memcmp: {
        readonly offset: number;
        readonly bytes: string;
        readonly encoding?: string;
      };
    };

/** Accounts that the node cannot parse are sent as base64, as nodes do for `jsonParsed`. */
const ENCODINGS = ['base64', 'base64+zstd', 'jsonParsed'];
const MAX_U64 = 18_446_744_073_709_551_615n;

export const isKnownEncoding = (
  { encoding = 'base64' }: AccountConfig,
  encodings: readonly string[] = ENCODINGS,
): boolean => encodings.includes(encoding);

export function accountJson(account: ClusterAccount, config: AccountConfig): unknown {
  const { owner, lamports, data } = account;
  const { offset, length } = config.dataSlice ?? { offset: 0, length: data.length };
  const slice = data.subarray(offset, offset + length);
  const isCompressed = config.encoding === 'base64+zstd';
  const packed = Buffer.from(isCompressed ? zstdFrame(slice) : slice).toString('base64');
  return {
    data: [packed, isCompressed ? 'base64+zstd' : 'base64'],
    executable: false,
    lamports,
    owner,
    rentEpoch: MAX_U64,
    space: data.length,
  };
}

export function matchesFilters({ data }: ClusterAccount, config: AccountConfig): boolean {
  return (config.filters ?? []).every((filter) => {
    if ('dataSize' in filter) return data.length === filter.dataSize;
    const { offset, bytes, encoding } = filter.memcmp;
    const expected = encoding === 'base64' ? Buffer.from(bytes, 'base64') : referenceDecode(bytes);
    return expected.every((byte, i) => data[offset + i] === byte);
  });
}
