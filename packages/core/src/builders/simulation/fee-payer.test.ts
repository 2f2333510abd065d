import { expect, test } from 'vitest';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { EXAMPLE_WALLET } from '../../../../../test/support/lending/example-lending.ts';
import { setComputeUnitLimit } from '../../protocol/spl/instructions/set-compute-unit-limit.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import type { BuildContext } from '../build.ts';
import { checkRentExemptBalance, deductFee, estimateFee } from './fee-payer.ts';

const wallet = EXAMPLE_WALLET;
const state = goldenReader();

/** A wallet with so many lamports. */
function sceneWith(lamports: bigint): BuildContext {
  const account = { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(0) };
  return { state, accounts: new Map([[wallet, account]]) };
}

const paid = (lamports: bigint, feeLamports = 5000n) =>
  deductFee({ wallet }, { feeLamports, scene: sceneWith(lamports) });

test('what is left after the fee is what programs find', () => {
  const scene = paid(10_000_000n);
  if ('name' in scene) throw new Error(scene.message);
  expect(scene.accounts.get(wallet)?.lamports).toBe(9_995_000n);
  expect(checkRentExemptBalance({ wallet }, -9_995_000n, scene)).toBeUndefined();
});

test('a wallet is left with nothing, or with what an account must have', () => {
  const least = 890_880n;
  expect(paid(5000n)).toHaveProperty('accounts');
  expect(paid(5001n)).toMatchObject({ name: 'InsufficientFundsForRent' });
  expect(paid(5000n + least - 1n)).toMatchObject({ name: 'InsufficientFundsForRent' });
  const scene = paid(5000n + least);
  if ('name' in scene) throw new Error(scene.message);
  expect(checkRentExemptBalance({ wallet }, 0n, scene)).toBeUndefined();
  expect(checkRentExemptBalance({ wallet }, -1n, scene)).toEqual({
    name: 'InsufficientFundsForRent',
    message: 'The wallet would be left with 890879 lamports: none, or 890880 and more may be left.',
  });
});

test('instructions that set the budget do not count for it', () => {
  const budget = setComputeUnitLimit.build(COMPUTE_BUDGET_PROGRAM, {
    accounts: {},
    args: { units: 1000 },
  });
  const other = { programAddress: TOKEN_PROGRAM, accounts: [], data: new Uint8Array(1) };
  const computeUnitPrice = 1_000_000n;
  expect(estimateFee({ instructions: [budget, other, other] }, { computeUnitPrice })).toEqual({
    base: 5000n,
    priority: 400_000n,
  });
  const computeUnitLimit = 1000;
  expect(
    estimateFee({ instructions: [budget, other] }, { computeUnitLimit, computeUnitPrice }),
  ).toEqual({
    base: 5000n,
    priority: 1000n,
  });
});
