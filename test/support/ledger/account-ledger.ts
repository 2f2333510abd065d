import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { type LedgerTransaction, parseLedgerTransaction } from './ledger-transaction.ts';

export type LedgerTime = { readonly slot: bigint; readonly unix: bigint };

/** The resolution of a sample. */
export type Sample = LedgerTime & { readonly resolution: 'minute' | 'hour' };

/** The first full minute, hour or day that is not before a time. */
export const nextFull = (unix: bigint, seconds: bigint): bigint =>
  unix % seconds === 0n ? unix : unix - (unix % seconds) + seconds;

type Layout<Value> = {
  matches(account: RawAccount): boolean;
  decode(account: RawAccount): Value;
};

type Entry = { readonly slot: bigint; readonly account: RawAccount | undefined };

/**
 * A complete record of a cluster: the data of every account after each change, all transactions, and the sample times.
 * It returns the state at any time.
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

  /** Undefined if the account does not exist or is of another kind. */
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

  /** All accounts of a kind at a time. */
  all<Value>(
    layout: Layout<Value>,
    at: Pick<LedgerTime, 'slot'>,
  ): readonly { readonly address: Address; readonly fields: Value }[] {
    return [...this.#entries.keys()].flatMap((address) => {
      const fields = this.find(layout, address, at);
      return fields === undefined ? [] : [{ address, fields }];
    });
  }

  /** Addresses that ever had an account of the kind. */
  addressesOf<Value>(
    layout: Layout<Value>,
    isMeant: (fields: Value) => boolean,
  ): readonly Address[] {
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

  /** The last sample at or before a time. */
  sampleAt(unix: bigint): Sample | undefined {
    return this.samples.findLast((sample) => sample.unix <= unix);
  }

  /** The last sample at or before each full minute, hour or day that has one since the one before, by that time. */
  lastBefore(seconds: bigint): ReadonlyMap<bigint, Sample> {
    return new Map(this.samples.map((sample) => [nextFull(sample.unix, seconds), sample]));
  }

  #decode<Value>(layout: Layout<Value>, account: RawAccount): Value {
    const known = this.#decoded.get(account);
    // an account is decoded as one kind only
    if (known !== undefined) return known as Value;
    const value = layout.decode(account);
    this.#decoded.set(account, value);
    return value;
  }
}
