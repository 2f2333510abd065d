import {
  type Address,
  READ,
  toAddress,
  toLamports,
  U64_MAX,
  ZERO_ADDRESS,
} from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { burn, burnChecked, mintTo, mintToChecked } from '@tidegate/core/protocol/spl/instructions';
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
  MINTER,
  OTHER_MINT,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

type SupplyOptions = { readonly mint?: Address; readonly by?: Address; readonly program?: Address };

const mintInstruction = (
  amount: bigint,
  { mint = MINT, by = MINTER, program }: SupplyOptions = {},
) =>
  mintTo.build(program ?? TOKEN_PROGRAM, {
    accounts: { mint, account: ALICE_TOKENS, mintAuthority: by },
    args: { amount },
  });

const burnInstruction = (
  amount: bigint,
  { mint = MINT, by = ALICE, program }: SupplyOptions = {},
) =>
  burn.build(program ?? TOKEN_PROGRAM, {
    accounts: { mint, account: ALICE_TOKENS, authority: by },
    args: { amount },
  });

const mintCheckedInstruction = (decimals: number) =>
  mintToChecked.build(TOKEN_PROGRAM, {
    accounts: { mint: MINT, account: ALICE_TOKENS, mintAuthority: MINTER },
    args: { amount: 5n, decimals },
  });

const burnCheckedInstruction = (decimals: number) =>
  burnChecked.build(TOKEN_PROGRAM, {
    accounts: { mint: MINT, account: ALICE_TOKENS, authority: ALICE },
    args: { amount: 5n, decimals },
  });

test.each([
  ['minted', mintInstruction(5n), 105n, 125n],
  ['minted with decimals', mintCheckedInstruction(9), 105n, 125n],
  ['burned', burnInstruction(100n), 0n, 20n],
  ['burned with decimals', burnCheckedInstruction(9), 95n, 115n],
] as const)('an amount %s changes balance and supply', (...[, instruction, amount, supply]) => {
  const { error, token, mint } = runNative(tokenAccounts(), [instruction]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, mint(MINT).supply]).toEqual([amount, supply]);
});

const frozen = { alice: { state: 2 } };

test.each([
  ['minting to a frozen account', 17, frozen, mintInstruction(1n)],
  ['minting wrapped SOL', 10, { alice: wrappedSol(1n) }, mintInstruction(1n)],
  ['minting of another mint', 3, {}, mintInstruction(1n, { mint: OTHER_MINT })],
  ['minting with other decimals', 18, {}, mintCheckedInstruction(6)],
  ['minting by another authority', 4, {}, mintInstruction(1n, { by: ALICE })],
  ['minting of a fixed supply', 5, { mint: { mintAuthorityTag: 0 } }, mintInstruction(1n)],
  ['minting beyond 64 bits', 14, { mint: { supply: toLamports(U64_MAX) } }, mintInstruction(1n)],
  ['burning from a frozen account', 17, frozen, burnInstruction(1n)],
  ['burning wrapped SOL', 10, { alice: wrappedSol(1n) }, burnInstruction(1n)],
  ['burning more than the balance', 1, {}, burnInstruction(101n)],
  ['burning of another mint', 3, {}, burnInstruction(1n, { mint: OTHER_MINT })],
  ['burning with other decimals', 18, {}, burnCheckedInstruction(6)],
  ['burning by another wallet', 4, {}, burnInstruction(1n, { by: BOB })],
] as const)('%s is rejected', (...[, code, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(code));
});

test.each([
  [mintInstruction(1n), MINTER],
  [burnInstruction(1n), ALICE],
] as const)('a signature is required', (instruction, signer) => {
  expect(runNative(tokenAccounts(), [withRole(instruction, signer, READ)]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});

test('a delegate burns up to its limit', () => {
  const alice = { delegate: CAROL, delegatedAmount: toLamports(30n) };
  const { error, token } = runNative(tokenAccounts({ alice }), [
    burnInstruction(30n, { by: CAROL }),
  ]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 70n, delegateTag: 0, delegatedAmount: 0n });
  expect(runNative(tokenAccounts({ alice }), [burnInstruction(31n, { by: CAROL })]).error).toEqual(
    instructionError(1),
  );
});

test.each([ZERO_ADDRESS, toAddress('1nc1nerator11111111111111111111111111111111')])(
  'anyone may burn tokens held by %s',
  (owner) => {
    const { error, mint } = runNative(tokenAccounts({ alice: { owner } }), [
      burnInstruction(1n, { by: BOB }),
    ]);
    expect(error).toBeUndefined();
    expect(mint(MINT).supply).toBe(119n);
  },
);

const paused: Extension = { kind: 'pausableConfig', value: { authority: CAROL, paused: 1 } };
const nonTransferable: Extension = { kind: 'nonTransferable', value: {} };
const boundExtensions: Extension[] = [
  { kind: 'nonTransferableAccount', value: {} },
  { kind: 'immutableOwner', value: {} },
];
const of2022 = { program: TOKEN_2022_PROGRAM };

test.each([
  ['minting of a paused mint', 67, extendedTokenAccounts([paused]), mintInstruction(1n, of2022)],
  ['burning of a paused mint', 67, extendedTokenAccounts([paused]), burnInstruction(1n, of2022)],
  [
    'minting of non-transferable tokens to an account without immutable owner',
    38,
    extendedTokenAccounts([nonTransferable], boundExtensions.slice(0, 1)),
    mintInstruction(1n, of2022),
  ],
] as const)('Token-2022 rejects %s', (...[, code, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(code));
});

test('non-transferable tokens are minted to non-transferable accounts', () => {
  const setup = tokenAccounts(extendedTokenAccounts([nonTransferable], boundExtensions));
  expect(runNative(setup, [mintInstruction(1n, of2022)]).error).toBeUndefined();
});

test('a permanent delegate burns tokens of other accounts', () => {
  const permanentDelegate: Extension = { kind: 'permanentDelegate', value: { delegate: CAROL } };
  const setup = tokenAccounts(extendedTokenAccounts([permanentDelegate]));
  const { error, token } = runNative(setup, [burnInstruction(100n, { ...of2022, by: CAROL })]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS).amount).toBe(0n);
});
