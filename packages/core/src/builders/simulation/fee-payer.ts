import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import {
  type TransactionFee,
  transactionFee,
} from '../../protocol/spl/transaction/transaction-fee.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';

/** What a cluster refuses before any program is asked, in its own name for it. */
export type ClusterRejection = { readonly name: string; readonly message: string };

/** A wallet keeps none at all, or as much as an account without data must have. */
const LEAST_LEFT = rentExemptLamports(0);

export function estimateFee(
  { instructions }: Pick<Build, 'instructions'>,
  { computeUnitLimit, computeUnitPrice }: ComputeBudget,
): TransactionFee {
  const run = instructions.filter(
    ({ programAddress }) => findKnownProgram(programAddress)?.name !== 'computeBudget',
  );
  return transactionFee({
    signatures: 1,
    instructions: run.length,
    unitLimit: computeUnitLimit === undefined ? undefined : BigInt(computeUnitLimit),
    unitPrice: computeUnitPrice,
  });
}

type Payment = { readonly feeLamports: bigint; readonly scene: BuildContext };

/** What there is once the wallet has paid the fee, which comes before everything else. */
export function deductFee(
  { wallet }: Pick<Build, 'wallet'>,
  { feeLamports, scene }: Payment,
): BuildContext | ClusterRejection {
  const account = scene.accounts.get(wallet);
  if (account === undefined || account.lamports === 0n) {
    return { name: 'AccountNotFound', message: 'The wallet has no SOL to pay the fee with.' };
  }
  const { owner, lamports } = account;
  if (owner !== SYSTEM_PROGRAM) {
    const message = `The wallet belongs to the program ${owner}: it cannot pay a fee itself.`;
    return { name: 'InvalidAccountForFee', message };
  }
  if (lamports < feeLamports) {
    const message = `The wallet has ${lamports} lamports, and the fee is ${feeLamports}.`;
    return { name: 'InsufficientFundsForFee', message };
  }
  const left = lamports - feeLamports;
  const accounts = new Map(scene.accounts).set(wallet, { ...account, lamports: left });
  return refusalOf(left) ?? { ...scene, accounts };
}

/** `change`: of the wallet's lamports, by all that is run. */
export function checkRentExemptBalance(
  { wallet }: Pick<Build, 'wallet'>,
  change: bigint,
  paid: BuildContext,
): ClusterRejection | undefined {
  return refusalOf((paid.accounts.get(wallet)?.lamports ?? 0n) + change);
}

function refusalOf(left: bigint): ClusterRejection | undefined {
  if (left === 0n || left >= LEAST_LEFT) return undefined;
  const message = `The wallet would be left with ${left} lamports: none, or ${LEAST_LEFT} and more may be left.`;
  return { name: 'InsufficientFundsForRent', message };
}
