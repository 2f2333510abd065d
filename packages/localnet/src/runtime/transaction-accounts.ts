import type { Address, ClusterAccount } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';

export type AccountReader = { account(address: Address): ClusterAccount | undefined };

const NOTHING: ClusterAccount = { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array() };

/** Accounts while a transaction runs: what it has changed lies above what the bank has. */
export class TransactionAccounts {
  readonly #bank: AccountReader;
  readonly #changed = new Map<Address, ClusterAccount>();

  constructor(bank: AccountReader) {
    this.#bank = bank;
  }

  get(address: Address): ClusterAccount {
    return this.#changed.get(address) ?? this.before(address);
  }

  /** As it was when the transaction began. */
  before(address: Address): ClusterAccount {
    return this.#bank.account(address) ?? NOTHING;
  }

  set(address: Address, account: ClusterAccount): void {
    this.#changed.set(address, account);
  }

  /** Undefined: it is gone. */
  changes(): Map<Address, ClusterAccount | undefined> {
    return new Map(
      [...this.#changed].map(([address, account]) => [
        address,
        account.lamports === 0n ? undefined : account,
      ]),
    );
  }
}
