import type { Address, ClusterAccount, Slot } from '@tidegate/core/base';
import type { SubscriptionListener } from '../source/chain-source.ts';
import type { AbsentAccounts } from './absent-accounts.ts';
import { hashAccount } from './program-snapshot.ts';

type PolledAccount = {
  readonly listeners: Set<SubscriptionListener>;
  digest: string | undefined;
  /** Slot of the last read. */
  slot: Slot | undefined;
};

type AccountsRead = {
  readonly slot: Slot;
  readonly accounts: readonly (ClusterAccount | undefined)[];
};

const ABSENT = 'none';

/** Accounts that are followed by address, with digests of what was last read. */
export class PolledAccounts {
  readonly #accounts = new Map<Address, PolledAccount>();

  get size(): number {
    return this.#accounts.size;
  }

  get addresses(): readonly Address[] {
    return [...this.#accounts.keys()];
  }

  /** Those that existed when they were last read. */
  get existing(): readonly Address[] {
    const exists = ({ digest }: PolledAccount) => digest !== undefined && digest !== ABSENT;
    return [...this.#accounts].filter(([, each]) => exists(each)).map(([address]) => address);
  }

  /** Whether one of them was not read yet. */
  get hasUnread(): boolean {
    return [...this.#accounts.values()].some(({ slot }) => slot === undefined);
  }

  values(): Iterable<{ readonly slot: Slot | undefined }> {
    return this.#accounts.values();
  }

  add(address: Address, listener: SubscriptionListener): () => void {
    const unread = { digest: undefined, slot: undefined };
    const polled = this.#accounts.get(address) ?? { listeners: new Set(), ...unread };
    // a later listener has missed the earlier announcements
    Object.assign(polled, unread);
    this.#accounts.set(address, polled);
    polled.listeners.add(listener);
    return () => {
      polled.listeners.delete(listener);
      if (polled.listeners.size === 0) this.#accounts.delete(address);
    };
  }

  /** Announces what changed. `addresses`: of the accounts that were read. */
  async announce(
    addresses: readonly Address[],
    { slot, accounts }: AccountsRead,
    absent: AbsentAccounts,
  ): Promise<void> {
    const missing = addresses.filter((address, i) => {
      const polled = this.#accounts.get(address);
      return accounts[i] === undefined && polled !== undefined && polled.digest !== ABSENT;
    });
    const found = await absent.find(missing, slot);
    const again = new Map(found.map(({ address, account }) => [address, account]));
    addresses.forEach((address, i) => {
      const polled = this.#accounts.get(address);
      if (polled === undefined) return;
      const account = accounts[i] ?? again.get(address);
      const digest = account === undefined ? ABSENT : hashAccount(account);
      polled.slot = slot;
      if (digest === polled.digest) return;
      polled.digest = digest;
      for (const listener of [...polled.listeners]) listener.onAccount({ address, account, slot });
    });
  }
}
