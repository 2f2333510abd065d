import { type AccountMeta, toLamports, WRITE } from '@tidegate/core/base';
import { SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import {
  allocate,
  assign,
  createAccount,
  systemTransfer,
} from '@tidegate/core/protocol/spl/instructions';
import { expect, test } from 'vitest';
import { instructionError } from '../../../../../test/support/localnet/instruction-error.ts';
import { runNative, walletAccount } from '../../../../../test/support/localnet/run-native.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';

const wallet = numberedAddress(1);
const other = numberedAddress(2);
const program = numberedAddress(3);
const funded = [wallet, walletAccount(1_000n)] as const;

const transfer = (lamports: bigint) =>
  systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: other },
    args: { lamports: toLamports(lamports) },
  });

const create = (lamports: bigint, space: bigint) =>
  createAccount.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: other },
    args: { lamports: toLamports(lamports), space, owner: program },
  });

const unsigned = (metas: readonly AccountMeta[], index: number): AccountMeta[] =>
  metas.map((meta, i) => (i === index ? { ...meta, role: WRITE } : meta));

test('a transfer moves lamports, up to the full balance', () => {
  const { error, account, logs } = runNative([funded], [transfer(1_000n)]);
  expect(error).toBeUndefined();
  expect([account(wallet).lamports, account(other).lamports]).toEqual([0n, 1_000n]);
  expect(logs).toEqual([
    'Program 11111111111111111111111111111111 invoke [1]',
    'Program 11111111111111111111111111111111 success',
  ]);
});

test('a transfer to the same account changes nothing', () => {
  const self = systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: wallet, to: wallet },
    args: { lamports: toLamports(400n) },
  });
  expect(runNative([funded], [self]).account(wallet).lamports).toBe(1_000n);
});

test('a transfer above the balance fails', () => {
  const { error, logs } = runNative([funded], [transfer(1_001n)]);
  expect(error).toEqual(instructionError(1));
  expect(logs).toContain('Transfer: insufficient lamports 1000, need 1001');
});

test('only the sender must sign', () => {
  const instruction = transfer(1n);
  const unsignedInstruction = { ...instruction, accounts: unsigned(instruction.accounts, 0) };
  expect(runNative([funded], [unsignedInstruction]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});

test('an account with data cannot send', () => {
  const withData = { ...walletAccount(), data: Uint8Array.of(1) };
  const { error, logs } = runNative([[wallet, withData]], [transfer(1n)]);
  expect(error).toEqual(instructionError('InvalidArgument'));
  expect(logs).toContain('Transfer: `from` must not carry data');
});

test("lamports of another program's account cannot be sent", () => {
  const foreign = { ...walletAccount(), owner: program };
  expect(runNative([[wallet, foreign]], [transfer(1n)]).error).toEqual(
    instructionError('ExternalAccountLamportSpend'),
  );
});

test('a new account has its lamports, zeroed data and owner', () => {
  const { error, account } = runNative([funded], [create(900n, 5n)]);
  expect(error).toBeUndefined();
  expect(account(other)).toEqual({ owner: program, lamports: 900n, data: new Uint8Array(5) });
  expect(account(wallet).lamports).toBe(100n);
});

test('an account that has lamports cannot be created', () => {
  const { error, logs } = runNative([funded, [other, walletAccount(1n)]], [create(900n, 5n)]);
  expect(error).toEqual(instructionError(0));
  expect(logs[1]).toBe(
    `Create Account: account Address { address: ${other}, base: None } already in use`,
  );
});

test('a new account must sign, be funded and have at most 10 MiB', () => {
  const instruction = create(900n, 5n);
  const unsignedInstruction = { ...instruction, accounts: unsigned(instruction.accounts, 1) };
  expect(runNative([funded], [unsignedInstruction]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
  expect(runNative([funded], [create(1_001n, 5n)]).error).toEqual(instructionError(1));
  expect(runNative([funded], [create(900n, 10_485_761n)]).error).toEqual(instructionError(3));
});

test('allocate and assign initialize an address that has lamports', () => {
  const accounts = { account: other };
  const space = allocate.build(SYSTEM_PROGRAM, { accounts, args: { space: 7n } });
  const owner = assign.build(SYSTEM_PROGRAM, { accounts, args: { owner: program } });
  const { error, account } = runNative([[other, walletAccount(50n)]], [space, owner]);
  expect(error).toBeUndefined();
  expect(account(other)).toEqual({ owner: program, lamports: 50n, data: new Uint8Array(7) });
});

test('space is allocated once, and the account must sign', () => {
  const space = allocate.build(SYSTEM_PROGRAM, {
    accounts: { account: other },
    args: { space: 7n },
  });
  const repeated = runNative([[other, walletAccount()]], [space, space]);
  expect(repeated.error).toEqual({ InstructionError: [1, { Custom: 0 }] });
  const unsignedInstruction = { ...space, accounts: unsigned(space.accounts, 0) };
  expect(runNative([], [unsignedInstruction]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
});

test("assign requires the account's signature unless nothing changes", () => {
  const build = (owner: typeof program) =>
    assign.build(SYSTEM_PROGRAM, { accounts: { account: other }, args: { owner } });
  const unsignedInstruction = (owner: typeof program) => {
    const instruction = build(owner);
    return { ...instruction, accounts: unsigned(instruction.accounts, 0) };
  };
  const existing = [other, walletAccount()] as const;
  expect(runNative([existing], [unsignedInstruction(program)]).error).toEqual(
    instructionError('MissingRequiredSignature'),
  );
  expect(runNative([existing], [unsignedInstruction(SYSTEM_PROGRAM)]).error).toBeUndefined();
  const foreign = [other, { ...walletAccount(), owner: wallet }] as const;
  expect(runNative([foreign], [build(program)]).error).toEqual(
    instructionError('ModifiedProgramId'),
  );
});

test.each([
  ['no data', ''],
  ['an unknown instruction', 'ff000000'],
  ['truncated data', '02000000ff'],
])('%s is rejected', (_, hex) => {
  const instruction = { ...transfer(1n), data: Uint8Array.from(Buffer.from(hex, 'hex')) };
  expect(runNative([funded], [instruction]).error).toEqual(
    instructionError('InvalidInstructionData'),
  );
});

test('missing accounts are rejected', () => {
  const instruction = transfer(1n);
  const incomplete = { ...instruction, accounts: instruction.accounts.slice(0, 1) };
  expect(runNative([funded], [incomplete]).error).toEqual(instructionError('NotEnoughAccountKeys'));
});
