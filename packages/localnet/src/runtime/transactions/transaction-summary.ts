import type { ChainTime } from '@tidegate/core/base';
import type { TransactionError } from '../transaction-errors.ts';
import { memoText } from './memo-text.ts';
import { resolveInstructions } from './message-instructions.ts';
import type { TransactionRecord } from './transaction-record.ts';

/** What a list of signatures returns of a transaction. */
export type TransactionSummary = {
  readonly signature: string;
  /** Time of its slot. */
  readonly time: ChainTime;
  readonly error: TransactionError | undefined;
  readonly memo: string | undefined;
};

export const summarizeTransaction = ({
  signature,
  time,
  error,
  message,
  accounts,
}: TransactionRecord): TransactionSummary => ({
  signature,
  time,
  error,
  memo: memoText(resolveInstructions(message, accounts)),
});
