import { type Address, READ, toAddress, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { closeAccount } from '@tidegate/core/protocol/spl/instructions';
import type { Extension } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  CAROL,
  extendedTokenAccounts,
  MINT,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const INCINERATOR = toAddress('1nc1nerator11111111111111111111111111111111');
const empty = { amount: toLamports(0n) };

type CloseOptions = { readonly by?: Address; readonly to?: Address; readonly what?: Address };

const close = (
  { by = ALICE, to = BOB, what = ALICE_TOKENS }: CloseOptions = {},
  program = TOKEN_PROGRAM,
) =>
  closeAccount.build(program, {
    accounts: { account: what, destination: to, owner: by },
    args: {},
  });

test('an empty account is deleted, and its rent goes to the destination', () => {
  const { error, account } = runNative(tokenAccounts({ alice: empty }), [close()]);
  expect(error).toBeUndefined();
  expect(account(ALICE_TOKENS)).toEqual({
    owner: SYSTEM_PROGRAM,
    lamports: 0n,
    data: new Uint8Array(),
  });
  expect(account(BOB).lamports).toBe(2_039_280n);
});

test('wrapped SOL is fully unwrapped, also from a frozen account', () => {
  const alice = { ...wrappedSol(7_000n), state: 2 };
  const { error, account } = runNative(tokenAccounts({ alice }), [close()]);
  expect(error).toBeUndefined();
  expect(account(BOB).lamports).toBe(2_046_280n);
});

test('the close authority replaces the owner', () => {
  const setup = tokenAccounts({ alice: { ...empty, closeAuthority: CAROL } });
  expect(runNative(setup, [close({ by: CAROL })]).error).toBeUndefined();
  expect(runNative(setup, [close()]).error).toEqual(instructionError(4));
});

test.each([
  ['an account with tokens', 11, {}, close()],
  ['an account of another owner', 4, { alice: empty }, close({ by: BOB })],
  ['an account into itself', 'InvalidAccountData', { alice: empty }, close({ to: ALICE_TOKENS })],
  ['a mint', 'InvalidAccountData', {}, close({ what: MINT })],
] as const)('%s cannot be closed', (...[, error, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(error));
});

test('anyone may close an ownerless account, but only into the incinerator', () => {
  const setup = tokenAccounts({ alice: { ...empty, owner: ZERO_ADDRESS } });
  expect(runNative(setup, [close({ by: CAROL, to: INCINERATOR })]).error).toBeUndefined();
  expect(runNative(setup, [close({ by: CAROL, to: CAROL })]).error).toEqual(
    instructionError('InvalidAccountData'),
  );
});

test('closing requires a signature', () => {
  const unsigned = withRole(close(), ALICE, READ);
  expect(runNative(tokenAccounts({ alice: empty }), [unsigned]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});

test('an account with withheld fees cannot be closed', () => {
  const withheldFees: Extension = {
    kind: 'transferFeeAmount',
    value: { withheldAmount: toLamports(1n) },
  };
  const setup = extendedTokenAccounts([], [withheldFees]);
  const accounts = tokenAccounts({ ...setup, alice: { ...setup.alice, ...empty } });
  expect(runNative(accounts, [close({}, TOKEN_2022_PROGRAM)]).error).toEqual(instructionError(35));
});

test('a Token-2022 mint without supply is closed by its close authority', () => {
  const closable: Extension = { kind: 'mintCloseAuthority', value: { closeAuthority: CAROL } };
  const setup = extendedTokenAccounts([closable]);
  const accounts = tokenAccounts({ ...setup, mint: { ...setup.mint, supply: toLamports(0n) } });
  const instruction = close({ what: MINT, by: CAROL }, TOKEN_2022_PROGRAM);
  const { error, account } = runNative(accounts, [instruction]);
  expect(error).toBeUndefined();
  expect(account(MINT).lamports).toBe(0n);
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(28));
  expect(runNative(tokenAccounts(extendedTokenAccounts([])), [instruction]).error).toEqual(
    instructionError(48),
  );
  const byOther = close({ what: MINT, by: BOB }, TOKEN_2022_PROGRAM);
  expect(runNative(accounts, [byOther]).error).toEqual(instructionError(4));
});
