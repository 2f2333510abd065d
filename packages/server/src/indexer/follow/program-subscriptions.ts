import { type Address, formatError } from '@tidegate/core/base';
import type { ProgramAccountKind } from '@tidegate/core/state';
import { hasCode } from '../../errors.ts';
import {
  type AccountSet,
  type ProgramAccountSet,
  type ProgramDeployments,
  programAccountSets,
} from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';
import { KnownAccounts, type KnownAddresses } from './known-accounts.ts';
import { requireScan } from './require-scan.ts';

type ProgramSubscriptionsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  readonly programs: ProgramDeployments;
  readonly mode: 'all' | 'on-demand';
  /** Used for what the source does not scan. */
  readonly known: KnownAddresses;
  /** Longest time to wait until a slot is complete. */
  readonly waitMs: number;
};

type ProgramEntry = {
  readonly accountSet: ProgramAccountSet;
  /** Of the whole set, or of known addresses if its scan is refused. Undefined if none is known. */
  subscription: AccountSubscription | undefined;
  isRefused: boolean;
};

const NO_SCANS =
  'The endpoints reject getProgramAccounts. Add an endpoint that serves it to RPC_URL to get all accounts.';

/** Follows the accounts of all programs. What the source refuses to scan is followed by known addresses. */
export class ProgramSubscriptions {
  readonly #options: ProgramSubscriptionsOptions;
  /** In the order in which they are read: small kinds first. */
  readonly #entries: readonly ProgramEntry[];
  /** Of scans that are tried again. */
  readonly #starting = new Set<AccountSubscription>();
  #knownAccounts = 0;

