import { type CodedError, hasCode } from '../../base/errors.ts';
import type { Build, Scene } from '../build.ts';
import { failureOf, requireLamports } from './program-rejections.ts';
import type { Forecast } from './simulation-outcome.ts';
import { type Moved, walletChanges } from './wallet-changes.ts';

type Terms = {
  readonly build: Build;
  readonly scene: Scene;
  /** Lamports of the wallet that are wrapped first. */
  readonly wrapped: bigint;
  /** What the program ends with where a number does not fit. */
  readonly overflow: CodedError;
};

/** A forecast by what our models of the programs do, or refuse. */
export function forecastRun(
  { build, scene, wrapped, overflow }: Terms,
  run: () => readonly Moved[],
): Forecast {
  const { wallet, plan } = build;
  try {
    const has = scene.accounts.get(wallet)?.lamports ?? 0n;
    requireLamports({ has, needs: plan.rentLamports + wrapped });
    const moved = run();
    return { failure: undefined, ...walletChanges({ plan, moved, wrapped }, scene) };
  } catch (error) {
    const isOverflow = hasCode(error, 'MATH_OVERFLOW') || hasCode(error, 'DIVISION_BY_ZERO');
    return { failure: failureOf(isOverflow ? overflow : error), tokens: [], lamports: 0n };
  }
}
