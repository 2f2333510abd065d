import { type Address, READ, toLamports, ZERO_ADDRESS } from '@tidegate/core/base';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  tokenTransfer,
  transferChecked,
  transferCheckedWithFee,
} from '@tidegate/core/protocol/spl/instructions';
import { type Extension, findExtension } from '@tidegate/core/protocol/spl/layout';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../../test/support/localnet/instruction-error.ts';
import { runNative } from '../../../../../../test/support/localnet/run-native.ts';
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

const transferInstruction = (amount: bigint, authority: Address = ALICE) =>
  tokenTransfer.build(TOKEN_PROGRAM, { accounts: { ...accounts, authority }, args: { amount } });

const checkedInstruction = (amount: bigint, changes: { mint?: Address; decimals?: number } = {}) =>
  transferChecked.build(TOKEN_PROGRAM, {
    accounts: { ...accounts, mint: changes.mint ?? MINT },
    args: { amount, decimals: changes.decimals ?? 9 },
  });

const token2022Instruction = (amount: bigint, authority: Address = ALICE) =>
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

test.each([transferInstruction(100n), checkedInstruction(100n)])(
  'the whole balance can be sent',
  (instruction) => {
    const { error, token, logs } = runNative(tokenAccounts(), [instruction]);
    expect(error).toBeUndefined();
    expect([token(ALICE_TOKENS).amount, token(BOB_TOKENS).amount]).toEqual([0n, 120n]);
    expect(logs).toHaveLength(3);
  },
);

test('a transfer above the balance fails', () => {
  const { error, logs } = runNative(tokenAccounts(), [transferInstruction(101n)]);
  expect(error).toEqual(instructionError(1));
  expect(logs).toContain('Program log: Error: insufficient funds');
});

test.each([
  ['the account is frozen', 17, { alice: { state: 2 } }, transferInstruction(1n)],
  ['the destination is frozen', 17, { bob: { state: 2 } }, transferInstruction(1n)],
  ['the destination has another mint', 3, { bob: { mint: OTHER_MINT } }, transferInstruction(1n)],
  ['another mint is given', 3, {}, checkedInstruction(1n, { mint: OTHER_MINT })],
  ['other decimals are given', 18, {}, checkedInstruction(1n, { decimals: 6 })],
  ['another wallet signs', 4, {}, transferInstruction(1n, BOB)],
  ['a delegate exceeds its limit', 1, { alice: delegated }, transferInstruction(31n, CAROL)],
] as const)('a transfer fails if %s', (...[, code, setup, instruction]) => {
  expect(runNative(tokenAccounts(setup), [instruction]).error).toEqual(instructionError(code));
});

test('the owner must sign', () => {
  expect(
    runNative(tokenAccounts(), [withRole(transferInstruction(1n), ALICE, READ)]).error,
  ).toEqual(instructionError('MissingRequiredSignature'));
});

test('a transfer reduces the delegation, and its end clears all but the key', () => {
  const partial = runNative(tokenAccounts({ alice: delegated }), [transferInstruction(10n, CAROL)]);
  expect(partial.token(ALICE_TOKENS)).toMatchObject({
    amount: 90n,
    delegateTag: 1,
    delegatedAmount: 20n,
  });
  const spent = runNative(tokenAccounts({ alice: delegated }), [transferInstruction(30n, CAROL)]);
  expect(spent.token(ALICE_TOKENS)).toMatchObject({
    amount: 70n,
    delegateTag: 0,
    delegate: CAROL,
    delegatedAmount: 0n,
  });
});

test('a transfer by the owner leaves the delegation unchanged', () => {
  const { token } = runNative(tokenAccounts({ alice: delegated }), [transferInstruction(90n)]);
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 10n, delegateTag: 1, delegatedAmount: 30n });
});

test('a transfer to itself is checked but moves nothing and uses no delegation', () => {
  const self = (amount: bigint) =>
    tokenTransfer.build(TOKEN_PROGRAM, {
      accounts: { source: ALICE_TOKENS, destination: ALICE_TOKENS, authority: CAROL },
      args: { amount },
    });
  const before = tokenAccounts({ alice: delegated });
  const { error, token } = runNative(before, [self(30n)]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS)).toMatchObject({ amount: 100n, delegatedAmount: 30n });
  expect(runNative(before, [self(31n)]).error).toEqual(instructionError(1));
});

test('a transfer of wrapped SOL moves lamports', () => {
  const setup = tokenAccounts({ alice: wrappedSol(100n), bob: wrappedSol(20n) });
  const { error, token, account } = runNative(setup, [transferInstruction(60n)]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, account(ALICE_TOKENS).lamports]).toEqual([40n, 2_039_320n]);
  expect([token(BOB_TOKENS).amount, account(BOB_TOKENS).lamports]).toEqual([80n, 2_039_360n]);
});

