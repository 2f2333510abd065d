import type { Address, ChainTime, ClusterAccount } from '@tidegate/core/base';
import type { ExecutionResult } from '../execute-instructions.ts';
import type { AccountReader } from '../transaction-accounts.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** What it was run on. */
export type ExecutionContext = { readonly accounts: AccountReader; readonly time: ChainTime };

export type TransactionResult = ExecutionResult & {
  /** With the fee, which is paid for a failed one too. */
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/** Runs transactions that were checked, on accounts as they are; changes nothing itself. */
export type Executor = {
  hasProgram(address: Address): boolean;
  execute(transaction: LoadedTransaction, moment: ExecutionContext): TransactionResult;
};
