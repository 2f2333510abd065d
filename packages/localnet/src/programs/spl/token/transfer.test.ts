import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '@tidegate/core/protocol/spl/instructions';
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
  BOB_TOKENS,
  CAROL,
  extendedTokenAccounts,
  MINT,
  OTHER_MINT,
  tokenAccounts,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const accounts = { source: ALICE_TOKENS, destination: BOB_TOKENS, authority: ALICE };

const sending = (amount: bigint, authority: Address = ALICE) =>
  tokenTransfer.build(TOKEN_PROGRAM, { accounts: { ...accounts, authority }, args: { amount } });

const checked = (amount: bigint, changed: { mint?: Address; decimals?: number } = {}) =>
  transferChecked.build(TOKEN_PROGRAM, {
    accounts: { ...accounts, mint: changed.mint ?? MINT },
    args: { amount, decimals: changed.decimals ?? 9 },
  });

const in2022 = (amount: bigint, authority: Address = ALICE) =>
  transferChecked.build(TOKEN_2022_PROGRAM, {
    accounts: { ...accounts, mint: MINT, authority },
    args: { amount, decimals: 9 },
  });

const delegated = {
  delegate: CAROL,
  delegatedAmount: toLamports(30n),
};

const fee = (bps: number, maximum: bigint): Extension[] => {
  const rule = { epoch: 0n, maximumFee: toLamports(maximum), transferFeeBasisPoints: bps };
  return [
    {
      kind: 'transferFeeConfig',
      value: {
        transferFeeConfigAuthority: ZERO_ADDRESS,
        withdrawWithheldAuthority: ZERO_ADDRESS,
        withheldAmount: toLamports(0n),
        olderTransferFee: rule,
        newerTransferFee: rule,
      },
    },
  ];
};
const noFees: Extension = {
  kind: 'transferFeeAmount',
  value: { withheldAmount: toLamports(0n) },
};

test.each([sending(100n), checked(100n)])('all of a balance can be sent', (instruction) => {
  const { error, token, logs } = runNative(tokenAccounts(), [instruction]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, token(BOB_TOKENS).amount]).toEqual([0n, 120n]);
  expect(logs).toHaveLength(3);
});

test('more than the balance cannot', () => {
  const { error, logs } = runNative(tokenAccounts(), [sending(101n)]);
  expect(error).toEqual(firstInstructionError(1));
  expect(logs).toContain('Program log: Error: insufficient funds');
});

test.each([
  ['the account is frozen', 17, { alice: { state: 2 } }, sending(1n)],
  ['the other account is frozen', 17, { bob: { state: 2 } }, sending(1n)],
  ['the other account is of another mint', 3, { bob: { mint: OTHER_MINT } }, sending(1n)],
  ['another mint is named', 3, {}, checked(1n, { mint: OTHER_MINT })],
  ['other decimals are named', 18, {}, checked(1n, { decimals: 6 })],
  ['somebody else signs', 4, {}, sending(1n, BOB)],
  ['a delegate takes more than is left to it', 1, { alice: delegated }, sending(31n, CAROL)],
] as const)('refused where %s', (...[, code, scene, instruction]) => {
  expect(runNative(tokenAccounts(scene), [instruction]).error).toEqual(firstInstructionError(code));
});

test('the owner must have signed', () => {
  expect(runNative(tokenAccounts(), [withRole(sending(1n), ALICE, READ)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});

test('a delegate uses up what it may send, and is forgotten but for its key', () => {
  const once = runNative(tokenAccounts({ alice: delegated }), [sending(10n, CAROL)]);
  expect(once.token(ALICE_TOKENS)).toMatchObject({
    amount: 90n,
    delegateTag: 1,
    delegatedAmount: 20n,
  });
  const all = runNative(tokenAccounts({ alice: delegated }), [sending(30n, CAROL)]);
  expect(all.token(ALICE_TOKENS)).toMatchObject({
    ...{ amount: 70n, delegateTag: 0, delegate: CAROL, delegatedAmount: 0n },
  });
});

test('the owner sends without touching what the delegate may', () => {
  const { token } = runNative(tokenAccounts({ alice: delegated }), [sending(90n)]);
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 10n, delegateTag: 1, delegatedAmount: 30n });
});

test('to itself nothing moves and no delegate is used up, but all is checked', () => {
  const self = (amount: bigint) =>
    tokenTransfer.build(TOKEN_PROGRAM, {
      accounts: { source: ALICE_TOKENS, destination: ALICE_TOKENS, authority: CAROL },
      args: { amount },
    });
  const before = tokenAccounts({ alice: delegated });
  const { error, token } = runNative(before, [self(30n)]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 100n, delegatedAmount: 30n });
  expect(runNative(before, [self(31n)]).error).toEqual(firstInstructionError(1));
});

