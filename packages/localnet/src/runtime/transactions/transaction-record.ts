import type { ChainTime } from '@tidegate/core/base';
import type {
  LoadedAddresses,
  Message,
  MessageAccount,
} from '@tidegate/core/protocol/spl/transaction';
import type { ExecutionResult } from '../execute-instructions.ts';
import type { TokenAccountBalance } from './token-balances.ts';

/** A transaction that was run, and all that a node tells of it. */
export type TransactionRecord = ExecutionResult & {
  readonly signature: string;
  readonly signatures: readonly string[];
  /** When it was run. */
  readonly time: ChainTime;
  readonly wire: Uint8Array;
  readonly message: Message;
  readonly loaded: LoadedAddresses;
  /** In the order of the indexes. */
  readonly accounts: readonly MessageAccount[];
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenAccountBalance[];
  readonly postTokenBalances: readonly TokenAccountBalance[];
};
