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
  MINTER,
  OTHER_MINT,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

type Changed = { readonly mint?: Address; readonly by?: Address; readonly program?: Address };

const minting = (amount: bigint, { mint = MINT, by = MINTER, program }: Changed = {}) =>
  mintTo.build(program ?? TOKEN_PROGRAM, {
    accounts: { mint, account: ALICE_TOKENS, mintAuthority: by },
    args: { amount },
  });

const burning = (amount: bigint, { mint = MINT, by = ALICE, program }: Changed = {}) =>
  burn.build(program ?? TOKEN_PROGRAM, {
    accounts: { mint, account: ALICE_TOKENS, authority: by },
    args: { amount },
  });

const mintingChecked = (decimals: number) =>
  mintToChecked.build(TOKEN_PROGRAM, {
    accounts: { mint: MINT, account: ALICE_TOKENS, mintAuthority: MINTER },
    args: { amount: 5n, decimals },
  });

const burningChecked = (decimals: number) =>
  burnChecked.build(TOKEN_PROGRAM, {
    accounts: { mint: MINT, account: ALICE_TOKENS, authority: ALICE },
    args: { amount: 5n, decimals },
  });

test.each([
  ['minted', minting(5n), 105n, 125n],
  ['minted with decimals', mintingChecked(9), 105n, 125n],
  ['burned', burning(100n), 0n, 20n],
  ['burned with decimals', burningChecked(9), 95n, 115n],
] as const)('what is %s is in account and supply', (...[, instruction, amount, supply]) => {
  const { error, token, mint } = runNative(tokenAccounts(), [instruction]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, mint(MINT).supply]).toEqual([amount, supply]);
});

const frozen = { alice: { state: 2 } };

test.each([
  ['minting to a frozen account', 17, frozen, minting(1n)],
  ['minting wrapped SOL', 10, { alice: wrappedSol(1n) }, minting(1n)],
  ['minting of another mint', 3, {}, minting(1n, { mint: OTHER_MINT })],
  ['minting with other decimals', 18, {}, mintingChecked(6)],
  ['minting by somebody else', 4, {}, minting(1n, { by: ALICE })],
  ['minting of a fixed supply', 5, { mint: { mintAuthorityTag: 0 } }, minting(1n)],
  ['minting beyond 64 bits', 14, { mint: { supply: toLamports(U64_MAX) } }, minting(1n)],
  ['burning from a frozen account', 17, frozen, burning(1n)],
  ['burning wrapped SOL', 10, { alice: wrappedSol(1n) }, burning(1n)],
  ['burning more than there is', 1, {}, burning(101n)],
  ['burning of another mint', 3, {}, burning(1n, { mint: OTHER_MINT })],
  ['burning with other decimals', 18, {}, burningChecked(6)],
  ['burning by somebody else', 4, {}, burning(1n, { by: BOB })],
] as const)('%s is refused', (...[, code, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(code));
});

test.each([
  [minting(1n), MINTER],
  [burning(1n), ALICE],
] as const)('it must be signed', (instruction, signer) => {
  expect(runNative(tokenAccounts(), [withRole(instruction, signer, READ)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});

test('a delegate burns up to what it may', () => {
  const alice = { delegate: CAROL, delegatedAmount: toLamports(30n) };
  const { error, token } = runNative(tokenAccounts({ alice }), [burning(30n, { by: CAROL })]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 70n, delegateTag: 0, delegatedAmount: 0n });
  expect(runNative(tokenAccounts({ alice }), [burning(31n, { by: CAROL })]).error).toEqual(
    firstInstructionError(1),
  );
});

test.each([ZERO_ADDRESS, toAddress('1nc1nerator11111111111111111111111111111111')])(
  'what %s holds anyone may burn',
  (owner) => {
    const { error, mint } = runNative(tokenAccounts({ alice: { owner } }), [
      burning(1n, { by: BOB }),
    ]);
    expect(error).toBeUndefined();
    expect(mint(MINT).supply).toBe(119n);
  },
);

const paused: Extension = { kind: 'pausableConfig', value: { authority: CAROL, paused: 1 } };
const unmovable: Extension = { kind: 'nonTransferable', value: {} };
const bound: Extension[] = [
  { kind: 'nonTransferableAccount', value: {} },
  { kind: 'immutableOwner', value: {} },
];
const of2022 = { program: TOKEN_2022_PROGRAM };

test.each([
  ['minting of a paused mint', 67, extendedTokenAccounts([paused]), minting(1n, of2022)],
  ['burning of a paused mint', 67, extendedTokenAccounts([paused]), burning(1n, of2022)],
  [
    'minting of tokens that cannot move to an account that can',
    38,
    extendedTokenAccounts([unmovable], bound.slice(0, 1)),
    minting(1n, of2022),
  ],
] as const)('Token-2022 refuses %s', (...[, code, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(code));
});

test('tokens that cannot move are minted to accounts that cannot either', () => {
  const scene = tokenAccounts(extendedTokenAccounts([unmovable], bound));
  expect(runNative(scene, [minting(1n, of2022)]).error).toBeUndefined();
});

test('a permanent delegate burns what others hold', () => {
  const seizer: Extension = { kind: 'permanentDelegate', value: { delegate: CAROL } };
  const scene = tokenAccounts(extendedTokenAccounts([seizer]));
  const { error, token } = runNative(scene, [burning(100n, { ...of2022, by: CAROL })]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS).amount).toBe(0n);
});
