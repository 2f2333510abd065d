import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import {
  type TransactionFee,
  transactionFee,
} from '../../protocol/spl/transaction/transaction-fee.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';

/** A rejection by the cluster before any program runs, with the cluster's error name. */
export type ClusterRejection = { readonly name: string; readonly message: string };

/** A wallet must be empty or hold the rent of an account without data. */
const MIN_BALANCE = rentExemptLamports(0);

export function estimateFee(
  { instructions }: Pick<Build, 'instructions'>,
  { computeUnitLimit, computeUnitPrice }: ComputeBudget,
): TransactionFee {
  const executed = instructions.filter(
    ({ programAddress }) => findKnownProgram(programAddress)?.name !== 'computeBudget',
  );
  return transactionFee({
    signatures: 1,
    instructions: executed.length,
    unitLimit: computeUnitLimit === undefined ? undefined : BigInt(computeUnitLimit),
    unitPrice: computeUnitPrice,
  });
}

type Payment = { readonly feeLamports: bigint; readonly context: BuildContext };

/** The accounts after the wallet has paid the fee, which the cluster charges first. */
export function deductFee(
  { wallet }: Pick<Build, 'wallet'>,
  { feeLamports, context }: Payment,
): BuildContext | ClusterRejection {
  const account = context.accounts.get(wallet);
  if (account === undefined || account.lamports === 0n) {
    return { name: 'AccountNotFound', message: 'The wallet has no SOL for the fee.' };
  }
  const { owner, lamports } = account;
  if (owner !== SYSTEM_PROGRAM) {
    const message = `The wallet is owned by the program ${owner} and cannot pay fees.`;
    return { name: 'InvalidAccountForFee', message };
  }
  if (lamports < feeLamports) {
    const message = `The wallet has ${lamports} lamports; the fee is ${feeLamports}.`;
    return { name: 'InsufficientFundsForFee', message };
  }
  const remaining = lamports - feeLamports;
  const accounts = new Map(context.accounts).set(wallet, { ...account, lamports: remaining });
  return rejectionOf(remaining) ?? { ...context, accounts };
}

/** `change`: of the wallet's lamports by the whole transaction. */
export function checkRentExemptBalance(
  { wallet }: Pick<Build, 'wallet'>,
  change: bigint,
  paid: BuildContext,
): ClusterRejection | undefined {
  return rejectionOf((paid.accounts.get(wallet)?.lamports ?? 0n) + change);
}

function rejectionOf(remaining: bigint): ClusterRejection | undefined {
  if (remaining === 0n || remaining >= MIN_BALANCE) return undefined;
  const message = `The wallet would be left with ${remaining} lamports; it needs 0 or at least ${MIN_BALANCE}.`;
  return { name: 'InsufficientFundsForRent', message };
}
