import type { Address } from '#core/base/encoding/address.ts';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import type { NodeFault } from './faulty-node.ts';

/** An account as nodes return it, with uncompressed data. */
export type AccountJson = {
  readonly data: readonly [string, string];
  readonly owner: string;
  readonly lamports: number;
  readonly executable: boolean;
  readonly space: number;
};

/** Returns what a wrong node says of an account; null if it says that there is none. */
export type AlterAccount = (account: AccountJson, address: Address) => AccountJson | null;

/** Changes the accounts in answers over HTTP, but for parts of accounts. Slots stay right. */
export function alterAccounts(alter: AlterAccount): NodeFault {
  return {
    alterRequest: (text) => text.replaceAll('base64+zstd', 'base64'),
    alterResult({ method, params = [] }, result) {
      const isSliced = JSON.stringify(params).includes('dataSlice');
      if (isSliced) return result;
      const [subject] = params;
      const { context, value } = result as { context: unknown; value: unknown };
      if (method === 'getMultipleAccounts') {
        const [addresses, accounts] = [subject as Address[], value as (AccountJson | null)[]];
        const altered = accounts.map(
          (each, i) => each && alter(each, addresses[i] ?? ZERO_ADDRESS),
        );
        return { context, value: altered };
      }
      if (method !== 'getProgramAccounts') return result;
      const named = value as { pubkey: Address; account: AccountJson }[];
      const altered = named.flatMap(({ pubkey, account }) => {
        const changed = alter(account, pubkey);
        return changed === null ? [] : [{ pubkey, account: changed }];
      });
      return { context, value: altered };
    },
  };
}

/** The account with other bytes. */
export function withBytes(account: AccountJson, change: (data: Buffer) => Uint8Array): AccountJson {
  const data = change(Buffer.from(account.data[0], 'base64'));
  return { ...account, data: [encodeBase64(data), 'base64'], space: data.length };
}
