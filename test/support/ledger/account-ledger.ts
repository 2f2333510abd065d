import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { type LedgerTransaction, parseLedgerTransaction } from './ledger-transaction.ts';

export type LedgerTime = { readonly slot: bigint; readonly unix: bigint };

/** What a look at everything was kept for. */
export type Sample = LedgerTime & { readonly resolution: 'minute' | 'hour' };

type Layout<Value> = {
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Value;
};

type Entry = { readonly slot: bigint; readonly account: RawAccount | undefined };

/**
 * All that a cluster did, as plain lists: the bytes of every account after each slot in which they changed, all
 * transactions, and when history was sampled. What was at any time is looked up in them.
 */
export class AccountLedger {
  readonly #entries = new Map<Address, Entry[]>();
  readonly #decoded = new WeakMap<RawAccount, unknown>();
  readonly samples: Sample[] = [];
  readonly transactions: LedgerTransaction[] = [];

  observe({ at, slots, transactions, sample }: ClusterStep): void {
    for (const { at: when, accounts } of slots) {
      for (const { address, account } of accounts) {
        const entries = this.#entries.get(address) ?? [];
        this.#entries.set(address, entries);
        entries.push({ slot: when.slot, account });
      }
    }
    for (const { json } of transactions) this.transactions.push(parseLedgerTransaction(json));
    if (sample !== undefined) this.samples.push({ ...at, resolution: sample });
  }

  account(address: Address, { slot }: Pick<LedgerTime, 'slot'>): RawAccount | undefined {
    return this.#entries.get(address)?.findLast((entry) => entry.slot <= slot)?.account;
  }

  /** Undefined where it is not there, or something else. */
  find<Value>(
    layout: Layout<Value>,
    address: Address,
    at: Pick<LedgerTime, 'slot'>,
  ): Value | undefined {
    const account = this.account(address, at);
    return account && layout.matches(account) ? this.#decode(layout, account) : undefined;
  }

  get<Value>(layout: Layout<Value>, address: Address, at: Pick<LedgerTime, 'slot'>): Value {
    const found = this.find(layout, address, at);
    if (found === undefined) throw new Error(`nothing of that kind at ${address}`);
    return found;
  }

  /** All of a kind that were there then. */
  all<Value>(
    layout: Layout<Value>,
    at: Pick<LedgerTime, 'slot'>,
  ): readonly { readonly address: Address; readonly fields: Value }[] {
    return [...this.#entries.keys()].flatMap((address) => {
      const fields = this.find(layout, address, at);
      return fields === undefined ? [] : [{ address, fields }];
    });
  }

  /** Where there ever was one of a kind that is meant. */
  addressesOf<Value>(layout: Layout<Value>, isMeant: (fields: Value) => boolean): readonly Address[] {
    return [...this.#entries].flatMap(([address, entries]) =>
      entries.some(
        ({ account }) =>
          account !== undefined &&
          layout.matches(account) &&
          isMeant(this.#decode(layout, account)),
      )
        ? [address]
        : [],
    );
  }

  /** The last look that was not after a time. */
  sampleAt(unix: bigint): Sample | undefined {
    return this.samples.findLast((sample) => sample.unix <= unix);
  }

  /** The last look of each stretch of so many seconds that had one, by when the stretch began. */
  lastOfEach(seconds: bigint): ReadonlyMap<bigint, Sample> {
    return new Map(this.samples.map((sample) => [sample.unix - (sample.unix % seconds), sample]));
  }

  #decode<Value>(layout: Layout<Value>, account: RawAccount): Value {
    const known = this.#decoded.get(account);
    // one account is read as one kind only
    if (known !== undefined) return known as Value;
    const value = layout.decode(account);
    this.#decoded.set(account, value);
    return value;
  }
}
