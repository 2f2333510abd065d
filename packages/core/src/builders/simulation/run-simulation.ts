import { type CodedError, hasCode } from '../../base/errors.ts';
import type { Build, BuildContext } from '../build.ts';
import {
  type FigureSubject,
  requireLamportBalance,
  toProgramRejection,
} from './program-rejections.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import { computeWalletChanges, type TokenDelta } from './wallet-changes.ts';

type SimulationInput = {
  readonly build: Build;
  readonly context: BuildContext;
  /** Lamports of the wallet that are wrapped first. */
  readonly wrapped: bigint;
  /** The program's error for an arithmetic overflow. */
  readonly overflow: CodedError;
  readonly subject: FigureSubject;
};

/** Simulates a build with our models of the programs. */
export function runSimulation(
  { build, context, wrapped, overflow, subject }: SimulationInput,
  run: () => readonly TokenDelta[],
): SimulationOutcome {
  const { wallet, plan } = build;
  try {
    const balance = context.accounts.get(wallet)?.lamports ?? 0n;
    requireLamportBalance({ balance, required: plan.rentLamports + wrapped }, wallet);
    const moved = run();
    return { failure: undefined, ...computeWalletChanges({ plan, moved, wrapped }, context) };
  } catch (error) {
    const isOverflow = hasCode(error, 'MATH_OVERFLOW') || hasCode(error, 'DIVISION_BY_ZERO');
    const failure = toProgramRejection(isOverflow ? overflow : error, subject);
    return { failure, tokens: [], lamports: 0n };
  }
}
