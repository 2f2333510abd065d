import { type Address, formatError } from '@tidegate/core/base';
import { associatedTokenAddress, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { CodedError, hasCode } from '../../errors.ts';
import { shareAccountSet } from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';
import { requireScan } from './require-scan.ts';

type ShareSubscriptionsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  /** Longest time to wait until a slot is complete. */
  readonly waitMs: number;
};

type ShareSubscription = {
  readonly subscription: AccountSubscription;
  /**
   * Issued shares minus the sum of all balances that a second read confirmed; not zero if shares were burned outside the
   * vault.
   */
  difference: bigint;
};

/** Most wallets whose balances stay in state when shares cannot be followed by mint. */
const MAX_WALLETS = 1_000;

/** Follows vault shares by mint. If the source rejects that, reads token accounts by wallet instead. */
export class ShareSubscriptions {
  readonly #options: ShareSubscriptionsOptions;
  readonly #subscriptions = new Map<Address, ShareSubscription>();
  readonly #starting = new Map<Address, AccountSubscription>();
  readonly #rejected = new Set<Address>();
  readonly #wallets = new Set<Address>();
  #vaultsSeen: readonly unknown[] = [];

  constructor(options: ShareSubscriptionsOptions) {
    this.#options = options;
  }

  /** Whether every share mint is followed. */
  get isComplete(): boolean {
    return this.#rejected.size === 0 && this.#starting.size === 0;
  }

  /** Whether the shareholders of a vault cannot be scanned. */
  get areScansRefused(): boolean {
    return this.#rejected.size > 0;
  }

  get subscriptions(): AccountSubscription[] {
    return [...this.#subscriptions.values()].map(({ subscription }) => subscription);
  }

  /** Share mints that are not followed yet. */
  newMints(): Address[] {
    const { state } = this.#options.context;
    const vaults = state.vaults();
    if (vaults === this.#vaultsSeen) return [];
    this.#vaultsSeen = vaults;
    const isKnown = (mint: Address) =>
      this.#subscriptions.has(mint) || this.#starting.has(mint) || this.#rejected.has(mint);
    return [...new Set(vaults.map(({ fields }) => fields.sharesMint))].filter(
      (mint) => !isKnown(mint),
    );
  }

  /** `initial`: during the first load, while nobody reads state. */
  async add(mint: Address, when: 'initial' | 'later'): Promise<void> {
    const { context, onGap, waitMs } = this.#options;
    const subscription = new AccountSubscription(shareAccountSet(mint), context, onGap);
    this.#starting.set(mint, subscription);
    try {
      await subscription.subscribe();
      if (when === 'initial') await subscription.load();
      else await context.queue.waitForSlot(await subscription.reload(), waitMs);
      this.#subscriptions.set(mint, { subscription, difference: 0n });
      this.#rejected.delete(mint);
      context.state.setSharesComplete(mint, true);
    } catch (error) {
      const wasStopped = subscription.isStopped;
      subscription.stop();
      if (!(error instanceof CodedError)) throw error;
      if (wasStopped) return;
      const details = { mint, error: formatError(error) };
      context.log.warn(details, 'shareholders of a vault are not followed');
      if (hasCode(error, 'SOURCE_REFUSES')) this.#rejected.add(mint);
      else this.#vaultsSeen = [];
    } finally {
      this.#starting.delete(mint);
    }
  }

  /** What is not served because the source refuses to scan. */
  missing(): string[] {
    if (!this.areScansRefused) return [];
    return [
      `The endpoints refuse to scan the shareholders of ${this.#rejected.size} vaults, so their holders are not counted and shares are read per wallet.`,
    ];
  }

  /** Tries refused scans again, until the first one that is still refused or fails. */
  async retryScans(): Promise<void> {
    for (const mint of [...this.#rejected]) {
      // before the subscription, which endpoints without scans often reject too
      await requireScan(this.#options.context.source, shareAccountSet(mint).scan);
      await this.add(mint, 'later');
    }
  }

  /**
   * Nodes do not announce a token account that was closed after its last share was burned, but they announce the vault,
   * whose issued shares are then fewer than the sum of the balances.
   */
  inconsistentSubscriptions(): AccountSubscription[] {
    return [...this.#subscriptions]
      .filter(([mint, { difference }]) => this.#differenceOf(mint) !== difference)
      .map(([, { subscription }]) => subscription);
  }

  /** Call it after all accounts of a mint were read. A remaining difference is permanent. */
  confirmBalances(subscription: AccountSubscription): void {
    const { mint } = subscription.accountSet.selection;
    const shares = mint === undefined ? undefined : this.#subscriptions.get(mint);
    if (mint !== undefined && shares !== undefined) shares.difference = this.#differenceOf(mint);
  }

  /** Reads a wallet's associated token accounts of the mints that cannot be followed. */
  async loadWallet(owner: Address): Promise<void> {
    if (this.#rejected.size === 0) return;
    const { absences, queue, state } = this.#options.context;
    const addresses = [...this.#rejected].map((mint) =>
      associatedTokenAddress(owner, mint, TOKEN_PROGRAM),
    );
    const { slot, updates } = await absences.readAccounts(addresses, queue.newestSlot);
    queue.push({
      slot,
      run: () => {
        for (const update of updates) state.apply(update);
      },
    });
    this.#rememberWallet(owner);
    await queue.waitForSlot(slot, this.#options.waitMs);
  }

  stop(): void {
    for (const subscription of [...this.subscriptions, ...this.#starting.values()])
      subscription.stop();
  }

  #rememberWallet(owner: Address): void {
    this.#wallets.delete(owner);
    this.#wallets.add(owner);
    const [oldest] = this.#wallets;
    if (this.#wallets.size <= MAX_WALLETS || oldest === undefined) return;
    this.#wallets.delete(oldest);
    for (const mint of this.#rejected) {
      this.#options.context.state.forget('shares', { program: TOKEN_PROGRAM, mint, owner: oldest });
    }
  }

  #differenceOf(mint: Address): bigint {
    const { state } = this.#options.context;
    return (state.vaultOfShares(mint)?.fields.sharesIssued ?? 0n) - state.shareTotal(mint);
  }
}
