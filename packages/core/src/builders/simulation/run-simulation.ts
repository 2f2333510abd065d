import { type CodedError, hasCode } from '../../base/errors.ts';
import type { Build, BuildContext } from '../build.ts';
import { requireLamportBalance, toProgramRejection } from './program-rejections.ts';
import type { SimulationOutcome } from './simulation-outcome.ts';
import { computeWalletChanges, type TokenDelta } from './wallet-changes.ts';

type Terms = {
  readonly build: Build;
  readonly scene: BuildContext;
  /** Lamports of the wallet that are wrapped first. */
  readonly wrapped: bigint;
  /** What the program ends with where a number does not fit. */
  readonly overflow: CodedError;
};

/** A forecast by what our models of the programs do, or refuse. */
export function runSimulation(
  { build, scene, wrapped, overflow }: Terms,
  run: () => readonly TokenDelta[],
): SimulationOutcome {
  const { wallet, plan } = build;
  try {
    const has = scene.accounts.get(wallet)?.lamports ?? 0n;
    requireLamportBalance({ has, needs: plan.rentLamports + wrapped });
    const moved = run();
    return { failure: undefined, ...computeWalletChanges({ plan, moved, wrapped }, scene) };
  } catch (error) {
    const isOverflow = hasCode(error, 'MATH_OVERFLOW') || hasCode(error, 'DIVISION_BY_ZERO');
    return { failure: toProgramRejection(isOverflow ? overflow : error), tokens: [], lamports: 0n };
  }
}
