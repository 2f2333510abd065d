import { rentExemptLamports, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import type { AccountReader } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** Undefined if the first signer can pay the fee. */
export function feePayerError(
  { accounts, fee }: Pick<LoadedTransaction, 'accounts' | 'fee'>,
  bank: AccountReader,
): TransactionError | undefined {
  const [payer] = accounts;
  const account = payer && bank.account(payer.address);
  if (account === undefined || account.lamports === 0n) return 'AccountNotFound';
  if (account.owner !== SYSTEM_PROGRAM || account.data.length > 0) return 'InvalidAccountForFee';
  const remaining = account.lamports - fee;
  if (remaining < 0n) return 'InsufficientFundsForFee';
  if (remaining === 0n || remaining >= rentExemptLamports(0)) return undefined;
  return { InsufficientFundsForRent: { account_index: 0 } };
}
