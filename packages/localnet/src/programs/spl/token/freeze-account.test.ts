import { type Address, READ } from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { freezeAccount, thawAccount } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  ALICE_TOKENS,
  FREEZER,
  MINT,
  OTHER_MINT,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const freeze = (mint: Address = MINT, freezeAuthority: Address = FREEZER) =>
  freezeAccount.build(TOKEN_PROGRAM, {
    accounts: { account: ALICE_TOKENS, mint, freezeAuthority },
    args: {},
  });

const thaw = thawAccount.build(TOKEN_PROGRAM, {
  accounts: { account: ALICE_TOKENS, mint: MINT, freezeAuthority: FREEZER },
  args: {},
});

test('an account can be frozen and thawed', () => {
  expect(runNative(tokenAccounts(), [freeze()]).token(ALICE_TOKENS).state).toBe(2);
  expect(runNative(tokenAccounts(), [freeze(), thaw]).token(ALICE_TOKENS).state).toBe(1);
});

test.each([
  ['a frozen account', 13, { alice: { state: 2 } }, freeze()],
  ['a wrapped SOL account', 10, { alice: wrappedSol(1n) }, freeze()],
  ['an account of another mint', 3, {}, freeze(OTHER_MINT)],
  [
    'an account of a mint without freeze authority',
    16,
    { mint: { freezeAuthorityTag: 0 } },
    freeze(),
  ],
  ['an account by another authority', 4, {}, freeze(MINT, ALICE)],
] as const)('%s cannot be frozen', (...[, code, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(code));
});

test('an account that is not frozen cannot be thawed', () => {
  expect(runNative(tokenAccounts(), [thaw]).error).toEqual(instructionError(13));
});

test('freezing requires a signature', () => {
  expect(runNative(tokenAccounts(), [withRole(freeze(), FREEZER, READ)]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});
