import { expect, test } from 'vitest';
import { goldenReader } from '../../../../../test/support/golden/golden-reader.ts';
import { EXAMPLE_WALLET } from '../../../../../test/support/lending/example-lending.ts';
import { setComputeUnitLimit } from '../../protocol/spl/instructions/compute-budget.ts';
import {
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import type { BuildContext } from '../build.ts';
import { checkRentExemptBalance, deductFee, estimateFee } from './fee-payer.ts';

const wallet = EXAMPLE_WALLET;
const state = goldenReader();

/** A wallet with this balance. */
function contextWith(lamports: bigint): BuildContext {
  const account = { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(0) };
  return { state, accounts: new Map([[wallet, account]]) };
}

const paid = (lamports: bigint, feeLamports = 5000n) =>
  deductFee(
    { wallet, instructions: [], plan: { rentLamports: 0n } },
    { feeLamports, context: contextWith(lamports) },
  );

test('programs see the balance after the fee', () => {
  const context = paid(10_000_000n);
  if ('name' in context) throw new Error(context.message);
  expect(context.accounts.get(wallet)?.lamports).toBe(9_995_000n);
  expect(checkRentExemptBalance({ wallet }, -9_995_000n, context)).toBeUndefined();
});

test('a wallet must be left empty or rent-exempt', () => {
  const minimum = 890_880n;
  expect(paid(5000n)).toHaveProperty('accounts');
  expect(paid(5001n)).toMatchObject({ name: 'InsufficientFundsForRent' });
  expect(paid(5000n + minimum - 1n)).toMatchObject({ name: 'InsufficientFundsForRent' });
  const context = paid(5000n + minimum);
  if ('name' in context) throw new Error(context.message);
  expect(checkRentExemptBalance({ wallet }, 0n, context)).toBeUndefined();
  expect(checkRentExemptBalance({ wallet }, -1n, context)).toEqual({
    name: 'InsufficientFundsForRent',
    message: 'The wallet would be left with 890879 lamports; it needs 0 or at least 890880.',
    figures: {
      unit: 'sol',
      account: wallet,
      needed: minimum,
      available: 890_879n,
      limit: minimum,
    },
  });
});

test('compute budget instructions do not count towards the default unit limit', () => {
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
