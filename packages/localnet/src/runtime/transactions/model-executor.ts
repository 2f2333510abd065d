import type { ClusterAccount } from '@tidegate/core/base';
import { NEWEST_RULES, type ProgramRules } from '@tidegate/core/protocol/releases';
import { rentExemptLamports } from '@tidegate/core/protocol/spl';
import { executeInstructions } from '../execute-instructions.ts';
import type { ProgramRegistry } from '../program.ts';
import { TransactionAccounts } from '../transaction-accounts.ts';
import type { TransactionError } from '../transaction-errors.ts';
import type { Executor } from './executor.ts';
import type { LoadedTransaction } from './load-transaction.ts';

/** Executes with the built-in model of the programs, which follows the rules. */
export function createModelExecutor(
  programs: ProgramRegistry,
  rules: ProgramRules = NEWEST_RULES,
): Executor {
  return {
    rulesAt: () => rules,
    hasProgram: (address) => programs.has(address),
    execute(transaction, { accounts: bank, time }) {
      const accountOverlay = new TransactionAccounts(bank);
      chargeFee(accountOverlay, transaction);
      const feeChanges = accountOverlay.changes();
      const { instructions, unitLimit } = transaction;
      const result = executeInstructions({
        programs,
        accounts: accountOverlay,
        time,
        instructions,
        unitLimit,
      });
      const error = result.error ?? rentError(accountOverlay, transaction);
      return {
        ...result,
        error,
        changes: error === undefined ? accountOverlay.changes() : feeChanges,
      };
    },
  };
}

function chargeFee(
  accountOverlay: TransactionAccounts,
  { accounts, fee }: LoadedTransaction,
): void {
  const [payer] = accounts;
  if (payer === undefined) return;
  const account = accountOverlay.get(payer.address);
  accountOverlay.set(payer.address, { ...account, lamports: account.lamports - fee });
}

/** An account is empty or rent-exempt. An account below the minimum may only stay as it was. */
function rentError(
  accountOverlay: TransactionAccounts,
  { accounts }: LoadedTransaction,
): TransactionError | undefined {
  const index = accounts.findIndex(({ address, isWritable }) => {
    if (!isWritable) return false;
    const [before, after] = [accountOverlay.before(address), accountOverlay.get(address)];
    return isBelowRent(after) && !(isBelowRent(before) && isUnchangedOrLess(after, before));
  });
  return index === -1 ? undefined : { InsufficientFundsForRent: { account_index: index } };
}

const isBelowRent = ({ lamports, data }: ClusterAccount): boolean =>
  lamports > 0n && lamports < rentExemptLamports(data.length);

const isUnchangedOrLess = (after: ClusterAccount, before: ClusterAccount): boolean =>
  after.data.length === before.data.length && after.lamports <= before.lamports;
