import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { syncNative } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE_TOKENS,
  tokenAccounts,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const sync = syncNative.build(TOKEN_PROGRAM, { accounts: { account: ALICE_TOKENS }, args: {} });

/** A wrapped SOL account with additional lamports. */
const withLamports = (extra: bigint) =>
  tokenAccounts({ alice: wrappedSol(100n) }).map(([address, account]) =>
    address === ALICE_TOKENS
      ? ([address, { ...account, lamports: account.lamports + extra }] as const)
      : ([address, account] as const),
  );

test('lamports above the rent become tokens', () => {
  const { error, token, account } = runNative(withLamports(23n), [sync]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, account(ALICE_TOKENS).lamports]).toEqual([123n, 2_039_403n]);
});

test('a balance below the rent is rejected', () => {
  expect(runNative(withLamports(-101n), [sync]).error).toEqual(instructionError(14));
});

test('only wrapped SOL accounts can be synced', () => {
  expect(runNative(tokenAccounts(), [sync]).error).toEqual(instructionError(19));
  expect(runNative([], [sync]).error).toEqual(instructionError('IncorrectProgramId'));
});
