import { type Address, READ, toAddress, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { closeAccount } from '@tidegate/core/protocol/spl/instructions';
import type { Extension } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import {
  firstInstructionError,
  runNative,
} from '../../../../../../test/support/localnet/run-native.ts';
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

type Changed = { readonly by?: Address; readonly to?: Address; readonly what?: Address };

const closing = (
  { by = ALICE, to = BOB, what = ALICE_TOKENS }: Changed = {},
  program = TOKEN_PROGRAM,
) =>
  closeAccount.build(program, {
    accounts: { account: what, destination: to, owner: by },
    args: {},
  });

test('an empty account is gone, and its rent with whom it was sent to', () => {
  const { error, account } = runNative(tokenAccounts({ alice: empty }), [closing()]);
  expect(error).toBeUndefined();
  expect(account(ALICE_TOKENS)).toEqual({
    ...{ owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array() },
  });
  expect(account(BOB).lamports).toBe(2_039_280n);
});

test('wrapped SOL is unwrapped, all of it, also frozen', () => {
  const alice = { ...wrappedSol(7_000n), state: 2 };
  const { error, account } = runNative(tokenAccounts({ alice }), [closing()]);
  expect(error).toBeUndefined();
  expect(account(BOB).lamports).toBe(2_046_280n);
});

test('a close authority closes in the place of the owner', () => {
  const scene = tokenAccounts({ alice: { ...empty, closeAuthority: CAROL } });
  expect(runNative(scene, [closing({ by: CAROL })]).error).toBeUndefined();
  expect(runNative(scene, [closing()]).error).toEqual(firstInstructionError(4));
});

test.each([
  ['one that holds tokens', 11, {}, closing()],
  ['one of somebody else', 4, { alice: empty }, closing({ by: BOB })],
  ['one into itself', 'InvalidAccountData', { alice: empty }, closing({ to: ALICE_TOKENS })],
  ['a mint', 'InvalidAccountData', {}, closing({ what: MINT })],
] as const)('%s cannot be closed', (...[, error, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(
    firstInstructionError(error),
  );
});

test('one of nobody is closed by anyone, for nobody', () => {
  const scene = tokenAccounts({ alice: { ...empty, owner: ZERO_ADDRESS } });
  expect(runNative(scene, [closing({ by: CAROL, to: INCINERATOR })]).error).toBeUndefined();
  expect(runNative(scene, [closing({ by: CAROL, to: CAROL })]).error).toEqual(
    firstInstructionError('InvalidAccountData'),
  );
});

test('it must be signed', () => {
  const unsigned = withRole(closing(), ALICE, READ);
  expect(runNative(tokenAccounts({ alice: empty }), [unsigned]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});

test('fees that are kept back keep the account', () => {
  const held: Extension = {
    kind: 'transferFeeAmount',
    value: { withheldAmount: toLamports(1n) },
  };
  const scene = extendedTokenAccounts([], [held]);
  const accounts = tokenAccounts({ ...scene, alice: { ...scene.alice, ...empty } });
  expect(runNative(accounts, [closing({}, TOKEN_2022_PROGRAM)]).error).toEqual(
    firstInstructionError(35),
  );
});

test('a mint of Token-2022 is closed by whom it names, without supply', () => {
  const closable: Extension = { kind: 'mintCloseAuthority', value: { closeAuthority: CAROL } };
  const scene = extendedTokenAccounts([closable]);
  const spent = tokenAccounts({ ...scene, mint: { ...scene.mint, supply: toLamports(0n) } });
  const instruction = closing({ what: MINT, by: CAROL }, TOKEN_2022_PROGRAM);
  const { error, account } = runNative(spent, [instruction]);
  expect(error).toBeUndefined();
  expect(account(MINT).lamports).toBe(0n);
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(28));
  expect(runNative(tokenAccounts(extendedTokenAccounts([])), [instruction]).error).toEqual(
    firstInstructionError(48),
  );
  const byOther = closing({ what: MINT, by: BOB }, TOKEN_2022_PROGRAM);
  expect(runNative(spent, [byOther]).error).toEqual(firstInstructionError(4));
});
