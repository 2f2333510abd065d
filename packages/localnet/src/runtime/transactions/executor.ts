import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
import type { ExecutionResult } from '../execute-instructions.ts';
import type { AccountReader } from '../transaction-accounts.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** Accounts and time that a transaction executes with. */
export type ExecutionContext = { readonly accounts: AccountReader; readonly time: ChainTime };

export type TransactionResult = ExecutionResult & {
  /** Includes the fee, which failed transactions pay too. */
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/** Executes checked transactions. Does not write to the bank. */
export type Executor = {
  /** By which keepers, bots and builders compute for the cluster. */
  readonly rules: ProgramRules;
  hasProgram(address: Address): boolean;
  execute(transaction: LoadedTransaction, context: ExecutionContext): TransactionResult;
};
