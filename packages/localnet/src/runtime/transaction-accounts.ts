import type { Address, ClusterAccount } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';

export type AccountReader = { account(address: Address): ClusterAccount | undefined };

const EMPTY_ACCOUNT: ClusterAccount = {
  owner: SYSTEM_PROGRAM,
  lamports: 0n,
  data: new Uint8Array(),
};

/** Accounts during a transaction: its changes on top of the bank. */
export class TransactionAccounts {
  readonly #bank: AccountReader;
  readonly #changed = new Map<Address, ClusterAccount>();

  constructor(bank: AccountReader) {
    this.#bank = bank;
  }

  get(address: Address): ClusterAccount {
    return this.#changed.get(address) ?? this.before(address);
  }

  /** The account before the transaction. */
  before(address: Address): ClusterAccount {
    return this.#bank.account(address) ?? EMPTY_ACCOUNT;
  }

  set(address: Address, account: ClusterAccount): void {
    this.#changed.set(address, account);
  }

  /** Undefined for deleted accounts. */
  changes(): Map<Address, ClusterAccount | undefined> {
    return new Map(
      [...this.#changed].map(([address, account]) => [
        address,
        account.lamports === 0n ? undefined : account,
      ]),
    );
  }
}
