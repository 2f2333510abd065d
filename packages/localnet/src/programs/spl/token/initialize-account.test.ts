import { type Address, concatBytes, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@tidegate/core/protocol/spl';
import {
  getAccountDataSize,
  initializeAccount3,
  initializeImmutableOwner,
  initializeMint2,
} from '@tidegate/core/protocol/spl/instructions';
import type { Extension } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import {
  emptyProgramAccount,
  firstInstructionError,
  mintAccount,
  runNative,
  tokenHolding,
} from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  CAROL,
  extensionsOf,
  MINT,
} from '../../../../../../test/support/localnet/token-accounts.ts';
import { numberedAddress } from '../../../../../../test/support/protocol/codecs.ts';

const NEW = numberedAddress(20);

const openingMint = (freezeAuthority?: Address, program = TOKEN_PROGRAM) =>
  initializeMint2.build(program, {
    accounts: { mint: NEW },
    args: { decimals: 6, mintAuthority: ALICE },
    list: freezeAuthority === undefined ? [] : [freezeAuthority],
  });

const opening = (mint: Address = MINT, program = TOKEN_PROGRAM) =>
  initializeAccount3.build(program, { accounts: { account: NEW, mint }, args: { owner: ALICE } });

const immutable = (program: Address) =>
  initializeImmutableOwner.build(program, { accounts: { account: NEW }, args: {} });

const mint = [MINT, mintAccount({})] as const;
const poorer = (account: ReturnType<typeof emptyProgramAccount>) => ({
  ...account,
  lamports: account.lamports - 1n,
});

test('a mint starts without supply', () => {
  const { error, mint } = runNative([[NEW, emptyProgramAccount(82)]], [openingMint(CAROL)]);
  expect(error).toBeUndefined();
  expect(mint(NEW)).toMatchObject({
    ...{ mintAuthorityTag: 1, mintAuthority: ALICE, supply: 0n, decimals: 6 },
    ...{ isInitialized: 1, freezeAuthorityTag: 1, freezeAuthority: CAROL },
  });
  const without = runNative([[NEW, emptyProgramAccount(82)]], [openingMint()]);
  expect(without.mint(NEW).freezeAuthorityTag).toBe(0);
});

test.each([
  ['one that is a mint', 6, mintAccount({})],
  ['one without rent', 0, poorer(emptyProgramAccount(82))],
  ['one of another size', 'InvalidAccountData', emptyProgramAccount(83)],
] as const)('a mint is not made of %s', (_, error, account) => {
  expect(runNative([[NEW, account]], [openingMint()]).error).toEqual(firstInstructionError(error));
});

test('an account starts empty, with its owner', () => {
  const { error, token } = runNative([mint, [NEW, emptyProgramAccount(165)]], [opening()]);
  expect(error).toBeUndefined();
  expect(token(NEW)).toMatchObject({
    ...{ mint: MINT, owner: ALICE, amount: 0n, state: 1, isNativeTag: 0, delegateTag: 0 },
  });
});

test('what one of wrapped SOL has above the rent are its first tokens', () => {
  const funded = { ...emptyProgramAccount(165), lamports: 2_039_280n + 55n };
  const { error, token } = runNative([[NEW, funded]], [opening(WRAPPED_SOL_MINT)]);
  expect(error).toBeUndefined();
  expect(token(NEW)).toMatchObject({ amount: 55n, isNativeTag: 1, isNative: 2_039_280n });
});

const noMint = [MINT, emptyProgramAccount(82)] as const;
const foreign = [MINT, mintAccount({}, TOKEN_2022_PROGRAM)] as const;

test.each([
  ['in one that is in use', 6, mint, tokenHolding({})],
  ['in one without rent', 0, mint, poorer(emptyProgramAccount(165))],
  ['in one of another size', 'InvalidAccountData', mint, emptyProgramAccount(166)],
  ['of a mint that is none yet', 2, noMint, emptyProgramAccount(165)],
  ['of a mint of the other program', 'IncorrectProgramId', foreign, emptyProgramAccount(165)],
] as const)('no account is made %s', (...[, error, ofMint, account]) => {
  expect(runNative([ofMint, [NEW, account]], [opening()]).error).toEqual(
    firstInstructionError(error),
  );
});

test('the Token program takes the wish for an immutable owner and does nothing', () => {
  const { error, account } = runNative(
    [[NEW, emptyProgramAccount(165)]],
    [immutable(TOKEN_PROGRAM)],
  );
  expect(error).toBeUndefined();
  expect(account(NEW)).toEqual(emptyProgramAccount(165));
  const late = runNative([[NEW, tokenHolding({})]], [immutable(TOKEN_PROGRAM)]);
  expect(late.error).toEqual(firstInstructionError(6));
});

