import { CLOCK_SYSVAR } from '@tidegate/core/base';
import { modelPrograms } from '../programs/model-programs.ts';
import { Bank, type BankOptions } from '../runtime/bank.ts';
import { clockAccount } from '../runtime/clock-account.ts';
import { timeOfSlot } from '../runtime/slot-time.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';

/** Accounts, and the transactions that change them. */
export type LocalCluster = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  /** Of its blockhashes, prices and keys. */
  readonly seed: string;
};

export type ClusterOptions = BankOptions & {
  readonly seed: string;
  /** Our own model of the programs unless told otherwise. */
  readonly executor?: Executor;
};

export function createLocalCluster({ accounts, at, seed, ...rest }: ClusterOptions): LocalCluster {
  const { executor = createModelExecutor(modelPrograms()), slot = at.slot } = rest;
  const clock = clockAccount(timeOfSlot(at, slot));
  const bank = new Bank({ accounts: new Map(accounts).set(CLOCK_SYSVAR, clock), at, slot });
  return { bank, transactions: new TransactionPipeline({ bank, executor, seed }), seed };
}
