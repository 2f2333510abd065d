import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { syncNative } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { failsWith, runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  OF_ALICE,
  tokenScene,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const syncing = syncNative.build(TOKEN_PROGRAM, { accounts: { account: OF_ALICE }, args: {} });

/** With so many lamports more than its tokens and rent. */
const withLamports = (extra: bigint) =>
  tokenScene({ alice: wrappedSol(100n) }).map(([address, account]) =>
    address === OF_ALICE
      ? ([address, { ...account, lamports: account.lamports + extra }] as const)
      : ([address, account] as const),
  );

test('lamports above the rent become tokens', () => {
  const { error, token, account } = runNative(withLamports(23n), [syncing]);
  expect(error).toBeUndefined();
  expect([token(OF_ALICE).amount, account(OF_ALICE).lamports]).toEqual([123n, 2_039_403n]);
});

test('less than the rent is no amount', () => {
  expect(runNative(withLamports(-101n), [syncing]).error).toEqual(failsWith(14));
});

test('only wrapped SOL can be counted', () => {
  expect(runNative(tokenScene(), [syncing]).error).toEqual(failsWith(19));
  expect(runNative([], [syncing]).error).toEqual(failsWith('IncorrectProgramId'));
});
