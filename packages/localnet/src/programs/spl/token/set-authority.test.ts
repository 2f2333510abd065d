import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { setAuthority } from '@tidegate/core/protocol/spl/instructions';
import { type Extension, findExtension } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  ALICE_TOKENS,
  BOB,
  CAROL,
  extendedTokenAccounts,
  FREEZER,
  MINT,
  MINTER,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

type Change = {
  readonly of?: Address;
  readonly type: number;
  readonly by?: Address;
  readonly to?: Address;
  readonly program?: Address;
};

const setAuthorityInstruction = ({
  of = ALICE_TOKENS,
  type,
  by = ALICE,
  to,
  program = TOKEN_PROGRAM,
}: Change) =>
  setAuthority.build(program, {
    accounts: { account: of, currentAuthority: by },
    args: { authorityType: type },
    list: to === undefined ? [] : [to],
  });

const withAuthorities = {
  delegate: CAROL,
  delegatedAmount: toLamports(3n),
  closeAuthority: CAROL,
};

test('a new owner removes the delegate but not the close authority', () => {
  const setup = tokenAccounts({ alice: withAuthorities });
  const { error, token } = runNative(setup, [setAuthorityInstruction({ type: 2, to: BOB })]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({
    owner: BOB,
    delegateTag: 0,
    delegatedAmount: 0n,
    closeAuthorityTag: 1,
  });
});

test('a new owner of wrapped SOL also removes the close authority', () => {
  const setup = tokenAccounts({ alice: { ...wrappedSol(5n), ...withAuthorities } });
  const { token } = runNative(setup, [setAuthorityInstruction({ type: 2, to: BOB })]);
  expect(token(ALICE_TOKENS)).toMatchObject({ owner: BOB, closeAuthorityTag: 0 });
});

test('the close authority can be assigned, and removed by its holder', () => {
  const assign = setAuthorityInstruction({ type: 3, to: CAROL });
  const remove = setAuthorityInstruction({ type: 3, by: CAROL });
  expect(runNative(tokenAccounts(), [assign]).token(ALICE_TOKENS).closeAuthority).toBe(CAROL);
  expect(runNative(tokenAccounts(), [assign, remove]).token(ALICE_TOKENS).closeAuthorityTag).toBe(
    0,
  );
  expect(runNative(tokenAccounts(), [assign, setAuthorityInstruction({ type: 3 })]).error).toEqual({
    InstructionError: [1, { Custom: 4 }],
  });
});

test('mint and freeze authority can be transferred', () => {
  const { error, mint } = runNative(tokenAccounts(), [
    setAuthorityInstruction({ of: MINT, type: 0, by: MINTER, to: BOB }),
    setAuthorityInstruction({ of: MINT, type: 1, by: FREEZER, to: CAROL }),
  ]);
  expect(error).toBeUndefined();
  expect(mint(MINT)).toMatchObject({ mintAuthority: BOB, freezeAuthority: CAROL });
});

test('a removed authority stays removed, and its key stays in the data', () => {
  const removeMinter = setAuthorityInstruction({ of: MINT, type: 0, by: MINTER });
  const { mint } = runNative(tokenAccounts(), [removeMinter]);
  expect(mint(MINT)).toMatchObject({ mintAuthorityTag: 0, mintAuthority: MINTER });
  expect(runNative(tokenAccounts(), [removeMinter, removeMinter]).error).toEqual({
    InstructionError: [1, { Custom: 5 }],
  });
});

test.each([
  [
    'the owner of a frozen account',
    17,
    { alice: { state: 2 } },
    setAuthorityInstruction({ type: 2, to: BOB }),
  ],
  ['the owner to none', 12, {}, setAuthorityInstruction({ type: 2 })],
  ['the owner by another wallet', 4, {}, setAuthorityInstruction({ type: 2, by: BOB, to: BOB })],
  ['the mint authority of an account', 15, {}, setAuthorityInstruction({ type: 0, to: BOB })],
  [
    'the owner of a mint',
    15,
    {},
    setAuthorityInstruction({ of: MINT, type: 2, by: MINTER, to: BOB }),
  ],
  [
    'the mint authority by another wallet',
    4,
    {},
    setAuthorityInstruction({ of: MINT, type: 0, to: BOB }),
  ],
  [
    'the freeze authority of a mint without one',
    16,
    { mint: { freezeAuthorityTag: 0 } },
    setAuthorityInstruction({ of: MINT, type: 1, by: FREEZER, to: BOB }),
  ],
  ['an unknown authority', 12, {}, setAuthorityInstruction({ type: 4, to: BOB })],
  ['a wallet', 'InvalidArgument', {}, setAuthorityInstruction({ of: BOB, type: 2, to: BOB })],
] as const)('%s cannot be changed', (...[, error, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(error));
});

test('a signature is required', () => {
  const unsigned = withRole(setAuthorityInstruction({ type: 2, to: BOB }), ALICE, READ);
  expect(runNative(tokenAccounts(), [unsigned]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});

test('an immutable owner cannot be changed', () => {
  const setup = tokenAccounts(extendedTokenAccounts([], [{ kind: 'immutableOwner', value: {} }]));
  const instruction = setAuthorityInstruction({ type: 2, to: BOB, program: TOKEN_2022_PROGRAM });
  expect(runNative(setup, [instruction]).error).toEqual(instructionError(34));
});

test('an extension authority is changed by its holder', () => {
  const pausable: Extension = { kind: 'pausableConfig', value: { authority: CAROL, paused: 0 } };
  const permanentDelegate: Extension = { kind: 'permanentDelegate', value: { delegate: ALICE } };
  const setup = tokenAccounts(extendedTokenAccounts([pausable, permanentDelegate]));
  const of2022 = { of: MINT, program: TOKEN_2022_PROGRAM };
  const { error, mint } = runNative(setup, [
    setAuthorityInstruction({ ...of2022, type: 16, by: CAROL, to: BOB }),
    setAuthorityInstruction({ ...of2022, type: 8 }),
  ]);
  expect(error).toBeUndefined();
  const { extensions } = mint(MINT);
  expect(findExtension(extensions, 'pausableConfig')?.value).toEqual({ authority: BOB, paused: 0 });
  expect(findExtension(extensions, 'permanentDelegate')?.value.delegate).toBe(ZERO_ADDRESS);
  expect(
    runNative(setup, [setAuthorityInstruction({ ...of2022, type: 16, to: BOB })]).error,
  ).toEqual(instructionError(4));
  expect(
    runNative(setup, [setAuthorityInstruction({ ...of2022, type: 6, to: BOB })]).error,
  ).toEqual(instructionError(48));
});
