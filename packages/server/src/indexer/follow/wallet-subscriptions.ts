import type { Address } from '@tidegate/core/base';
import { obligation } from '@tidegate/core/protocol/klend/layout';
import { CodedError } from '../../errors.ts';
import { type ProgramDeployments, walletAccountSets } from './account-sets.ts';
import { AccountSubscription, type AccountSubscriptionContext } from './account-subscription.ts';

type WalletSubscriptionsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly programs: ProgramDeployments;
  readonly waitMs: number;
  /** A wallet is not read again within this time. */
  readonly freshMs: number;
  readonly maxWallets: number;
};

type Wallet = {
  readonly subscriptions: readonly AccountSubscription[];
  readonly loaded: Promise<void>;
  /** Whether updates were missed, so that the wallet was removed. */
  isInterrupted: boolean;
};

/** Attempts to load a wallet if gaps interrupt it. */
const ATTEMPTS = 3;

/** Follows the loans and stakes of recently requested wallets, when there are too many wallets to follow them all. */
export class WalletSubscriptions {
  readonly #options: WalletSubscriptionsOptions;
  /** Least recently requested first. */
  readonly #wallets = new Map<Address, Wallet>();

  constructor(options: WalletSubscriptionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#wallets.size;
  }

  /** Resolves when state contains the wallet. */
  async load(owner: Address): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const wallet = this.#wallets.get(owner) ?? this.#start(owner);
      this.#wallets.delete(owner);
      this.#wallets.set(owner, wallet);
      try {
        await this.#refresh(wallet);
        // a gap may have removed it meanwhile
        if (this.#wallets.get(owner) === wallet) return;
        if (attempt === ATTEMPTS) throw interrupted(this.#options.context.source.name);
      } catch (error) {
        if (!wallet.isInterrupted || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Loads the owner of an obligation. Ignores other addresses. */
  async loadObligation(address: Address): Promise<void> {
    const { source, state, queue } = this.#options.context;
    const known = state.obligation(address);
    if (known !== undefined) return this.load(known.fields.owner);
    const { accounts } = await source.getAccounts([address], queue.newestSlot);
    const [account] = accounts;
    if (account === undefined || !obligation.matches(account)) return;
    await this.load(obligation.view(account).owner);
  }

  stop(): void {
    for (const { subscriptions } of this.#wallets.values()) {
      for (const subscription of subscriptions) subscription.stop();
    }
    this.#wallets.clear();
  }

  #start(owner: Address): Wallet {
    const { context, programs, maxWallets } = this.#options;
    // after a gap the wallet is removed, and loaded again on the next request
    const onGap = () => {
      wallet.isInterrupted = true;
      this.#remove(owner, wallet);
    };
    const subscriptions = walletAccountSets(programs, owner).map(
      (accountSet) => new AccountSubscription(accountSet, context, onGap),
    );
    const wallet: Wallet = {
      subscriptions,
      loaded: this.#load(subscriptions),
      isInterrupted: false,
    };
    wallet.loaded.catch(() => this.#remove(owner, wallet));
    this.#wallets.set(owner, wallet);
    const [oldest] = this.#wallets;
    if (this.#wallets.size > maxWallets && oldest !== undefined) this.#remove(...oldest);
    return wallet;
  }

  async #refresh({ subscriptions, loaded }: Wallet): Promise<void> {
    await loaded;
    const { context, freshMs, waitMs } = this.#options;
    const isFresh = subscriptions.every(({ lastRead }) => context.clock() - lastRead.at < freshMs);
    if (!isFresh)
      await Promise.all(subscriptions.map((subscription) => subscription.rescan(waitMs)));
  }

  async #load(subscriptions: readonly AccountSubscription[]): Promise<void> {
    const { queue } = this.#options.context;
    await Promise.all(subscriptions.map((subscription) => subscription.subscribe()));
    const slots = await Promise.all(subscriptions.map((subscription) => subscription.reload()));
    await Promise.all(slots.map((slot) => queue.waitForSlot(slot, this.#options.waitMs)));
  }

  #remove(owner: Address, wallet: Wallet): void {
    if (this.#wallets.get(owner) !== wallet) return;
    this.#wallets.delete(owner);
    for (const subscription of wallet.subscriptions) {
      subscription.stop();
      const { kind, selection } = subscription.accountSet;
      this.#options.context.state.forget(kind, selection);
    }
  }
}

const interrupted = (source: string): CodedError =>
  new CodedError('SOURCE_UNAVAILABLE', { source, reason: 'its updates were interrupted' });