const noFee = { epoch: 0n, maximumFee: toLamports(0n), transferFeeBasisPoints: 0 };
/** Asks for 12, 5 and 4 bytes of its accounts. */
const demanding: Extension[] = [
  {
    kind: 'transferFeeConfig',
    value: {
      transferFeeConfigAuthority: ZERO_ADDRESS,
      withdrawWithheldAuthority: ZERO_ADDRESS,
      withheldAmount: toLamports(0n),
      olderTransferFee: noFee,
      newerTransferFee: noFee,
    },
  },
  { kind: 'transferHook', value: { authority: CAROL, programId: ZERO_ADDRESS } },
  { kind: 'defaultAccountState', value: { state: 2 } },
  { kind: 'pausableConfig', value: { authority: CAROL, paused: 0 } },
];
const mint2022 = (entries: readonly Extension[]) =>
  [
    MINT,
    mintAccount({ extensions: extensionsOf(entries), freezeAuthority: CAROL }, TOKEN_2022_PROGRAM),
  ] as const;
const empty2022 = (size: number) => [NEW, emptyProgramAccount(size, TOKEN_2022_PROGRAM)] as const;

test('an account of Token-2022 has what its mint asks for, in its order, behind its own', () => {
  const accounts = [mint2022(demanding), empty2022(166 + 4 + 12 + 5 + 4)];
  const { error, token } = runNative(accounts, [
    immutable(TOKEN_2022_PROGRAM),
    opening(MINT, TOKEN_2022_PROGRAM),
  ]);
  expect(error).toBeUndefined();
  expect(token(NEW).state).toBe(2);
  expect(token(NEW).extensions).toEqual({
    entries: [
      { kind: 'immutableOwner', value: {} },
      { kind: 'transferFeeAmount', value: { withheldAmount: 0n } },
      { kind: 'transferHookAccount', value: { transferring: 0 } },
      { kind: 'pausableAccount', value: {} },
    ],
    rest: new Uint8Array(),
  });
});

test('an account without room for what its mint asks is refused', () => {
  const made = opening(MINT, TOKEN_2022_PROGRAM);
  for (const size of [165, 166 + 20]) {
    expect(runNative([mint2022(demanding), empty2022(size)], [made]).error).toEqual(
      firstInstructionError('InvalidAccountData'),
    );
  }
  expect(runNative([mint2022([]), empty2022(165)], [made]).error).toBeUndefined();
});

test('an account whose tokens may be seized comes with a warning', () => {
  const seizer: Extension = { kind: 'permanentDelegate', value: { delegate: CAROL } };
  const made = opening(MINT, TOKEN_2022_PROGRAM);
  const { error, logs } = runNative([mint2022([seizer]), empty2022(165)], [made]);
  expect(error).toBeUndefined();
  expect(logs[2]).toMatch(/^Program log: Warning: Mint has a permanent delegate/);
});

test('Token-2022 has no wrapped SOL of the Token program', () => {
  const sol = [WRAPPED_SOL_MINT, mintAccount({})] as const;
  const made = opening(WRAPPED_SOL_MINT, TOKEN_2022_PROGRAM);
  expect(runNative([sol, empty2022(165)], [made]).error).toEqual(
    firstInstructionError('IncorrectProgramId'),
  );
});

test('a mint that freezes new accounts must be able to freeze', () => {
  // type byte and one extension of one byte, already there
  const data = emptyProgramAccount(171, TOKEN_2022_PROGRAM).data.slice();
  data.set([6, 0, 1, 0, 2], 166);
  const account = { ...emptyProgramAccount(171, TOKEN_2022_PROGRAM), data };
  const run = (freezer?: Address) =>
    runNative([[NEW, account]], [openingMint(freezer, TOKEN_2022_PROGRAM)]);
  expect(run().error).toEqual(firstInstructionError(16));
  const { error, mint } = run(CAROL);
  expect(error).toBeUndefined();
  expect(mint(NEW).extensions?.entries).toEqual([
    { kind: 'defaultAccountState', value: { state: 2 } },
  ]);
});

const sizeOf = (program: Address, extra: readonly number[] = []) => {
  const built = getAccountDataSize.build(program, { accounts: { mint: MINT }, args: {} });
  return { ...built, data: concatBytes([built.data, Uint8Array.from(extra)]) };
};
/** Base64 of eight bytes, the low one first. */
const told = (program: Address, bytes: number) =>
  `Program return: ${program} ${Buffer.from([bytes, 0, 0, 0, 0, 0, 0, 0]).toString('base64')}`;

test('sizes are told to those who ask', () => {
  const plain = runNative([mint], [sizeOf(TOKEN_PROGRAM, [7, 0])]);
  expect(plain.logs).toContain(told(TOKEN_PROGRAM, 165));
  const extended = runNative([mint2022(demanding)], [sizeOf(TOKEN_2022_PROGRAM, [7, 0])]);
  expect(extended.logs).toContain(told(TOKEN_2022_PROGRAM, 191));
  const short = runNative([mint2022([])], [sizeOf(TOKEN_2022_PROGRAM)]);
  expect(short.logs).toContain(told(TOKEN_2022_PROGRAM, 165));
});

test('sizes of no mint and of extensions that accounts do not have are refused', () => {
  expect(runNative([noMint], [sizeOf(TOKEN_PROGRAM)]).error).toEqual(firstInstructionError(2));
  const ofMint = runNative([mint2022([])], [sizeOf(TOKEN_2022_PROGRAM, [1, 0])]);
  expect(ofMint.error).toEqual(firstInstructionError(20));
});
