import { CLOCK_SYSVAR } from '@tidegate/core/base';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import { modelPrograms } from '../programs/model-programs.ts';
import { Bank, type BankOptions } from '../runtime/bank.ts';
import { clockAccount } from '../runtime/clock-account.ts';
import { timeOfSlot } from '../runtime/slot-time.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';

/** Accounts, and the transaction pipeline that changes them. */
export type LocalCluster = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly rules: ProgramRules;
  /** Blockhashes, prices and keys derive from it. */
  readonly seed: string;
};

export type ClusterOptions = BankOptions & {
  readonly seed: string;
  /** Defaults to the built-in model of the programs. */
  readonly executor?: Executor;
};

export function createLocalCluster({
  accounts,
  origin,
  seed,
  ...rest
}: ClusterOptions): LocalCluster {
  const { executor = createModelExecutor(modelPrograms()), slot = origin.slot } = rest;
  const clock = clockAccount(timeOfSlot(origin, slot));
  const bank = new Bank({ accounts: new Map(accounts).set(CLOCK_SYSVAR, clock), origin, slot });
  const transactions = new TransactionPipeline({ bank, executor, seed });
  return { bank, transactions, rules: executor.rules, seed };
}
