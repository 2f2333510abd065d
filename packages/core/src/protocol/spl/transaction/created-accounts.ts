import type { Address } from '../../../base/encoding/address.ts';
import { toJsonArray, toJsonObject } from './json-values.ts';
import { parseTransaction } from './transaction.ts';

/** Accounts that had no lamports before the transaction and have some after it, from the result of `getTransaction`. */
export function listCreatedAccounts(response: unknown): readonly Address[] {
  const { accounts } = parseTransaction(response);
  const meta = toJsonObject(toJsonObject(response, 'the response')['meta'], 'meta');
  const before = toJsonArray(meta['preBalances'], 'preBalances');
  const after = toJsonArray(meta['postBalances'], 'postBalances');
  return accounts
    .filter((_, i) => Number(before[i]) === 0 && Number(after[i]) > 0)
    .map(({ address }) => address);
}
