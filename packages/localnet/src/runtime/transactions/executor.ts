import type { Address, ChainTime, ClusterAccount, Slot } from '@tidegate/core/base';
import type { ProgramName, ProgramRules, RulesAt } from '@tidegate/core/protocol/releases';
import type { ExecutionResult } from '../execute-instructions.ts';
import type { AccountReader } from '../transaction-accounts.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** Accounts and time that a transaction executes with. */
export type ExecutionContext = { readonly accounts: AccountReader; readonly time: ChainTime };

export type TransactionResult = ExecutionResult & {
  /** Includes the fee, which failed transactions pay too. */
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/** The executable that a program has from a slot on, as long as nobody upgrades it. */
export type Deployment = {
  readonly program: ProgramName;
  readonly from: Slot;
  readonly executable: Uint8Array;
  /** The release that the built-in model executes; undefined for a binary. */
  readonly version?: string;
};

/** Executes checked transactions. Does not write to the bank. */
export type Executor = {
  /** By which keepers, bots and builders compute for a slot of the cluster. */
  readonly rulesAt: RulesAt;
  /** Those of a slot on a cluster with these accounts, if the accounts of the programs decide; otherwise `rulesAt` does. */
  rulesIn?(accounts: AccountReader, slot: Slot): ProgramRules;
  /** What the settings of the cluster deploy; absent if its programs have no accounts. */
  deploymentsAt?(slot: Slot): readonly Deployment[];
  hasProgram(address: Address): boolean;
  execute(transaction: LoadedTransaction, context: ExecutionContext): TransactionResult;
};
