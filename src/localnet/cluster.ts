import { CLOCK_ADDRESS } from '../chain/clock-account.ts';
import { Bank, type BankStart } from './bank.ts';
import { clockSysvar } from './clock-sysvar.ts';
import { modelPrograms } from './programs/programs.ts';
import { timeOfSlot } from './slot-clock.ts';
import type { Executor } from './transactions/executor.ts';
import { createModelExecutor } from './transactions/model-executor.ts';
import { Transactions } from './transactions/transactions.ts';

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
