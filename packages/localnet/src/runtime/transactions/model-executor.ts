import type { ClusterAccount } from '@tidegate/core/base';
import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import { executeInstructions } from '../execute-instructions.ts';
import type { ProgramRegistry } from '../program.ts';
import { TransactionAccounts } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { Executor } from './executor.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** Executes by our own model of the programs. */
export function createModelExecutor(programs: ProgramRegistry): Executor {
  return {
    hasProgram: (address) => programs.has(address),
    execute(transaction, { accounts: bank, time }) {
      const live = new TransactionAccounts(bank);
      chargeFee(live, transaction);
      const onlyFee = live.changes();
      const { instructions, unitLimit } = transaction;
      const ran = executeInstructions({ programs, accounts: live, time, instructions, unitLimit });
      const error = ran.error ?? rentError(live, transaction);
      return { ...ran, error, changes: error === undefined ? live.changes() : onlyFee };
    },
  };
}

function chargeFee(live: TransactionAccounts, { accounts, fee }: LoadedTransaction): void {
  const [payer] = accounts;
  if (payer === undefined) return;
  const account = live.get(payer.address);
  live.set(payer.address, { ...account, lamports: account.lamports - fee });
}

/** An account has nothing, or enough to live for good; one that has less may only stay as it was. */
function rentError(
  live: TransactionAccounts,
  { accounts }: LoadedTransaction,
): TransactionError | undefined {
  const index = accounts.findIndex(({ address, isWritable }) => {
    if (!isWritable) return false;
    const [before, after] = [live.before(address), live.get(address)];
    return isShort(after) && !(isShort(before) && isNoMore(after, before));
  });
  return index === -1 ? undefined : { InsufficientFundsForRent: { account_index: index } };
}

const isShort = ({ lamports, data }: ClusterAccount): boolean =>
  lamports > 0n && lamports < rentExemptLamports(data.length);

const isNoMore = (after: ClusterAccount, before: ClusterAccount): boolean =>
  after.data.length === before.data.length && after.lamports <= before.lamports;
