import { CLOCK_ADDRESS } from '@tidegate/core/base';
import { modelPrograms } from '../programs/model-programs.ts';
import { Bank, type BankStart } from '../runtime/bank.ts';
import { clockSysvar } from '../runtime/clock-account.ts';
import { timeOfSlot } from '../runtime/slot-time.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import { Transactions } from '../runtime/transactions/transaction-pipeline.ts';

/** Accounts, and the transactions that change them. */
export type Cluster = {
  readonly bank: Bank;
  readonly transactions: Transactions;
  /** Of its blockhashes, prices and keys. */
  readonly seed: string;
};

export type ClusterStart = BankStart & {
  readonly seed: string;
  /** Our own model of the programs unless told otherwise. */
  readonly executor?: Executor;
};

export function createCluster({ accounts, at, seed, ...rest }: ClusterStart): Cluster {
  const { executor = createModelExecutor(modelPrograms()), slot = at.slot } = rest;
  const clock = clockSysvar(timeOfSlot(at, slot));
  const bank = new Bank({ accounts: new Map(accounts).set(CLOCK_ADDRESS, clock), at, slot });
  return { bank, transactions: new Transactions({ bank, executor, seed }), seed };
}
