import { type Address, CLOCK_SYSVAR } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import { createReleaseExecutor } from '../programs/release-executor.ts';
import { Bank, type BankOptions } from '../runtime/bank.ts';
import { clockAccount } from '../runtime/clock-account.ts';
import { timeOfSlot } from '../runtime/slot-time.ts';
import type { Executor } from '../runtime/transactions/executor.ts';
import { TransactionPipeline } from '../runtime/transactions/transaction-pipeline.ts';
import { deployScheduled } from './program-deployments.ts';

/** Accounts, and the transaction pipeline that changes them. */
export type LocalCluster = {
  readonly bank: Bank;
  readonly transactions: TransactionPipeline;
  readonly rulesAt: RulesAt;
  /** Blockhashes, prices and keys derive from it. */
  readonly seed: string;
  /** Absent if its programs have no accounts, or those of another cluster. */
  readonly deploymentsAt?: Executor['deploymentsAt'];
};

export type ClusterOptions = BankOptions & {
  readonly seed: string;
  /** Defaults to the built-in model of the programs. */
  readonly executor?: Executor;
  /** The accounts of its programs are those of another cluster. */
  readonly isForked?: boolean;
};

export function createLocalCluster({
  accounts,
  origin,
  seed,
  ...rest
}: ClusterOptions): LocalCluster {
  const { executor = createReleaseExecutor(), slot = origin.slot, isForked = false } = rest;
  const deploymentsAt = isForked ? undefined : executor.deploymentsAt;
  const initial = new Map(accounts);
  const reader = { account: (address: Address) => initial.get(address) };
  const deployed = deployScheduled(deploymentsAt?.(slot) ?? [], reader, seed);
  for (const [address, account] of deployed) initial.set(address, account);
  initial.set(CLOCK_SYSVAR, clockAccount(timeOfSlot(origin, slot)));
  const bank = new Bank({ accounts: initial, origin, slot });
  const transactions = new TransactionPipeline({ bank, executor, seed });
  const rulesAt: RulesAt = (at) => executor.rulesIn?.(bank, at) ?? executor.rulesAt(at);
  return { bank, transactions, rulesAt, seed, deploymentsAt };
}
