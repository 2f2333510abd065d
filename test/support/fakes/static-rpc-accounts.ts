import { referenceDecode } from '../reference/reference-base58.ts';
import { zstdFrame } from './static-rpc-zstd.ts';

/** As `accounts.json` has it: lamports in digits, data in base64. */
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

/** JSON of an account, made as text: its numbers have more digits than doubles do. */
export function accountJson(account: StoredAccount, config: AccountConfig): string {
  const data = bytesOf(account);
  const { encoding, dataSlice } = config;
  const { offset, length } = dataSlice ?? { offset: 0, length: data.length };
  const shown = data.subarray(offset, offset + length);
  const packed = Buffer.from(encoding === 'base64+zstd' ? zstdFrame(shown) : shown);
  return [
    `{"data":["${packed.toString('base64')}","${encoding}"],"executable":false,`,
    `"lamports":${account.lamports},"owner":"${account.owner}",`,
    `"rentEpoch":${MAX_U64},"space":${data.length}}`,
  ].join('');
}

export function matchesFilters(account: StoredAccount, filters: readonly AccountFilter[]): boolean {
  const data = bytesOf(account);
  return filters.every((filter) => {
    if ('dataSize' in filter) return data.length === filter.dataSize;
    const { offset, bytes } = filter.memcmp;
    const wanted = referenceDecode(bytes);
    return data.subarray(offset, offset + wanted.length).equals(wanted);
  });
}

const bytesOf = ({ data }: StoredAccount): Buffer => Buffer.from(data, 'base64');
