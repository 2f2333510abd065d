import type { Address } from '../../base/encoding/address.ts';
import { SIGN } from '../../base/solana/instruction.ts';
import { systemTransfer } from '../../protocol/spl/instructions/system-program.ts';
import { SYSTEM_PROGRAM } from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import {
  type TransactionFee,
  transactionFee,
} from '../../protocol/spl/transaction/transaction-fee.ts';
import { findKnownProgram } from '../../views/transactions/known-programs.ts';
import type { Build, BuildContext, ComputeBudget } from '../build.ts';
import type { FailureDetails } from './simulation-outcome.ts';

/** A rejection by the cluster before any program runs, with the cluster's error name. */
export type ClusterRejection = Pick<FailureDetails, 'figures'> & {
  readonly name: string;
  readonly message: string;
};

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
    signatures: countSigners(instructions),
    instructions: executed.length,
    unitLimit: computeUnitLimit === undefined ? undefined : BigInt(computeUnitLimit),
    unitPrice: computeUnitPrice,
  });
}

/** At least the wallet, which pays the fee. */
function countSigners(instructions: Build['instructions']): number {
  const signers = instructions
    .flatMap(({ accounts }) => accounts)
    .filter(({ role }) => (role & SIGN) !== 0);
  return Math.max(1, new Set(signers.map(({ address }) => address)).size);
}

/** The lamports that a build takes from the wallet beside the fee: rent of new accounts and wrapped SOL. */
function upfrontLamports({ wallet, plan, instructions }: FeePayerBuild): bigint {
  const wrapped = instructions.map(({ programAddress, accounts, data }) => {
    const name = findKnownProgram(programAddress)?.nameOf(data);
    if (programAddress !== SYSTEM_PROGRAM || name !== systemTransfer.name) return 0n;
    const { accounts: named, args } = systemTransfer.decode(SYSTEM_PROGRAM, {
      accounts: accounts.map(({ address }) => address),
      data,
    });
    return named.from === wallet ? args.lamports : 0n;
  });
  return wrapped.reduce((sum, lamports) => sum + lamports, plan.rentLamports);
}

type FeePayerBuild = Pick<Build, 'wallet' | 'instructions'> & {
  readonly plan: Pick<Build['plan'], 'rentLamports'>;
};

type Payment = { readonly feeLamports: bigint; readonly context: BuildContext };

/** The accounts after the wallet has paid the fee, which the cluster charges first. */
export function deductFee(
  build: FeePayerBuild,
  { feeLamports, context }: Payment,
): BuildContext | ClusterRejection {
  const { wallet } = build;
  const account = context.accounts.get(wallet);
  const available = account?.lamports ?? 0n;
  const needed = feeLamports + upfrontLamports(build);
  const figures = { unit: 'sol', needed, available, account: wallet } as const;
  if (account === undefined || available === 0n) {
    return { name: 'AccountNotFound', message: 'The wallet has no SOL for the fee.', figures };
  }
  const { owner, lamports } = account;
  if (owner !== SYSTEM_PROGRAM) {
    const message = `The wallet is owned by the program ${owner} and cannot pay fees.`;
    return { name: 'InvalidAccountForFee', message };
  }
  if (lamports < feeLamports) {
    const message = `The wallet has ${lamports} lamports; the fee is ${feeLamports}.`;
    return { name: 'InsufficientFundsForFee', message, figures };
  }
  const remaining = lamports - feeLamports;
  const accounts = new Map(context.accounts).set(wallet, { ...account, lamports: remaining });
  return rejectionOf(wallet, remaining) ?? { ...context, accounts };
}

/** `change`: of the wallet's lamports by the whole transaction. */
export function checkRentExemptBalance(
  { wallet }: Pick<Build, 'wallet'>,
  change: bigint,
  paid: BuildContext,
): ClusterRejection | undefined {
  return rejectionOf(wallet, (paid.accounts.get(wallet)?.lamports ?? 0n) + change);
}

function rejectionOf(wallet: Address, remaining: bigint): ClusterRejection | undefined {
  if (remaining === 0n || remaining >= MIN_BALANCE) return undefined;
  const message = `The wallet would be left with ${remaining} lamports; it needs 0 or at least ${MIN_BALANCE}.`;
  const figures = {
    unit: 'sol',
    needed: MIN_BALANCE,
    available: remaining,
    limit: MIN_BALANCE,
    account: wallet,
  } as const;
  return { name: 'InsufficientFundsForRent', message, figures };
}

/** More SOL than any transaction takes. */
const ENOUGH_LAMPORTS = 2n ** 63n;

/** The accounts as if the wallet could pay everything, to find what else fails. */
export function withEnoughSol(
  { wallet }: Pick<Build, 'wallet'>,
  context: BuildContext,
): BuildContext {
  const account = { owner: SYSTEM_PROGRAM, data: new Uint8Array(0), lamports: ENOUGH_LAMPORTS };
  return { ...context, accounts: new Map(context.accounts).set(wallet, account) };
}
