import { referenceDecode } from '../reference/reference-base58.ts';
import { zstdFrame } from './static-rpc-zstd.ts';

/** The form of `accounts.json`: lamports as digits, data in base64. */
export type StoredAccount = {
  readonly pubkey: string;
  readonly owner: string;
  readonly lamports: string;
  readonly data: string;
};

export type AccountConfig = {
  readonly encoding?: string;
  readonly dataSlice?: { readonly offset: number; readonly length: number };
};

export type AccountFilter =
  | { readonly dataSize: number }
  | { readonly memcmp: { readonly offset: number; readonly bytes: string } };

const MAX_U64 = '18446744073709551615';

/** Built as text, because the numbers exceed doubles. */
export function accountJson(account: StoredAccount, config: AccountConfig): string {
  const data = decodeData(account);
  const { encoding, dataSlice } = config;
  const { offset, length } = dataSlice ?? { offset: 0, length: data.length };
  const slice = data.subarray(offset, offset + length);
  const packed = Buffer.from(encoding === 'base64+zstd' ? zstdFrame(slice) : slice);
  return [
    `{"data":["${packed.toString('base64')}","${encoding}"],"executable":false,`,
    `"lamports":${account.lamports},"owner":"${account.owner}",`,
    `"rentEpoch":${MAX_U64},"space":${data.length}}`,
  ].join('');
}

export function matchesFilters(account: StoredAccount, filters: readonly AccountFilter[]): boolean {
  const data = decodeData(account);
  return filters.every((filter) => {
    if ('dataSize' in filter) return data.length === filter.dataSize;
    const { offset, bytes } = filter.memcmp;
    const expected = referenceDecode(bytes);
    return data.subarray(offset, offset + expected.length).equals(expected);
  });
}

const decodeData = ({ data }: StoredAccount): Buffer => Buffer.from(data, 'base64');
