import { type Address, formatError, ZERO_ADDRESS } from '@tidegate/core/base';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '@tidegate/core/protocol/spl';
import { CodedError } from '../../errors.ts';
import { lookupTableAccountSet } from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';

type LookupTableSubscriptionsOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  /** Tables to follow in addition to those of the vaults. Call `refresh` when they change. */
  readonly tables: () => readonly Address[];
};

/** Follows configured and found lookup tables and those of vaults by address, because scanning all tables is too slow. */
export class LookupTableSubscriptions {
  readonly #options: LookupTableSubscriptionsOptions;
  /** Each subscription with those of its tables that are still in use. */
  readonly #subscriptions = new Map<AccountSubscription, Set<Address>>();
  readonly #rejected = new Set<Address>();
  #vaultsSeen: readonly unknown[] = [];

  constructor(options: LookupTableSubscriptionsOptions) {
    this.#options = options;
  }

  /** First load, while nobody reads state. */
  async load(): Promise<void> {
    await this.#add(this.#newTables(), 'initial');
  }

  /** Follows changes of the vaults and their tables. */
  update(): void {
    const vaults = this.#options.context.state.vaults();
    if (vaults === this.#vaultsSeen) return;
    this.#vaultsSeen = vaults;
    this.refresh();
  }

  /** Follows new tables, and stops to follow unused ones. */
  refresh(): void {
    this.#removeUnused();
    void this.#add(this.#newTables(), 'later');
  }

  stop(): void {
    for (const subscription of this.#subscriptions.keys()) subscription.stop();
  }

  #usedTables(): Set<Address> {
    const { context, tables } = this.#options;
    const vaults = context.state.vaults();
    const used = new Set([...tables(), ...vaults.map(({ fields }) => fields.vaultLookupTable)]);
    used.delete(ZERO_ADDRESS);
    return used;
  }

  #newTables(): Address[] {
    const known = new Set([...this.#subscriptions.values()].flatMap((tables) => [...tables]));
    return [...this.#usedTables()].filter(
      (table) => !known.has(table) && !this.#rejected.has(table),
    );
  }

  #removeUnused(): void {
    const used = this.#usedTables();
    const removed = new Set<Address>();
    for (const [subscription, tables] of this.#subscriptions) {
      for (const table of tables) {
        if (used.has(table)) continue;
        tables.delete(table);
        removed.add(table);
      }
      if (tables.size > 0) continue;
      subscription.stop();
      this.#subscriptions.delete(subscription);
    }
    if (removed.size === 0) return;
    const selection = { program: ADDRESS_LOOKUP_TABLE_PROGRAM, addresses: removed };
    this.#options.context.state.forget('lookupTable', selection);
  }

  async #add(added: readonly Address[], when: 'initial' | 'later'): Promise<void> {
    if (added.length === 0) return;
    const { context, onGap } = this.#options;
    const tables = new Set(added);
    const subscription = new AccountSubscription(lookupTableAccountSet(tables), context, onGap);
    this.#subscriptions.set(subscription, tables);
    try {
      await subscription.subscribe();
      await (when === 'initial' ? subscription.load() : subscription.reload());
    } catch (error) {
      const wasStopped = subscription.isStopped;
      subscription.stop();
      this.#subscriptions.delete(subscription);
      if (!(error instanceof CodedError)) throw error;
      if (wasStopped) return;
      for (const table of added) this.#rejected.add(table);
      const details = { tables: added.length, error: formatError(error) };
      context.log.warn(details, 'lookup tables are not followed');
    }
  }
}