test('with wrapped SOL its lamports move', () => {
  const scene = tokenAccounts({ alice: wrappedSol(100n), bob: wrappedSol(20n) });
  const { error, token, account } = runNative(scene, [sending(60n)]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, account(ALICE_TOKENS).lamports]).toEqual([40n, 2_039_320n]);
  expect([token(BOB_TOKENS).amount, account(BOB_TOKENS).lamports]).toEqual([80n, 2_039_360n]);
});

test('accounts of no token program and of the other one are refused', () => {
  const wallet = runNative(tokenAccounts().slice(0, 3), [sending(1n)]);
  expect(wallet.error).toEqual(firstInstructionError('InvalidAccountData'));
  const other = tokenAccounts({ program: TOKEN_2022_PROGRAM });
  expect(runNative(other, [sending(1n)]).error).toEqual(
    firstInstructionError('ExternalAccountDataModified'),
  );
  expect(runNative(tokenAccounts(), [in2022(1n)]).error).toEqual(
    firstInstructionError('IncorrectProgramId'),
  );
});

test('an account that is only read cannot be sent from', () => {
  expect(runNative(tokenAccounts(), [withRole(sending(1n), ALICE_TOKENS, READ)]).error).toEqual(
    firstInstructionError('ReadonlyDataModified'),
  );
});

test('Token-2022 says what it does', () => {
  const { error, token, logs } = runNative(tokenAccounts(extendedTokenAccounts([])), [
    in2022(100n),
  ]);
  expect(error).toBeUndefined();
  expect(token(BOB_TOKENS).amount).toBe(120n);
  expect(logs).toContain('Program log: Instruction: TransferChecked');
});

test('a permanent delegate takes from everyone, and owners still send', () => {
  const scene = tokenAccounts(
    extendedTokenAccounts([{ kind: 'permanentDelegate', value: { delegate: CAROL } }]),
  );
  const { error, token } = runNative(scene, [in2022(99n, CAROL), in2022(1n)]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS).amount).toBe(0n);
  expect(runNative(scene, [in2022(1n, BOB)]).error).toEqual(firstInstructionError(4));
});

test('a fee of nothing takes nothing, and must be named so', () => {
  const scene = tokenAccounts(extendedTokenAccounts(fee(0, 0n), [noFees]));
  const withFee = (named: bigint) =>
    transferCheckedWithFee.build(TOKEN_2022_PROGRAM, {
      accounts: { ...accounts, mint: MINT },
      args: { amount: 40n, decimals: 9, fee: named },
    });
  const { error, token } = runNative(scene, [withFee(0n)]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, token(BOB_TOKENS).amount]).toEqual([60n, 60n]);
  expect(runNative(scene, [withFee(1n)]).error).toEqual(firstInstructionError(32));
});

test('a fee stays in the account that receives, apart from its amount', () => {
  // 1% of 40 is 0.4, rounded up to 1; 50% of 40 is above the maximum of 7
  for (const [bps, kept] of [
    [100, 1n],
    [5_000, 7n],
  ] as const) {
    const scene = tokenAccounts(extendedTokenAccounts(fee(bps, 7n), [noFees]));
    const { error, token } = runNative(scene, [in2022(40n)]);
    expect(error).toBeUndefined();
    expect(token(BOB_TOKENS).amount).toBe(60n - kept);
    const held = findExtension(token(BOB_TOKENS).extensions, 'transferFeeAmount');
    expect(held?.value.withheldAmount).toBe(kept);
  }
});

const paused: Extension = {
  kind: 'pausableConfig',
  value: { authority: CAROL, paused: 1 },
};
const hook: Extension = { kind: 'transferHook', value: { authority: CAROL, programId: BOB } };
const idleHook: Extension = {
  kind: 'transferHook',
  value: { authority: CAROL, programId: ZERO_ADDRESS },
};

test.each([
  [
    'the mint is paused',
    67,
    extendedTokenAccounts([paused], [{ kind: 'pausableAccount', value: {} }]),
  ],
  [
    'the tokens cannot be moved',
    37,
    extendedTokenAccounts([], [{ kind: 'nonTransferableAccount', value: {} }]),
  ],
  ['the mint has a hook with a program', 'MissingAccount', extendedTokenAccounts([hook])],
] as const)('Token-2022 refuses where %s', (_, error, scene) => {
  expect(runNative(tokenAccounts(scene), [in2022(1n)]).error).toEqual(firstInstructionError(error));
});

test('a hook without a program does nothing', () => {
  const ofAccounts: Extension[] = [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
  const scene = tokenAccounts(extendedTokenAccounts([idleHook], ofAccounts));
  expect(runNative(scene, [in2022(1n)]).error).toBeUndefined();
});

test.each([
  { kind: 'pausableAccount', value: {} },
  { kind: 'transferHookAccount', value: { transferring: 0 } },
  noFees,
] satisfies Extension[])('an account with $kind must name its mint', (extension) => {
  const scene = tokenAccounts(extendedTokenAccounts([], [extension]));
  const plain = tokenTransfer.build(TOKEN_2022_PROGRAM, { accounts, args: { amount: 1n } });
  expect(runNative(scene, [plain]).error).toEqual(firstInstructionError(31));
});
