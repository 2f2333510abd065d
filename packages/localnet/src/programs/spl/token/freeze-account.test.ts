import { type Address, READ } from '@tidegate/core/base';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { freezeAccount, thawAccount } from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import {
  firstInstructionError,
  runNative,
} from '../../../../../../test/support/localnet/run-native.ts';
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

const freezing = (mint: Address = MINT, freezeAuthority: Address = FREEZER) =>
  freezeAccount.build(TOKEN_PROGRAM, {
    accounts: { account: ALICE_TOKENS, mint, freezeAuthority },
    args: {},
  });

const thawing = thawAccount.build(TOKEN_PROGRAM, {
  accounts: { account: ALICE_TOKENS, mint: MINT, freezeAuthority: FREEZER },
  args: {},
});

test('an account is frozen and thawed', () => {
  expect(runNative(tokenAccounts(), [freezing()]).token(ALICE_TOKENS).state).toBe(2);
  expect(runNative(tokenAccounts(), [freezing(), thawing]).token(ALICE_TOKENS).state).toBe(1);
});

test.each([
  ['a frozen one', 13, { alice: { state: 2 } }, freezing()],
  ['one of wrapped SOL', 10, { alice: wrappedSol(1n) }, freezing()],
  ['one of another mint', 3, {}, freezing(OTHER_MINT)],
  ['one of a mint that cannot', 16, { mint: { freezeAuthorityTag: 0 } }, freezing()],
  ['one by somebody else', 4, {}, freezing(MINT, ALICE)],
] as const)('%s cannot be frozen', (...[, code, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(code));
});

test('one that is not frozen cannot be thawed', () => {
  expect(runNative(tokenAccounts(), [thawing]).error).toEqual(firstInstructionError(13));
});

test('it must be signed', () => {
  expect(runNative(tokenAccounts(), [withRole(freezing(), FREEZER, READ)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});
