import { type Address, formatError, hasCode } from '@tidegate/core/base';
import type { ProgramAccountKind } from '@tidegate/core/state';
import { type ProgramDeployments, programAccountSets } from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';
import { findKnownAccounts, type KnownAddresses } from './known-accounts.ts';

type ProgramSubscriptionsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  readonly programs: ProgramDeployments;
  readonly mode: 'all' | 'on-demand';
  /** Used for what the source does not scan. */
  readonly known: KnownAddresses;
};

const NO_SCANS =
  'The endpoints reject getProgramAccounts. Add an endpoint that serves it to RPC_URL to get all accounts.';

/** Follows the accounts of all programs. What the source refuses to scan is followed by known addresses. */
export class ProgramSubscriptions {
  readonly #options: ProgramSubscriptionsOptions;
  readonly #subscriptions: AccountSubscription[];
  readonly #refused = new Set<ProgramAccountKind>();
  #knownAccounts = 0;

  constructor(options: ProgramSubscriptionsOptions) {
    const { programs, mode, context, onGap } = options;
    this.#options = options;
    this.#subscriptions = programAccountSets(programs, mode).map(
      (accountSet) => new AccountSubscription(accountSet, context, onGap),
    );
  }

  /** In the order in which they are read: small kinds first. */
  get all(): readonly AccountSubscription[] {
    return this.#subscriptions;
  }

  /** Whether markets, reserves or other accounts of a program cannot be scanned. */
  get areScansRefused(): boolean {
    return [...this.#refused].some((kind) => !isUserKind(kind));
  }

  /** Whether the accounts of users are read on demand. */
  get areUsersOnDemand(): boolean {
    return this.#options.mode === 'on-demand' || [...this.#refused].some(isUserKind);
  }

  /** What is not served because the source refuses to scan, and what to do about it. */
  missing(): string[] {
    const { known } = this.#options;
    if (!this.areScansRefused) {
      return this.#refused.size === 0
        ? []
        : [
            'The endpoints refuse to scan all loans and stakes, so they are read per wallet. Set OBLIGATIONS to on-demand, or add an endpoint that serves the scan to RPC_URL.',
          ];
    }
    const markets = `Only the ${known.markets.length} markets of the registry are served, with the reserves in their lookup tables. List other markets in REGISTRY.`;
    const vaults =
      known.vaults.length === 0
        ? 'No vaults are served, because the registry names none.'
        : `Only the ${known.vaults.length} vaults of the registry are served.`;
    const wallets =
      'Loans and stakes are read per wallet by their derived addresses. A loan with another id or of another pair is found only by its address.';
    return [NO_SCANS, markets, vaults, wallets];
  }

  /** Resolves when updates of all sets arrive. */
  async subscribe(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.subscribe()));
  }

  /** First load, while nobody reads state. `onLoaded` receives the number of accounts of each set. */
  async load(onLoaded: (accounts: number) => void): Promise<void> {
    for (const subscription of [...this.#subscriptions]) {
      onLoaded(await this.#loadOrReplace(subscription));
    }
    const [first] = this.missing();
    if (first === undefined) return;
    const details = { accounts: this.#knownAccounts, missing: this.missing() };
    this.#options.context.log.warn(details, 'part of the cluster is not served');
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
  }

  async #loadOrReplace(subscription: AccountSubscription): Promise<number> {
    try {
      return await subscription.load();
    } catch (error) {
      if (subscription.isStopped || !hasCode(error, 'SOURCE_REFUSES')) throw error;
      const { kind, selection } = subscription.accountSet;
      const { state, log } = this.#options.context;
      log.debug({ kind, ...selection, error: formatError(error) }, 'scan refused');
      subscription.stop();
      state.forget(kind, selection);
      if (kind === 'shares' || kind === 'lookupTable') throw error;
      return this.#replace(subscription, kind, selection.program);
    }
  }

  async #replace(
    subscription: AccountSubscription,
    kind: ProgramAccountKind,
    program: Address,
  ): Promise<number> {
    const { context, onGap, known } = this.#options;
    this.#refused.add(kind);
    const addresses = await findKnownAccounts(kind, program, { ...context, known });
    const index = this.#subscriptions.indexOf(subscription);
    if (addresses.size === 0) {
      this.#subscriptions.splice(index, 1);
      return 0;
    }
    const accountSet = { kind, selection: { program, addresses } };
    const replacement = new AccountSubscription(accountSet, context, onGap);
    this.#subscriptions.splice(index, 1, replacement);
    await replacement.subscribe();
    const accounts = await replacement.load();
    this.#knownAccounts += accounts;
    return accounts;
  }
}

const isUserKind = (kind: ProgramAccountKind): boolean =>
  kind === 'obligation' || kind === 'farmUser';