  constructor(options: ProgramSubscriptionsOptions) {
    const { programs, mode } = options;
    this.#options = options;
    this.#entries = programAccountSets(programs, mode).map((accountSet) => ({
      accountSet,
      subscription: this.#subscriptionOf(accountSet),
      isRefused: false,
    }));
  }

  /** In the order in which they are read: small kinds first. */
  get all(): readonly AccountSubscription[] {
    return this.#entries.flatMap(({ subscription }) => subscription ?? []);
  }

  /** The kinds that cannot be scanned. */
  get refusedKinds(): readonly ProgramAccountKind[] {
    return [...new Set(this.#refused().map(({ accountSet }) => accountSet.kind))];
  }

  /** Whether markets, reserves or other accounts of a program cannot be scanned. */
  get areScansRefused(): boolean {
    return this.refusedKinds.some((kind) => !isUserKind(kind));
  }

  /** Whether the accounts of users are read on demand. */
  get areUsersOnDemand(): boolean {
    return this.#options.mode === 'on-demand' || this.refusedKinds.some(isUserKind);
  }

  /** False if the source does not send updates of loans and stakes. */
  get receiveUpdates(): boolean {
    return this.all.every(({ receivesUpdates }) => receivesUpdates);
  }

  /** What is not served because the source refuses to scan, and what to do about it. */
  missing(): string[] {
    const { known } = this.#options;
    if (!this.areScansRefused) {
      return this.refusedKinds.length === 0
        ? []
        : [
            'The endpoints refuse to scan all loans and stakes, so they are read per wallet. Set OBLIGATIONS to on-demand, or add an endpoint that serves the scan to RPC_URL.',
          ];
    }
    const markets = `Only the ${known.markets.length} markets of the registry are served, with the reserves in their lookup tables, and the reserves that its vaults lend to. List other markets in REGISTRY.`;
    const vaults =
      known.vaults.length === 0
        ? 'No vaults are served, because the registry names none.'
        : `Only the ${known.vaults.length} vaults of the registry are served. List other vaults in REGISTRY.`;
    const wallets =
      'Loans and stakes are read per wallet by their derived addresses. A loan with another id or of another pair is found only by its address.';
    return [NO_SCANS, markets, vaults, wallets];
  }

  /** Resolves when updates of all sets arrive. */
  async subscribe(): Promise<void> {
    await Promise.all(this.all.map((subscription) => subscription.subscribe()));
  }

  /** First load, while nobody reads state. `onLoaded` receives the number of accounts of each set. */
  async load(onLoaded: (accounts: number) => void): Promise<void> {
    const { context, known } = this.#options;
    const knownAccounts = new KnownAccounts({ ...context, known });
    for (const entry of this.#entries) onLoaded(await this.#loadOrReplace(entry, knownAccounts));
    if (this.refusedKinds.length === 0) return;
    const details = { accounts: this.#knownAccounts, missing: this.missing() };
    context.log.warn(details, 'part of the cluster is not served');
  }

  /**
   * Tries refused scans again, except those of loans and stakes, and follows what they return. Throws if one is still
   * refused or fails; those before it stay in use.
   */
  async retryScans(): Promise<void> {
    for (const entry of this.#refused().filter((each) => !isUserEntry(each))) {
      await this.#scanAndFollow([entry]);
    }
  }

  /** Tries refused scans of loans and stakes again. All are followed or none, so that no wallet is incomplete. */
  async retryUserScans(): Promise<void> {
    await this.#scanAndFollow(this.#refused().filter(isUserEntry));
  }

  stop(): void {
    for (const subscription of [...this.all, ...this.#starting]) subscription.stop();
  }

  #refused(): readonly ProgramEntry[] {
    return this.#entries.filter(({ isRefused }) => isRefused);
  }

  #subscriptionOf(accountSet: AccountSet, context = this.#options.context): AccountSubscription {
    return new AccountSubscription(accountSet, context, this.#options.onGap);
  }

  async #loadOrReplace(entry: ProgramEntry, knownAccounts: KnownAccounts): Promise<number> {
    const { subscription } = entry;
    if (subscription === undefined) return 0;
    try {
      return await subscription.load();
    } catch (error) {
      if (subscription.isStopped || !hasCode(error, 'SOURCE_REFUSES')) throw error;
      const { kind, selection } = entry.accountSet;
      const { state, log } = this.#options.context;
      log.debug({ kind, ...selection, error: formatError(error) }, 'scan refused');
      subscription.stop();
      state.forget(kind, selection);
      entry.isRefused = true;
      return this.#replace(entry, await knownAccounts.find(kind, selection.program));
    }
  }

  async #replace(entry: ProgramEntry, addresses: ReadonlySet<Address>): Promise<number> {
    const { kind, selection } = entry.accountSet;
    entry.subscription = undefined;
    if (addresses.size === 0) return 0;
    const accountSet = { kind, selection: { program: selection.program, addresses } };
    const replacement = this.#subscriptionOf(accountSet);
    entry.subscription = replacement;
    await replacement.subscribe();
    const accounts = await replacement.load();
    this.#knownAccounts += accounts;
    return accounts;
  }

  /** Replaces the subscriptions of these sets when the scanned accounts are in state. All of them or none. */
  async #scanAndFollow(entries: readonly ProgramEntry[]): Promise<void> {
    const { context, waitMs } = this.#options;
    const followed = entries.map((entry) => ({
      entry,
      subscription: this.#subscriptionOf(entry.accountSet, { ...context, attempts: 1 }),
    }));
    for (const { subscription } of followed) this.#starting.add(subscription);
    try {
      for (const { entry, subscription } of followed) {
        // before the subscription, which endpoints without scans often reject too
        await requireScan(context.source, entry.accountSet.scan);
        await subscription.subscribe();
        await context.queue.waitForSlot(await subscription.reload(), waitMs);
      }
    } catch (error) {
      for (const { subscription } of followed) subscription.stop();
      throw error;
    } finally {
      for (const { subscription } of followed) this.#starting.delete(subscription);
    }
    for (const { entry, subscription } of followed) {
      entry.subscription?.stop();
      entry.subscription = subscription;
      entry.isRefused = false;
    }
  }
}

const isUserEntry = ({ accountSet }: ProgramEntry): boolean => isUserKind(accountSet.kind);

const isUserKind = (kind: ProgramAccountKind): boolean =>
  kind === 'obligation' || kind === 'farmUser';
