import type { Address } from '#core/base/encoding/address.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { readAccountBalances } from '../invariants/account-balances.ts';
import { transactionOutcome } from '../localnet/transaction-outcome.ts';
import type { RandomCluster } from '../random/random-cluster.ts';

/** Changes by who has what: `token OWNER MINT`, `sol OWNER`, `deposit LOAN RESERVE`, `debt LOAN RESERVE`. */
export type TransactionEffect = {
  readonly outcome: string;
  readonly changes: ReadonlyMap<string, bigint>;
};

/** Executes a transaction on the cluster without a change of the cluster. */
export function effectOf(
  wire: Uint8Array,
  { cluster, wallet }: { readonly cluster: RandomCluster; readonly wallet: Address },
): TransactionEffect {
  const result = cluster.execute(receiveTransaction(wire));
  const outcome = transactionOutcome(result);
  const changes = new Map<string, bigint>();
  if (result.kind === 'rejected' || outcome !== 'success') return { outcome, changes };
  const add = (key: string, amount: bigint) => {
    const sum = (changes.get(key) ?? 0n) + amount;
    if (sum === 0n) changes.delete(key);
    else changes.set(key, sum);
  };
  for (const [address, after] of result.changes) {
    const before = cluster.bank.account(address);
    for (const [account, sign] of [
      [before, -1n],
      [after, 1n],
    ] as const) {
      if (account === undefined) continue;
      const { token, obligation, farmUser } = readAccountBalances(account);
      // rent and wrapped SOL in token accounts of the wallet stay the wallet's
      const isOwn = token?.owner === wallet;
      const holder = isOwn ? wallet : address;
      const wrapped = token?.isNative === true && !isOwn ? token.amount : 0n;
      add(`sol ${holder}`, sign * (account.lamports - wrapped));
      if (token !== undefined && !(isOwn && token.isNative))
        add(`token ${token.owner} ${token.mint}`, sign * token.amount);
      for (const { reserve, amount } of obligation?.deposits ?? []) {
        add(`deposit ${address} ${reserve}`, sign * amount);
      }
      for (const { reserve, borrowedSf } of obligation?.borrows ?? []) {
        add(`debt ${address} ${reserve}`, sign * borrowedSf);
      }
      if (farmUser !== undefined) add(`stake ${address}`, sign * farmUser.active);
    }
  }
  return { outcome, changes };
}
