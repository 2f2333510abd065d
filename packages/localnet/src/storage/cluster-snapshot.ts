import type { Address, ChainTime, Slot } from '@tidegate/core/base';
import type { GenesisPlan } from '../genesis/genesis.ts';
import type { Bank } from '../runtime/bank.ts';
import type { PackedTransaction } from '../runtime/transactions/packed-transaction.ts';
import type { TransactionLedger } from '../runtime/transactions/transaction-ledger.ts';
import { type PackedAccount, packAccount } from './packed-account.ts';

/** A cluster at its newest closed slot. */
export type ClusterSnapshot = {
  readonly played: GenesisPlan;
  /** Reference for the times of all slots. */
  readonly origin: ChainTime;
  readonly newest: ChainTime;
  /** Slots ahead of the wall clock. */
  readonly ahead: bigint;
  readonly accounts: ReadonlyMap<Address, PackedAccount>;
  /** In execution order. */
  readonly transactions: readonly PackedTransaction[];
};

/** The changes of one slot. */
export type JournalEntry = {
  readonly time: ChainTime;
  readonly ahead: bigint;
  /** Undefined for deleted accounts. */
  readonly accounts: ReadonlyMap<Address, PackedAccount | undefined>;
  readonly transactions: readonly PackedTransaction[];
};

type Cluster = { readonly bank: Bank; readonly ledger: TransactionLedger; readonly ahead: bigint };

/** Excludes the writes of the open slot. */
export function snapshotCluster(
  { bank, ledger, ahead }: Cluster,
  plan: GenesisPlan,
): ClusterSnapshot {
  return {
    played: plan,
    ahead,
    origin: bank.origin,
    newest: bank.timeOf(bank.slot),
    accounts: new Map(
      Array.from(bank.accounts(), ({ address, account }) => [address, packAccount(account)]),
    ),
    transactions: ledger.packedEntries(),
  };
}

/**
 * The stored part of the open slot, just before it closes as `slot`: its transactions, the accounts
 * they use that were written in this slot, and the accounts set through the controls. Keepers
 * recompute the rest; their writes are stored only where a transaction read them, otherwise a loan
 * could be restored newer than its reserve.
 */
export function createJournalEntry(
  { bank, ledger, ahead }: Cluster,
  entry: Slot,
  written: readonly Address[],
): JournalEntry {
  const transactions = ledger.packedInSlot(entry);
  const pending = new Set(bank.pendingAddresses());
  const used = transactions.flatMap(({ addresses }) => addresses);
  const addresses = new Set([...written, ...used.filter((address) => pending.has(address))]);
  const packCurrent = (address: Address) => {
    const account = bank.account(address);
    return account && packAccount(account);
  };
  return {
    ahead,
    transactions,
    time: bank.timeOf(entry),
    accounts: new Map(Array.from(addresses, (address) => [address, packCurrent(address)])),
  };
}

/** Whether the entry can be dropped. */
export const isEmptyEntry = ({ accounts, transactions }: JournalEntry): boolean =>
  accounts.size === 0 && transactions.length === 0;

/** The cluster after those slots. */
export function applyJournal(
  cluster: ClusterSnapshot,
  entries: readonly JournalEntry[],
): ClusterSnapshot {
  const last = entries.at(-1);
  if (last === undefined) return cluster;
  const accounts = new Map(cluster.accounts);
  for (const [address, account] of entries.flatMap((entry) => [...entry.accounts])) {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
  }
  return {
    ...cluster,
    accounts,
    newest: last.time,
    ahead: last.ahead,
    transactions: [...cluster.transactions, ...entries.flatMap(({ transactions }) => transactions)],
  };
}
