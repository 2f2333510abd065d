import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type AccountBalances, readAccountBalances } from './account-balances.ts';

type Kinds = { readonly [Kind in keyof AccountBalances]-?: Map<Address, Balances<Kind>> };
type Balances<Kind extends keyof AccountBalances> = NonNullable<AccountBalances[Kind]>;

/** All accounts of a cluster by kind. */
export class AccountIndex {
  readonly token: Kinds['token'] = new Map();
  readonly mint: Kinds['mint'] = new Map();
  readonly reserve: Kinds['reserve'] = new Map();
  readonly obligation: Kinds['obligation'] = new Map();
  readonly vault: Kinds['vault'] = new Map();
  readonly farm: Kinds['farm'] = new Map();
  readonly farmUser: Kinds['farmUser'] = new Map();
  readonly #accounts = new Map<Address, ClusterAccount>();

  constructor(accounts: Iterable<readonly [Address, ClusterAccount]>) {
    for (const [address, account] of accounts) this.set(address, account);
  }

  account(address: Address): ClusterAccount | undefined {
    return this.#accounts.get(address);
  }

  lamports(address: Address): bigint {
    return this.#accounts.get(address)?.lamports ?? 0n;
  }

  balance(address: Address): bigint {
    return this.token.get(address)?.amount ?? 0n;
  }

  set(address: Address, account: ClusterAccount | undefined): void {
    put(this.#accounts, address, account);
    const balances: AccountBalances = account === undefined ? {} : readAccountBalances(account);
    put(this.token, address, balances.token);
    put(this.mint, address, balances.mint);
    put(this.reserve, address, balances.reserve);
    put(this.obligation, address, balances.obligation);
    put(this.vault, address, balances.vault);
    put(this.farm, address, balances.farm);
    put(this.farmUser, address, balances.farmUser);
  }
}

function put<Value>(map: Map<Address, Value>, address: Address, value: Value | undefined): void {
  if (value !== undefined) map.set(address, value);
  else map.delete(address);
}