test('accounts of another program are rejected', () => {
  const wallet = runNative(tokenAccounts().slice(0, 3), [transferInstruction(1n)]);
  expect(wallet.error).toEqual(instructionError('InvalidAccountData'));
  const other = tokenAccounts({ program: TOKEN_2022_PROGRAM });
  expect(runNative(other, [transferInstruction(1n)]).error).toEqual(
    instructionError('ExternalAccountDataModified'),
  );
  expect(runNative(tokenAccounts(), [token2022Instruction(1n)]).error).toEqual(
    instructionError('IncorrectProgramId'),
  );
});

test('a read-only account cannot send', () => {
  expect(
    runNative(tokenAccounts(), [withRole(transferInstruction(1n), ALICE_TOKENS, READ)]).error,
  ).toEqual(instructionError('ReadonlyDataModified'));
});

test('Token-2022 logs the instruction', () => {
  const { error, token, logs } = runNative(tokenAccounts(extendedTokenAccounts([])), [
    token2022Instruction(100n),
  ]);
  expect(error).toBeUndefined();
  expect(token(BOB_TOKENS).amount).toBe(120n);
  expect(logs).toContain('Program log: Instruction: TransferChecked');
});

test('a permanent delegate transfers from any account, and owners can still send', () => {
  const setup = tokenAccounts(
    extendedTokenAccounts([{ kind: 'permanentDelegate', value: { delegate: CAROL } }]),
  );
  const { error, token } = runNative(setup, [
    token2022Instruction(99n, CAROL),
    token2022Instruction(1n),
  ]);
  expect(error).toBeUndefined();
  expect(token(ALICE_TOKENS).amount).toBe(0n);
  expect(runNative(setup, [token2022Instruction(1n, BOB)]).error).toEqual(instructionError(4));
});

test('a zero fee must be stated as zero', () => {
  const setup = tokenAccounts(extendedTokenAccounts(fee(0, 0n), [noFees]));
  const withFee = (statedFee: bigint) =>
    transferCheckedWithFee.build(TOKEN_2022_PROGRAM, {
      accounts: { ...accounts, mint: MINT },
      args: { amount: 40n, decimals: 9, fee: statedFee },
    });
  const { error, token } = runNative(setup, [withFee(0n)]);
  expect(error).toBeUndefined();
  expect([token(ALICE_TOKENS).amount, token(BOB_TOKENS).amount]).toEqual([60n, 60n]);
  expect(runNative(setup, [withFee(1n)]).error).toEqual(instructionError(32));
});

test('a fee is withheld in the destination account', () => {
  // 1% of 40 is 0.4, rounded up to 1; 50% of 40 is above the maximum of 7.
  for (const [bps, withheld] of [
    [100, 1n],
    [5_000, 7n],
  ] as const) {
    const setup = tokenAccounts(extendedTokenAccounts(fee(bps, 7n), [noFees]));
    const { error, token } = runNative(setup, [token2022Instruction(40n)]);
    expect(error).toBeUndefined();
    expect(token(BOB_TOKENS).amount).toBe(60n - withheld);
    const feeAmount = findExtension(token(BOB_TOKENS).extensions, 'transferFeeAmount');
    expect(feeAmount?.value.withheldAmount).toBe(withheld);
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
    'the tokens are non-transferable',
    37,
    extendedTokenAccounts([], [{ kind: 'nonTransferableAccount', value: {} }]),
  ],
  ['the mint has a hook with a program', 'MissingAccount', extendedTokenAccounts([hook])],
] as const)('a Token-2022 transfer fails if %s', (_, error, setup) => {
  expect(runNative(tokenAccounts(setup), [token2022Instruction(1n)]).error).toEqual(
    instructionError(error),
  );
});

test('a hook without a program has no effect', () => {
  const ofAccounts: Extension[] = [{ kind: 'transferHookAccount', value: { transferring: 0 } }];
  const setup = tokenAccounts(extendedTokenAccounts([idleHook], ofAccounts));
  expect(runNative(setup, [token2022Instruction(1n)]).error).toBeUndefined();
});

test.each([
  { kind: 'pausableAccount', value: {} },
  { kind: 'transferHookAccount', value: { transferring: 0 } },
  noFees,
] satisfies Extension[])('a transfer from an account with $kind requires the mint', (extension) => {
  const setup = tokenAccounts(extendedTokenAccounts([], [extension]));
  const plain = tokenTransfer.build(TOKEN_2022_PROGRAM, { accounts, args: { amount: 1n } });
  expect(runNative(setup, [plain]).error).toEqual(instructionError(31));
});
