import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { setAuthority } from '@tidegate/core/protocol/spl/instructions';
import { type Extension, findExtension } from '@tidegate/core/protocol/spl/layout';
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

const setting = ({ of = ALICE_TOKENS, type, by = ALICE, to, program = TOKEN_PROGRAM }: Change) =>
  setAuthority.build(program, {
    accounts: { account: of, currentAuthority: by },
    args: { authorityType: type },
    list: to === undefined ? [] : [to],
  });

const trusted = {
  delegate: CAROL,
  delegatedAmount: toLamports(3n),
  closeAuthority: CAROL,
};

test('a new owner does not keep the delegate, but the close authority', () => {
  const scene = tokenAccounts({ alice: trusted });
  const { error, token } = runNative(scene, [setting({ type: 2, to: BOB })]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({
    ...{ owner: BOB, delegateTag: 0, delegatedAmount: 0n, closeAuthorityTag: 1 },
  });
});

test('of wrapped SOL not even that', () => {
  const scene = tokenAccounts({ alice: { ...wrappedSol(5n), ...trusted } });
  const { token } = runNative(scene, [setting({ type: 2, to: BOB })]);
  expect(token(ALICE_TOKENS)).toMatchObject({ owner: BOB, closeAuthorityTag: 0 });
});

test('closing is given away, and back by the one who has it', () => {
  const given = setting({ type: 3, to: CAROL });
  const back = setting({ type: 3, by: CAROL });
  expect(runNative(tokenAccounts(), [given]).token(ALICE_TOKENS).closeAuthority).toBe(CAROL);
  expect(runNative(tokenAccounts(), [given, back]).token(ALICE_TOKENS).closeAuthorityTag).toBe(0);
  expect(runNative(tokenAccounts(), [given, setting({ type: 3 })]).error).toEqual({
    InstructionError: [1, { Custom: 4 }],
  });
});

test('minting and freezing are given away', () => {
  const { error, mint } = runNative(tokenAccounts(), [
    setting({ of: MINT, type: 0, by: MINTER, to: BOB }),
    setting({ of: MINT, type: 1, by: FREEZER, to: CAROL }),
  ]);
  expect(error).toBeUndefined();
  expect(mint(MINT)).toMatchObject({ mintAuthority: BOB, freezeAuthority: CAROL });
});

test('what was given up does not come back, and its key stays in the bytes', () => {
  const end = setting({ of: MINT, type: 0, by: MINTER });
  const { mint } = runNative(tokenAccounts(), [end]);
  expect(mint(MINT)).toMatchObject({ mintAuthorityTag: 0, mintAuthority: MINTER });
  expect(runNative(tokenAccounts(), [end, end]).error).toEqual({
    InstructionError: [1, { Custom: 5 }],
  });
});

test.each([
  ['the owner of a frozen account', 17, { alice: { state: 2 } }, setting({ type: 2, to: BOB })],
  ['the owner, to nobody', 12, {}, setting({ type: 2 })],
  ['the owner, by somebody else', 4, {}, setting({ type: 2, by: BOB, to: BOB })],
  ['minting of an account', 15, {}, setting({ type: 0, to: BOB })],
  ['the owner of a mint', 15, {}, setting({ of: MINT, type: 2, by: MINTER, to: BOB })],
  ['minting, by somebody else', 4, {}, setting({ of: MINT, type: 0, to: BOB })],
  [
    'freezing of a mint that cannot',
    16,
    { mint: { freezeAuthorityTag: 0 } },
    setting({ of: MINT, type: 1, by: FREEZER, to: BOB }),
  ],
  ['an authority that there is not', 12, {}, setting({ type: 4, to: BOB })],
  ['a wallet', 'InvalidArgument', {}, setting({ of: BOB, type: 2, to: BOB })],
] as const)('%s is not changed', (...[, error, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(
    firstInstructionError(error),
  );
});

test('it must be signed', () => {
  const unsigned = withRole(setting({ type: 2, to: BOB }), ALICE, READ);
  expect(runNative(tokenAccounts(), [unsigned]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});

test('an owner that cannot change does not', () => {
  const scene = tokenAccounts(extendedTokenAccounts([], [{ kind: 'immutableOwner', value: {} }]));
  const instruction = setting({ type: 2, to: BOB, program: TOKEN_2022_PROGRAM });
  expect(runNative(scene, [instruction]).error).toEqual(firstInstructionError(34));
});

test('who may change an extension is changed by the one who may', () => {
  const pausable: Extension = { kind: 'pausableConfig', value: { authority: CAROL, paused: 0 } };
  const seizer: Extension = { kind: 'permanentDelegate', value: { delegate: ALICE } };
  const scene = tokenAccounts(extendedTokenAccounts([pausable, seizer]));
  const of2022 = { of: MINT, program: TOKEN_2022_PROGRAM };
  const { error, mint } = runNative(scene, [
    setting({ ...of2022, type: 16, by: CAROL, to: BOB }),
    setting({ ...of2022, type: 8 }),
  ]);
  expect(error).toBeUndefined();
  const { extensions } = mint(MINT);
  expect(findExtension(extensions, 'pausableConfig')?.value).toEqual({ authority: BOB, paused: 0 });
  expect(findExtension(extensions, 'permanentDelegate')?.value.delegate).toBe(ZERO_ADDRESS);
  expect(runNative(scene, [setting({ ...of2022, type: 16, to: BOB })]).error).toEqual(
    firstInstructionError(4),
  );
  expect(runNative(scene, [setting({ ...of2022, type: 6, to: BOB })]).error).toEqual(
    firstInstructionError(48),
  );
});
