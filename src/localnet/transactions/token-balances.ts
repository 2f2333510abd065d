import type { Address } from '../../base/address.ts';
import type { ClusterAccount } from '../../base/cluster-account.ts';
import { mint as mintLayout } from '../../protocol/spl/layout/mint.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import type { MessageAccount } from '../../protocol/spl/transaction/message.ts';

export type HeldTokens = {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly decimals: number;
};

type Find = (address: Address) => ClusterAccount | undefined;

/** Of all token accounts among them, in their order. An account whose mint is not to be found is left out. */
export function tokenBalances(accounts: readonly MessageAccount[], find: Find): HeldTokens[] {
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
