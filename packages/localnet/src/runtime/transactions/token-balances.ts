import type { Address, ClusterAccount } from '@tidegate/core/base';
import { mint as mintLayout, tokenAccount } from '@tidegate/core/protocol/spl/layout';
import type { MessageAccount } from '@tidegate/core/protocol/spl/transaction';

export type TokenAccountBalance = {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly decimals: number;
};

type Find = (address: Address) => ClusterAccount | undefined;

/** Balances of all token accounts, in order. Skips accounts whose mint is missing. */
export function tokenBalances(
  accounts: readonly MessageAccount[],
  find: Find,
): TokenAccountBalance[] {
  return accounts.flatMap(({ address }, accountIndex) => {
    const account = find(address);
    if (account === undefined || !tokenAccount.matches(account)) return [];
    const { mint, owner, amount } = tokenAccount.decode(account);
    const mintAccount = find(mint);
    if (mintAccount === undefined || !mintLayout.matches(mintAccount)) return [];
    const { decimals } = mintLayout.decode(mintAccount);
    return [{ accountIndex, mint, owner, tokenProgram: account.owner, amount, decimals }];
  });
}
