import type { Address } from '@tidegate/core/base';
import type { ProgramDeployments } from './account-sets.ts';
import type { AccountSubscriptionContext } from './account-subscription.ts';
import { DerivedWallets } from './derived-wallets.ts';
import type { IndexerTiming } from './indexer-timing.ts';
import type { ProgramSubscriptions } from './program-subscriptions.ts';
import { UnknownLoans } from './unknown-loans.ts';
import { WalletSubscriptions } from './wallet-subscriptions.ts';

type OnDemandWalletsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly programs: ProgramDeployments;
  readonly subscriptions: ProgramSubscriptions;
  readonly timing: Pick<IndexerTiming, 'waitMs' | 'freshMs'>;
};

type WalletLoader = WalletSubscriptions | DerivedWallets;

const MAX_WALLETS = 1_000;

/** Loads the loans and stakes of requested wallets in the way that the source supports. */
export class OnDemandWallets {
  readonly #programs: ProgramSubscriptions;
  readonly #followed: WalletSubscriptions;
  readonly #derived: DerivedWallets;
  readonly #unknownLoans: UnknownLoans;

  constructor({ context, programs, subscriptions, timing }: OnDemandWalletsOptions) {
    const { waitMs, freshMs } = timing;
    const options = { programs, waitMs, freshMs, maxWallets: MAX_WALLETS };
    this.#programs = subscriptions;
    this.#followed = new WalletSubscriptions({ ...options, context: { ...context, attempts: 1 } });
    this.#derived = new DerivedWallets({ ...options, context });
    const receivesUpdates = () => subscriptions.receiveUpdates;
    this.#unknownLoans = new UnknownLoans({ ...context, ...timing, receivesUpdates });
  }

  get count(): number {
    return this.#followed.count + this.#derived.count;
  }

  /** Resolves when state contains the loans and stakes of a wallet. */
  load(owner: Address): Promise<void> {
    return this.#withLoader((loader) => loader.load(owner));
  }

  async loadObligation(address: Address): Promise<void> {
    await this.#withLoader((loader) => loader.loadObligation(address));
    if (this.#loader() === undefined) await this.#unknownLoans.load(address);
  }

  /** Call it after scans that were refused are served. */
  onScansServed(): void {
    if (!this.#programs.areScansRefused) this.#derived.stop();
    if (!this.#programs.areUsersOnDemand) this.#followed.stop();
  }

  stop(): void {
    this.#followed.stop();
  }

  /** Loads again if the way to load wallets changes meanwhile. */
  async #withLoader(load: (loader: WalletLoader) => Promise<void>): Promise<void> {
    for (;;) {
      const loader = this.#loader();
      try {
        if (loader !== undefined) await load(loader);
        if (loader === this.#loader()) return;
      } catch (error) {
        if (loader === this.#loader()) throw error;
      }
    }
  }

  /** Undefined if all wallets are followed. */
  #loader(): WalletLoader | undefined {
    if (this.#programs.areScansRefused) return this.#derived;
    return this.#programs.areUsersOnDemand ? this.#followed : undefined;
  }
}
