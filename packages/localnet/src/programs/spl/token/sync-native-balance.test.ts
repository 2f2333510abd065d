import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { syncNative } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import {
  firstInstructionError,
  runNative,
} from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE_TOKENS,
  tokenAccounts,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const syncing = syncNative.build(TOKEN_PROGRAM, { accounts: { account: ALICE_TOKENS }, args: {} });

/** With so many lamports more than its tokens and rent. */
const withLamports = (extra: bigint) =>
  tokenAccounts({ alice: wrappedSol(100n) }).map(([address, account]) =>
    address === ALICE_TOKENS
      ? ([address, { ...account, lamports: account.lamports + extra }] as const)
      : ([address, account] as const),
  );

test('lamports above the rent become tokens', () => {
  const { error, token, account } = runNative(withLamports(23n), [syncing]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, account(ALICE_TOKENS).lamports]).toEqual([123n, 2_039_403n]);
});

test('less than the rent is no amount', () => {
  expect(runNative(withLamports(-101n), [syncing]).error).toEqual(firstInstructionError(14));
});

test('only wrapped SOL can be counted', () => {
  expect(runNative(tokenAccounts(), [syncing]).error).toEqual(firstInstructionError(19));
  expect(runNative([], [syncing]).error).toEqual(firstInstructionError('IncorrectProgramId'));
});
