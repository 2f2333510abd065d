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
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import {
  emptyProgramAccount,
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

const initMint = (freezeAuthority?: Address, program = TOKEN_PROGRAM) =>
  initializeMint2.build(program, {
    accounts: { mint: NEW },
    args: { decimals: 6, mintAuthority: ALICE },
    list: freezeAuthority === undefined ? [] : [freezeAuthority],
  });

const initAccount = (mint: Address = MINT, program = TOKEN_PROGRAM) =>
  initializeAccount3.build(program, { accounts: { account: NEW, mint }, args: { owner: ALICE } });

const initImmutableOwner = (program: Address) =>
  initializeImmutableOwner.build(program, { accounts: { account: NEW }, args: {} });

const mint = [MINT, mintAccount({})] as const;
const withLessRent = (account: ReturnType<typeof emptyProgramAccount>) => ({
  ...account,
  lamports: account.lamports - 1n,
});

test('a new mint has no supply', () => {
  const { error, mint } = runNative([[NEW, emptyProgramAccount(82)]], [initMint(CAROL)]);
  expect(error).toBeUndefined();
  expect(mint(NEW)).toMatchObject({
    mintAuthorityTag: 1,
    mintAuthority: ALICE,
    supply: 0n,
    decimals: 6,
    isInitialized: 1,
    freezeAuthorityTag: 1,
    freezeAuthority: CAROL,
  });
  const withoutFreezer = runNative([[NEW, emptyProgramAccount(82)]], [initMint()]);
  expect(withoutFreezer.mint(NEW).freezeAuthorityTag).toBe(0);
});

test.each([
  ['an existing mint', 6, mintAccount({})],
  ['an account below rent', 0, withLessRent(emptyProgramAccount(82))],
  ['an account of another size', 'InvalidAccountData', emptyProgramAccount(83)],
] as const)('%s cannot be initialized as a mint', (_, error, account) => {
  expect(runNative([[NEW, account]], [initMint()]).error).toEqual(instructionError(error));
});

test('a new account is empty and has its owner', () => {
  const { error, token } = runNative([mint, [NEW, emptyProgramAccount(165)]], [initAccount()]);
  expect(error).toBeUndefined();
  expect(token(NEW)).toMatchObject({
    mint: MINT,
    owner: ALICE,
    amount: 0n,
    state: 1,
    isNativeTag: 0,
    delegateTag: 0,
  });
});

test('lamports above the rent become the first tokens of a wrapped SOL account', () => {
  const funded = { ...emptyProgramAccount(165), lamports: 2_039_280n + 55n };
  const { error, token } = runNative([[NEW, funded]], [initAccount(WRAPPED_SOL_MINT)]);
  expect(error).toBeUndefined();
  expect(token(NEW)).toMatchObject({ amount: 55n, isNativeTag: 1, isNative: 2_039_280n });
});

const noMint = [MINT, emptyProgramAccount(82)] as const;
const foreign = [MINT, mintAccount({}, TOKEN_2022_PROGRAM)] as const;

test.each([
  ['if it is in use', 6, mint, tokenHolding({})],
  ['below rent', 0, mint, withLessRent(emptyProgramAccount(165))],
  ['with another size', 'InvalidAccountData', mint, emptyProgramAccount(166)],
  ['of an uninitialized mint', 2, noMint, emptyProgramAccount(165)],
  ['of a mint of the other program', 'IncorrectProgramId', foreign, emptyProgramAccount(165)],
] as const)('an account cannot be initialized %s', (...[, error, mintEntry, account]) => {
  expect(runNative([mintEntry, [NEW, account]], [initAccount()]).error).toEqual(
    instructionError(error),
  );
});

test('the Token program accepts initializeImmutableOwner without effect', () => {
  const { error, account } = runNative(
    [[NEW, emptyProgramAccount(165)]],
    [initImmutableOwner(TOKEN_PROGRAM)],
  );
  expect(error).toBeUndefined();
  expect(account(NEW)).toEqual(emptyProgramAccount(165));
  const initialized = runNative([[NEW, tokenHolding({})]], [initImmutableOwner(TOKEN_PROGRAM)]);
  expect(initialized.error).toEqual(instructionError(6));
});

const noFee = { epoch: 0n, maximumFee: toLamports(0n), transferFeeBasisPoints: 0 };
/** Requires 12, 5 and 4 bytes of its accounts. */
const requiringExtensions: Extension[] = [
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

test("a Token-2022 account gets the required extensions in the mint's order, after its own", () => {
  const accounts = [mint2022(requiringExtensions), empty2022(166 + 4 + 12 + 5 + 4)];
  const { error, token } = runNative(accounts, [
    initImmutableOwner(TOKEN_2022_PROGRAM),
    initAccount(MINT, TOKEN_2022_PROGRAM),
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

test('an account without space for the required extensions is rejected', () => {
  const instruction = initAccount(MINT, TOKEN_2022_PROGRAM);
  for (const size of [165, 166 + 20]) {
    expect(
      runNative([mint2022(requiringExtensions), empty2022(size)], [instruction]).error,
    ).toEqual(instructionError('InvalidAccountData'));
  }
  expect(runNative([mint2022([]), empty2022(165)], [instruction]).error).toBeUndefined();
});

test('a mint with a permanent delegate logs a warning', () => {
  const seizer: Extension = { kind: 'permanentDelegate', value: { delegate: CAROL } };
  const instruction = initAccount(MINT, TOKEN_2022_PROGRAM);
  const { error, logs } = runNative([mint2022([seizer]), empty2022(165)], [instruction]);
  expect(error).toBeUndefined();
  expect(logs[2]).toMatch(/^Program log: Warning: Mint has a permanent delegate/);
});

test('Token-2022 does not accept wrapped SOL of the Token program', () => {
  const sol = [WRAPPED_SOL_MINT, mintAccount({})] as const;
  const instruction = initAccount(WRAPPED_SOL_MINT, TOKEN_2022_PROGRAM);
  expect(runNative([sol, empty2022(165)], [instruction]).error).toEqual(
    instructionError('IncorrectProgramId'),
  );
});

test('a mint that freezes new accounts needs a freeze authority', () => {
  // The type byte and one existing extension of one byte.
  const data = emptyProgramAccount(171, TOKEN_2022_PROGRAM).data.slice();
  data.set([6, 0, 1, 0, 2], 166);
  const account = { ...emptyProgramAccount(171, TOKEN_2022_PROGRAM), data };
  const run = (freezer?: Address) =>
    runNative([[NEW, account]], [initMint(freezer, TOKEN_2022_PROGRAM)]);
  expect(run().error).toEqual(instructionError(16));
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
/** Base64 of eight bytes, little-endian. */
const returnLog = (program: Address, bytes: number) =>
  `Program return: ${program} ${Buffer.from([bytes, 0, 0, 0, 0, 0, 0, 0]).toString('base64')}`;

test('account sizes are returned', () => {
  const plain = runNative([mint], [sizeOf(TOKEN_PROGRAM, [7, 0])]);
  expect(plain.logs).toContain(returnLog(TOKEN_PROGRAM, 165));
  const extended = runNative([mint2022(requiringExtensions)], [sizeOf(TOKEN_2022_PROGRAM, [7, 0])]);
  expect(extended.logs).toContain(returnLog(TOKEN_2022_PROGRAM, 191));
  const plainMint = runNative([mint2022([])], [sizeOf(TOKEN_2022_PROGRAM)]);
  expect(plainMint.logs).toContain(returnLog(TOKEN_2022_PROGRAM, 165));
});

test('sizes for a missing mint or for mint extensions are rejected', () => {
  expect(runNative([noMint], [sizeOf(TOKEN_PROGRAM)]).error).toEqual(instructionError(2));
  const mintEntry = runNative([mint2022([])], [sizeOf(TOKEN_2022_PROGRAM, [1, 0])]);
  expect(mintEntry.error).toEqual(instructionError(20));
});
