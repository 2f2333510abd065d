import type { Address } from '../../base/address.ts';
import type { ClusterAccount } from '../../base/cluster-account.ts';
import type { ChainTime } from '../../base/time.ts';
import type { AccountReader } from '../runtime/live-accounts.ts';
import type { Ran } from '../runtime/run-instructions.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** What it was run on. */
export type Moment = { readonly accounts: AccountReader; readonly time: ChainTime };

export type Executed = Ran & {
  /** With the fee, which is paid for a failed one too. */
  readonly changes: ReadonlyMap<Address, ClusterAccount | undefined>;
};

/** Runs transactions that were checked, on accounts as they are; changes nothing itself. */
export type Executor = {
  hasProgram(address: Address): boolean;
  execute(transaction: LoadedTransaction, moment: Moment): Executed;
};
