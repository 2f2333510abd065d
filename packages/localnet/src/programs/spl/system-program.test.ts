import { type AccountMeta, toLamports, WRITE } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  allocate,
  assign,
  createAccount,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import {
  firstInstructionError,
  runNative,
  walletAccount,
} from '../../../../../test/support/localnet/run-native.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const wallet = numberedAddress(1);
const other = numberedAddress(2);
const program = numberedAddress(3);
const rich = [wallet, walletAccount(1_000n)] as const;

const sending = (lamports: bigint) =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: other },
    args: { lamports: toLamports(lamports) },
  });

const creating = (lamports: bigint, space: bigint) =>
  createAccount.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: other },
    args: { lamports: toLamports(lamports), space, owner: program },
  });

const unsigned = (metas: readonly AccountMeta[], index: number): AccountMeta[] =>
  metas.map((meta, i) => (i === index ? { ...meta, role: WRITE } : meta));

test('a transfer moves lamports, up to all of them', () => {
  const { error, account, logs } = runNative([rich], [sending(1_000n)]);
  expect(error).toBeUndefined();
  expect([account(wallet).lamports, account(other).lamports]).toEqual([0n, 1_000n]);
  expect(logs).toEqual([
    'Program 11111111111111111111111111111111 invoke [1]',
    'Program 11111111111111111111111111111111 success',
  ]);
});

test('a transfer to oneself changes nothing', () => {
  const self = systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: wallet },
    args: { lamports: toLamports(400n) },
  });
  expect(runNative([rich], [self]).account(wallet).lamports).toBe(1_000n);
});

test('more than there is cannot be sent', () => {
  const { error, logs } = runNative([rich], [sending(1_001n)]);
  expect(error).toEqual(firstInstructionError(1));
  expect(logs).toContain('Transfer: insufficient lamports 1000, need 1001');
});

test('only the one who sends must sign', () => {
  const instruction = sending(1n);
  const without = { ...instruction, accounts: unsigned(instruction.accounts, 0) };
  expect(runNative([rich], [without]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
});

test('an account with data sends nothing', () => {
  const carrying = { ...walletAccount(), data: Uint8Array.of(1) };
  const { error, logs } = runNative([[wallet, carrying]], [sending(1n)]);
  expect(error).toEqual(firstInstructionError('InvalidArgument'));
  expect(logs).toContain('Transfer: `from` must not carry data');
});

test('lamports of another program are not sent', () => {
  const foreign = { ...walletAccount(), owner: program };
  expect(runNative([[wallet, foreign]], [sending(1n)]).error).toEqual(
    firstInstructionError('ExternalAccountLamportSpend'),
  );
});

test('a created account has its lamports, zeros and its owner', () => {
  const { error, account } = runNative([rich], [creating(900n, 5n)]);
  expect(error).toBeUndefined();
  expect(account(other)).toEqual({ owner: program, lamports: 900n, data: new Uint8Array(5) });
  expect(account(wallet).lamports).toBe(100n);
});

test('an account that has lamports cannot be created', () => {
  const { error, logs } = runNative([rich, [other, walletAccount(1n)]], [creating(900n, 5n)]);
  expect(error).toEqual(firstInstructionError(0));
  expect(logs[1]).toBe(
    `Create Account: account Address { address: ${other}, base: None } already in use`,
  );
});

test('a new account must sign, must be paid for and has at most 10 MiB', () => {
  const instruction = creating(900n, 5n);
  const without = { ...instruction, accounts: unsigned(instruction.accounts, 1) };
  expect(runNative([rich], [without]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
  expect(runNative([rich], [creating(1_001n, 5n)]).error).toEqual(firstInstructionError(1));
  expect(runNative([rich], [creating(900n, 10_485_761n)]).error).toEqual(firstInstructionError(3));
});

test('space and owner are given one after the other to an address that has lamports', () => {
  const accounts = { account: other };
  const space = allocate.build(SYSTEM_PROGRAM, { accounts, args: { space: 7n } });
  const owner = assign.build(SYSTEM_PROGRAM, { accounts, args: { owner: program } });
  const { error, account } = runNative([[other, walletAccount(50n)]], [space, owner]);
  expect(error).toBeUndefined();
  expect(account(other)).toEqual({ owner: program, lamports: 50n, data: new Uint8Array(7) });
});

test('space is given once, and by the owner of the key', () => {
  const space = allocate.build(SYSTEM_PROGRAM, {
    accounts: { account: other },
    args: { space: 7n },
  });
  const twice = runNative([[other, walletAccount()]], [space, space]);
  expect(twice.error).toEqual({ InstructionError: [1, { Custom: 0 }] });
  const without = { ...space, accounts: unsigned(space.accounts, 0) };
  expect(runNative([], [without]).error).toEqual(firstInstructionError('MissingRequiredSignature'));
});

test('an owner is given by the key, or by nobody where nothing changes', () => {
  const build = (owner: typeof program) =>
    assign.build(SYSTEM_PROGRAM, { accounts: { account: other }, args: { owner } });
  const without = (owner: typeof program) => {
    const instruction = build(owner);
    return { ...instruction, accounts: unsigned(instruction.accounts, 0) };
  };
  const there = [other, walletAccount()] as const;
  expect(runNative([there], [without(program)]).error).toEqual(
    firstInstructionError('MissingRequiredSignature'),
  );
  expect(runNative([there], [without(SYSTEM_PROGRAM)]).error).toBeUndefined();
  const taken = [other, { ...walletAccount(), owner: wallet }] as const;
  expect(runNative([taken], [build(program)]).error).toEqual(
    firstInstructionError('ModifiedProgramId'),
  );
});

test.each([
  ['no data', ''],
  ['an instruction that it does not have', 'ff000000'],
  ['data that is cut short', '02000000ff'],
])('%s is refused', (_, hex) => {
  const instruction = { ...sending(1n), data: Uint8Array.from(Buffer.from(hex, 'hex')) };
  expect(runNative([rich], [instruction]).error).toEqual(
    firstInstructionError('InvalidInstructionData'),
  );
});

test('accounts that are missing are refused', () => {
  const instruction = sending(1n);
  const alone = { ...instruction, accounts: instruction.accounts.slice(0, 1) };
  expect(runNative([rich], [alone]).error).toEqual(firstInstructionError('NotEnoughAccountKeys'));
});
