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

/** Of all token accounts among them, in their order. An account whose mint is not to be found is left out. */
export function tokenBalances(
  accounts: readonly MessageAccount[],
  find: Find,
): TokenAccountBalance[] {
  return accounts.flatMap(({ address }, accountIndex) => {
    const account = find(address);
    if (account === undefined || !tokenAccount.matches(account)) return [];
    const { mint, owner, amount } = tokenAccount.decode(account);
    const issuer = find(mint);
    if (issuer === undefined || !mintLayout.matches(issuer)) return [];
    const { decimals } = mintLayout.decode(issuer);
    return [{ accountIndex, mint, owner, tokenProgram: account.owner, amount, decimals }];
  });
}
