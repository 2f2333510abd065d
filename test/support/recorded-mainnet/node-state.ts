import type { Address } from '#core/base/encoding/address.ts';
import { toAddress } from '#core/base/encoding/address.ts';
import { CLOCK_SYSVAR } from '#core/base/solana/clock-sysvar.ts';
import type { ClusterAccount, KeyedAccount } from '#core/base/solana/cluster-account.ts';
import type { RecordedTransaction } from './recorded-set.ts';

/** The slot at which a node starts, and the chain time of that slot. */
export type NodeStart = { readonly slot: bigint; readonly unix: bigint };

/** `account` is undefined for a closed account. */
type AccountChange = { readonly address: Address; readonly account: ClusterAccount | undefined };

export type NodeListener = {
  readonly onAccount: (change: AccountChange) => void;
  readonly onSlot: () => void;
  readonly onTransaction: (transaction: RecordedTransaction) => void;
};

/** Mainnet's target duration of a slot. */
const SLOT_MS = 400n;
const SLOTS_PER_EPOCH = 432_000n;
const SYSVAR_OWNER = toAddress('Sysvar1111111111111111111111111111111111111');

/** The accounts and transactions of a node at its current slot. Every change opens a new slot. */
export class NodeState {
  readonly #start: NodeStart;
  readonly #accounts: Map<Address, ClusterAccount>;
  readonly #transactions: RecordedTransaction[];
  readonly #listeners = new Set<NodeListener>();
  #slot: bigint;

  constructor(
    start: NodeStart,
    accounts: readonly KeyedAccount[],
    transactions: readonly RecordedTransaction[],
  ) {
    this.#start = start;
    this.#slot = start.slot;
    this.#accounts = new Map(accounts.map(({ address, account }) => [address, account]));
    this.#transactions = [...transactions];
  }

  get slot(): bigint {
    return this.#slot;
  }

  /** Seconds since 1970 at a slot. */
  unixAt(slot: bigint): bigint {
    return this.#start.unix + ((slot - this.#start.slot) * SLOT_MS) / 1000n;
  }

  /** The account at the current slot; `atSlot` only sets the slot that the clock account shows. */
  account(address: string, atSlot = this.#slot): ClusterAccount | undefined {
    return address === CLOCK_SYSVAR
      ? this.#clockAccount(atSlot)
      : this.#accounts.get(address as Address);
  }

  programAccounts(program: string): KeyedAccount[] {
    return [...this.#accounts]
      .filter(([, { owner }]) => owner === program)
      .map(([address, account]) => ({ address, account }));
  }

  /** Newest first. */
  transactions(): readonly RecordedTransaction[] {
    return this.#transactions.toSorted((a, b) => b.slot - a.slot);
  }

  setAccount(address: Address, account: ClusterAccount): void {
    this.#accounts.set(address, account);
    this.#openSlot(({ onAccount }) => onAccount({ address, account }));
  }

  removeAccount(address: Address): void {
    this.#accounts.delete(address);
    this.#openSlot(({ onAccount }) => onAccount({ address, account: undefined }));
  }

  addTransaction(transaction: RecordedTransaction): void {
    this.#transactions.push(transaction);
    this.#openSlot(({ onTransaction }) => onTransaction(transaction));
  }

  advance(slots: number): void {
    for (let opened = 0; opened < slots; opened++) this.#openSlot();
  }

  listen(listener: NodeListener): void {
    this.#listeners.add(listener);
  }

  #openSlot(announce?: (listener: NodeListener) => void): void {
    this.#slot += 1n;
    for (const listener of this.#listeners) {
      announce?.(listener);
      listener.onSlot();
    }
  }

  #clockAccount(slot: bigint): ClusterAccount {
    const data = Buffer.alloc(40);
    const epoch = slot / SLOTS_PER_EPOCH;
    data.writeBigUInt64LE(slot, 0);
    data.writeBigInt64LE(this.unixAt(epoch * SLOTS_PER_EPOCH), 8);
    data.writeBigUInt64LE(epoch, 16);
    data.writeBigUInt64LE(epoch + 1n, 24);
    data.writeBigInt64LE(this.unixAt(slot), 32);
    return { owner: SYSVAR_OWNER, lamports: 1_169_280n, data: Uint8Array.from(data) };
  }
}
