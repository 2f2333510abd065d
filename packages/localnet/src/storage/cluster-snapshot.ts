import type { Address, ChainTime, Slot } from '@tidegate/core/base';
import type { Bank } from '../runtime/bank.ts';
import type { PackedTransaction } from '../runtime/transactions/packed-transaction.ts';
import type { TransactionLedger } from '../runtime/transactions/transaction-ledger.ts';
import { type PackedAccount, packAccount } from './packed-account.ts';

/** What was played before slots began to pass. */
export type GenesisPlan = {
  readonly seed: string;
  readonly days: number;
  readonly until: ChainTime;
};

/** A cluster as of the newest slot that was closed. */
export type ClusterSnapshot = {
  readonly played: GenesisPlan;
  /** From which the times of all slots are counted. */
  readonly origin: ChainTime;
  readonly newest: ChainTime;
  /** Slots that it is ahead of the wall clock. */
  readonly ahead: bigint;
  readonly accounts: ReadonlyMap<Address, PackedAccount>;
  /** In their order. */
  readonly transactions: readonly PackedTransaction[];
};

/** What a slot changed. */
export type JournalEntry = {
  readonly time: ChainTime;
  readonly ahead: bigint;
  /** Undefined: it exists no more. */
  readonly accounts: ReadonlyMap<Address, PackedAccount | undefined>;
  readonly transactions: readonly PackedTransaction[];
};

type Cluster = { readonly bank: Bank; readonly ledger: TransactionLedger; readonly ahead: bigint };

/** What the open slot has written is no part of it. */
export function snapshotCluster(
  { bank, ledger, ahead }: Cluster,
  played: GenesisPlan,
): ClusterSnapshot {
  return {
    ...{ played, ahead, origin: bank.origin, newest: bank.timeOf(bank.slot) },
    accounts: new Map(
      Array.from(bank.accounts(), ({ address, account }) => [address, packAccount(account)]),
    ),
    transactions: ledger.packedEntries(),
  };
}

/**
 * What is to be kept of the open slot, just before it is closed as `slot`: its transactions, what it wrote of the
 * accounts that they name, and the accounts that were `written` by hand. The rest is of keepers, who make it anew; what
 * they wrote and a transaction then read is kept with it, or a loan could come back newer than its reserve.
 */
export function createJournalEntry(
  { bank, ledger, ahead }: Cluster,
  slot: Slot,
  written: readonly Address[],
): JournalEntry {
  const transactions = ledger.packedOfSlot(slot);
  const open = new Set(bank.openAddresses());
  const named = transactions.flatMap(({ addresses }) => addresses);
  const addresses = new Set([...written, ...named.filter((address) => open.has(address))]);
  const packed = (address: Address) => {
    const account = bank.account(address);
    return account && packAccount(account);
  };
  return {
    ...{ ahead, transactions, time: bank.timeOf(slot) },
    accounts: new Map(Array.from(addresses, (address) => [address, packed(address)])),
  };
}

/** Whether nothing would be lost without it. */
export const isEmptyEntry = ({ accounts, transactions }: JournalEntry): boolean =>
  accounts.size === 0 && transactions.length === 0;

/** The cluster after those slots. */
export function applyJournal(
  cluster: ClusterSnapshot,
  slots: readonly JournalEntry[],
): ClusterSnapshot {
  const last = slots.at(-1);
  if (last === undefined) return cluster;
  const accounts = new Map(cluster.accounts);
  for (const [address, account] of slots.flatMap((slot) => [...slot.accounts])) {
    if (account === undefined) accounts.delete(address);
    else accounts.set(address, account);
  }
  return {
    ...cluster,
    ...{ accounts, newest: last.time, ahead: last.ahead },
    transactions: [...cluster.transactions, ...slots.flatMap(({ transactions }) => transactions)],
  };
}
