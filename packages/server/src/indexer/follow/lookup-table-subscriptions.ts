import { type Address, CodedError, formatError, ZERO_ADDRESS } from '@tidegate/core/base';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '@tidegate/core/protocol/spl';
import { lookupTableAccountSet } from './account-sets.ts';
import {
  AccountSubscription,
  type AccountSubscriptionContext,
  type OnGap,
} from './account-subscription.ts';

type LookupTableTracksOptions = {
  readonly context: AccountSubscriptionContext;
  readonly onGap: OnGap;
  /** Beside those that vaults name. */
  readonly tables: readonly Address[];
};

/** Lookup tables that somebody names, followed one by one: there are far too many others to scan for them. */
export class LookupTableSubscriptions {
  readonly #options: LookupTableTracksOptions;
  /** With the tables that are still named, of those that each was started for. */
  readonly #tracks = new Map<AccountSubscription, Set<Address>>();
  readonly #refused = new Set<Address>();
  #vaultsSeen: readonly unknown[] = [];

  constructor(options: LookupTableTracksOptions) {
    this.#options = options;
  }

  /** During the first load, when nobody reads. */
  async load(): Promise<void> {
    await this.#add(this.#newTables(), 'first');
  }

  /** Vaults come, and name other tables. */
  update(): void {
    const vaults = this.#options.context.state.vaults();
    if (vaults === this.#vaultsSeen) return;
    this.#vaultsSeen = vaults;
    this.#dropUnnamed();
    void this.#add(this.#newTables(), 'later');
  }

  stop(): void {
    for (const track of this.#tracks.keys()) track.stop();
  }

  #named(): Set<Address> {
    const { context, tables } = this.#options;
    const vaults = context.state.vaults();
    const named = new Set([...tables, ...vaults.map(({ fields }) => fields.vaultLookupTable)]);
    named.delete(ZERO_ADDRESS);
    return named;
  }

  #newTables(): Address[] {
    const known = new Set([...this.#tracks.values()].flatMap((tables) => [...tables]));
    return [...this.#named()].filter((table) => !known.has(table) && !this.#refused.has(table));
  }

  #dropUnnamed(): void {
    const named = this.#named();
    const dropped = new Set<Address>();
    for (const [track, tables] of this.#tracks) {
      for (const table of tables) {
        if (named.has(table)) continue;
        tables.delete(table);
        dropped.add(table);
      }
      if (tables.size > 0) continue;
      track.stop();
      this.#tracks.delete(track);
    }
    if (dropped.size === 0) return;
    const selection = { program: ADDRESS_LOOKUP_TABLE_PROGRAM, addresses: dropped };
    this.#options.context.state.forget('lookupTable', selection);
  }

  async #add(added: readonly Address[], when: 'first' | 'later'): Promise<void> {
    if (added.length === 0) return;
    const { context, onGap } = this.#options;
    const tables = new Set(added);
    const track = new AccountSubscription(lookupTableAccountSet(tables), context, onGap);
    this.#tracks.set(track, tables);
    try {
      await track.follow();
      await (when === 'first' ? track.load() : track.reload());
    } catch (error) {
      const wasStopped = track.isStopped;
      track.stop();
      this.#tracks.delete(track);
      if (!(error instanceof CodedError)) throw error;
      if (wasStopped) return;
      for (const table of added) this.#refused.add(table);
      const facts = { tables: added.length, error: formatError(error) };
      context.log.warn(facts, 'lookup tables are not followed');
    }
  }
}
