import type { ChainTime } from '@tidegate/core/base';
import type {
  LoadedAddresses,
  Message,
  MessageAccount,
} from '@tidegate/core/protocol/spl/transaction';
import type { ExecutionResult } from '../execute-instructions.ts';
import type { TokenAccountBalance } from './token-balances.ts';

/** An executed transaction, with everything that a node returns of it. */
export type TransactionRecord = ExecutionResult & {
  readonly signature: string;
  readonly signatures: readonly string[];
  /** Time of its slot. */
  readonly time: ChainTime;
  readonly wire: Uint8Array;
  readonly message: Message;
  readonly loaded: LoadedAddresses;
  /** In index order. */
  readonly accounts: readonly MessageAccount[];
  readonly fee: bigint;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly TokenAccountBalance[];
  readonly postTokenBalances: readonly TokenAccountBalance[];
};
