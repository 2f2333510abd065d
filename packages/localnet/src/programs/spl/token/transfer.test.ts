import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '@tidegate/core/protocol/spl/instructions';
import { type Extension, extensionOf } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import { failsWith, runNative } from '../../../../../../test/support/localnet/run-native.ts';
import {
  ALICE,
  BOB,
  CAROL,
  extendedScene,
  MINT,
  OF_ALICE,
  OF_BOB,
  OTHER_MINT,
  tokenScene,
  withRole,
  wrappedSol,
} from '../../../../../../test/support/localnet/token-accounts.ts';

const accounts = { source: OF_ALICE, destination: OF_BOB, authority: ALICE };

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
  const { error, token, logs } = runNative(tokenScene(), [instruction]);
  expect(error).toBeUndefined();
  expect([token(OF_ALICE).amount, token(OF_BOB).amount]).toEqual([0n, 120n]);
  expect(logs).toHaveLength(3);
});

test('more than the balance cannot', () => {
  const { error, logs } = runNative(tokenScene(), [sending(101n)]);
  expect(error).toEqual(failsWith(1));
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
  expect(runNative(tokenScene(scene), [instruction]).error).toEqual(failsWith(code));
});

test('the owner must have signed', () => {
  expect(runNative(tokenScene(), [withRole(sending(1n), ALICE, READ)]).error).toEqual(
    failsWith('MissingRequiredSignature'),
  );
});

test('a delegate uses up what it may send, and is forgotten but for its key', () => {
  const once = runNative(tokenScene({ alice: delegated }), [sending(10n, CAROL)]);
  expect(once.token(OF_ALICE)).toMatchObject({ amount: 90n, delegateTag: 1, delegatedAmount: 20n });
  const all = runNative(tokenScene({ alice: delegated }), [sending(30n, CAROL)]);
  expect(all.token(OF_ALICE)).toMatchObject({
    ...{ amount: 70n, delegateTag: 0, delegate: CAROL, delegatedAmount: 0n },
  });
});

test('the owner sends without touching what the delegate may', () => {
  const { token } = runNative(tokenScene({ alice: delegated }), [sending(90n)]);
  expect(token(OF_ALICE)).toMatchObject({ amount: 10n, delegateTag: 1, delegatedAmount: 30n });
});

test('to itself nothing moves and no delegate is used up, but all is checked', () => {
  const self = (amount: bigint) =>
    tokenTransfer.build(TOKEN_PROGRAM, {
      accounts: { source: OF_ALICE, destination: OF_ALICE, authority: CAROL },
      args: { amount },
    });
  const before = tokenScene({ alice: delegated });
  const { error, token } = runNative(before, [self(30n)]);
  expect(error).toBeUndefined();
  expect(token(OF_ALICE)).toMatchObject({ amount: 100n, delegatedAmount: 30n });
  expect(runNative(before, [self(31n)]).error).toEqual(failsWith(1));
});

test('with wrapped SOL its lamports move', () => {
  const scene = tokenScene({ alice: wrappedSol(100n), bob: wrappedSol(20n) });
  const { error, token, account } = runNative(scene, [sending(60n)]);
  expect(error).toBeUndefined();
  expect([token(OF_ALICE).amount, account(OF_ALICE).lamports]).toEqual([40n, 2_039_320n]);
  expect([token(OF_BOB).amount, account(OF_BOB).lamports]).toEqual([80n, 2_039_360n]);
});

test('accounts of no token program and of the other one are refused', () => {
  const wallet = runNative(tokenScene().slice(0, 3), [sending(1n)]);
  expect(wallet.error).toEqual(failsWith('InvalidAccountData'));
  const other = tokenScene({ program: TOKEN_2022_PROGRAM });
  expect(runNative(other, [sending(1n)]).error).toEqual(failsWith('ExternalAccountDataModified'));
  expect(runNative(tokenScene(), [in2022(1n)]).error).toEqual(failsWith('IncorrectProgramId'));
});

test('an account that is only read cannot be sent from', () => {
  expect(runNative(tokenScene(), [withRole(sending(1n), OF_ALICE, READ)]).error).toEqual(
    failsWith('ReadonlyDataModified'),
  );
});

test('Token-2022 says what it does', () => {
  const { error, token, logs } = runNative(tokenScene(extendedScene([])), [in2022(100n)]);
  expect(error).toBeUndefined();
  expect(token(OF_BOB).amount).toBe(120n);
  expect(logs).toContain('Program log: Instruction: TransferChecked');
});

test('a permanent delegate takes from everyone, and owners still send', () => {
  const scene = tokenScene(
    extendedScene([{ kind: 'permanentDelegate', value: { delegate: CAROL } }]),
  );
  const { error, token } = runNative(scene, [in2022(99n, CAROL), in2022(1n)]);
  expect(error).toBeUndefined();
  expect(token(OF_ALICE).amount).toBe(0n);
  expect(runNative(scene, [in2022(1n, BOB)]).error).toEqual(failsWith(4));
});

test('a fee of nothing takes nothing, and must be named so', () => {
  const scene = tokenScene(extendedScene(fee(0, 0n), [noFees]));
  const withFee = (named: bigint) =>
    transferCheckedWithFee.build(TOKEN_2022_PROGRAM, {
      accounts: { ...accounts, mint: MINT },
      args: { amount: 40n, decimals: 9, fee: named },
    });
  const { error, token } = runNative(scene, [withFee(0n)]);
  expect(error).toBeUndefined();
  expect([token(OF_ALICE).amount, token(OF_BOB).amount]).toEqual([60n, 60n]);
  expect(runNative(scene, [withFee(1n)]).error).toEqual(failsWith(32));
});

test('a fee stays in the account that receives, apart from its amount', () => {
  // 1% of 40 is 0.4, rounded up to 1; 50% of 40 is above the maximum of 7
  for (const [bps, kept] of [
    [100, 1n],
    [5_000, 7n],
  ] as const) {
    const scene = tokenScene(extendedScene(fee(bps, 7n), [noFees]));
    const { error, token } = runNative(scene, [in2022(40n)]);
    expect(error).toBeUndefined();
    expect(token(OF_BOB).amount).toBe(60n - kept);
    const held = extensionOf(token(OF_BOB).extensions, 'transferFeeAmount');
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
  ['the mint is paused', 67, extendedScene([paused], [{ kind: 'pausableAccount', value: {} }])],
  [
    'the tokens cannot be moved',
    37,
    extendedScene([], [{ kind: 'nonTransferableAccount', value: {} }]),
  ],
  ['the mint has a hook with a program', 'MissingAccount', extendedScene([hook])],
] as const)('Token-2022 refuses where %s', (_, error, scene) => {
  expect(runNative(tokenScene(scene), [in2022(1n)]).error).toEqual(failsWith(error));
});

test('a hook without a program does nothing', () => {
  const ofAccounts: Extension[] = [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
  const scene = tokenScene(extendedScene([idleHook], ofAccounts));
  expect(runNative(scene, [in2022(1n)]).error).toBeUndefined();
});

test.each([
  { kind: 'pausableAccount', value: {} },
  { kind: 'transferHookAccount', value: { transferring: 0 } },
  noFees,
] satisfies Extension[])('an account with $kind must name its mint', (extension) => {
  const scene = tokenScene(extendedScene([], [extension]));
  const plain = tokenTransfer.build(TOKEN_2022_PROGRAM, { accounts, args: { amount: 1n } });
  expect(runNative(scene, [plain]).error).toEqual(failsWith(31));
});
