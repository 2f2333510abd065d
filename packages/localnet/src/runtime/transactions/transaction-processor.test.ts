import { toAddress } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM } from '@tidegate/core/protocol/spl';
import { setComputeUnitPrice } from '@tidegate/core/protocol/spl/instructions';
import { describe, expect, test } from 'vitest';
import {
  alice,
  BLOCKHASH,
  bob,
  computeUnitLimit,
  EMPTY_ACCOUNT_RENT,
  exampleInstruction,
  fundedAccounts,
  instructionWithAccount,
  lookupTableOf,
  PROGRAM,
  PROGRAM_ACCOUNT,
  processTransaction,
  type TransactionSetup,
  time,
  transactionWithTable,
  wallet,
} from '../../../../../test/support/localnet/processed-transactions.ts';
import { signedWire } from '../../../../../test/support/localnet/signed-transactions.ts';
import { SIGN_WRITE, WRITE } from '../../../../core/src/base/solana/instruction.ts';
import type { InvokeContext } from '../program.ts';
import { customError } from '../transaction-errors.ts';
import { loadTransaction } from './load-transaction.ts';
import { receiveTransaction } from './received-transaction.ts';

describe('executed transactions', () => {
  test('the fee is charged first, and the record has the balances before and after', () => {
    const transfer = (call: InvokeContext) => {
      expect(call.account(alice.address).lamports).toBe(10n ** 9n - 5_000n);
      call.updateAccount(PROGRAM_ACCOUNT, { lamports: 1_000_000n });
      call.updateAccount(bob.address, { lamports: 2_000_000n });
    };
    const instructions = [
      {
        ...exampleInstruction,
        accounts: [
          { address: PROGRAM_ACCOUNT, role: WRITE },
          { address: bob.address, role: WRITE },
        ],
      },
    ] as const;
    const accounts = [
      ...fundedAccounts,
      [PROGRAM_ACCOUNT, { ...wallet(3_000_000n), owner: PROGRAM }],
    ] as const;
    const { record, changes } = processTransaction({
      instructions,
      accounts,
      runProgram: transfer,
    });
    expect(record.error).toBeUndefined();
    expect(record.fee).toBe(5_000n);
    const balancesOf = (list: readonly bigint[]) =>
      new Map(record.accounts.map(({ address }, i) => [address, list[i]]));
    expect(balancesOf(record.preBalances).get(bob.address)).toBe(0n);
    expect(balancesOf(record.postBalances).get(bob.address)).toBe(2_000_000n);
    expect(balancesOf(record.postBalances).get(alice.address)).toBe(999_995_000n);
    expect(changes.get(PROGRAM_ACCOUNT)?.lamports).toBe(1_000_000n);
    expect(changes.get(alice.address)?.lamports).toBe(999_995_000n);
  });

  test('a failed transaction only pays the fee', () => {
    const fail = (call: InvokeContext) => {
      call.updateAccount(PROGRAM_ACCOUNT, { data: Uint8Array.of(1) });
      throw customError(7);
    };
    const accounts = [
      ...fundedAccounts,
      [PROGRAM_ACCOUNT, { ...wallet(10n ** 9n), owner: PROGRAM }],
    ] as const;
    const { record, changes } = processTransaction({
      accounts,
      runProgram: fail,
      instructions: [instructionWithAccount(PROGRAM_ACCOUNT, WRITE)],
    });
    expect(record.error).toEqual({ InstructionError: [0, { Custom: 7 }] });
    expect([...changes.keys()]).toEqual([alice.address]);
    expect(changes.get(alice.address)?.lamports).toBe(999_995_000n);
  });

  test('the priority fee is charged for the unit limit, not for the units used', () => {
    const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
      accounts: {},
      args: { microLamports: 3_000_001n },
    });
    const { record } = processTransaction({
      instructions: [computeUnitLimit(700), price, exampleInstruction],
    });
    expect(record.fee).toBe(5_000n + 2_101n);
    expect(record.units).toBe(150 + 150 + 100);
  });

  test('the requested unit limit applies', () => {
    const { record } = processTransaction({
      instructions: [computeUnitLimit(249), exampleInstruction],
    });
    expect(record.error).toEqual({ InstructionError: [1, 'ProgramFailedToComplete'] });
  });

  test('an account must stay empty or rent-exempt', () => {
    const spend = (lamports: bigint) => (call: InvokeContext) => {
      call.updateAccount(PROGRAM_ACCOUNT, { lamports });
      call.updateAccount(bob.address, { lamports: 10n ** 9n - lamports });
    };
    const setup = (lamports: bigint): TransactionSetup => ({
      runProgram: spend(lamports),
      accounts: [...fundedAccounts, [PROGRAM_ACCOUNT, { ...wallet(10n ** 9n), owner: PROGRAM }]],
      instructions: [
        {
          ...exampleInstruction,
          accounts: [
            { address: PROGRAM_ACCOUNT, role: WRITE },
            { address: bob.address, role: WRITE },
          ],
        },
      ],
    });
    const errorOf = (lamports: bigint) => processTransaction(setup(lamports)).record.error;
    expect(errorOf(EMPTY_ACCOUNT_RENT)).toBeUndefined();
    expect(errorOf(0n)).toBeUndefined();
    const { record } = processTransaction(setup(EMPTY_ACCOUNT_RENT - 1n));
    const index = record.accounts.findIndex(({ address }) => address === PROGRAM_ACCOUNT);
    expect(record.error).toEqual({ InsufficientFundsForRent: { account_index: index } });
  });

  test('called programs and sysvars are never writable', () => {
    const clock = toAddress('SysvarC1ock11111111111111111111111111111111');
    const instructions = [instructionWithAccount(clock, WRITE)];
    const wire = signedWire({ instructions, signers: [alice], blockhash: BLOCKHASH });
    // Makes all unsigned keys writable.
    wire.set([0], 1 + 64 + 3);
    const received = receiveTransaction(wire);
    expect(received.message.header.numReadonlyUnsignedAccounts).toBe(0);
    const loaded = loadTransaction(received, { account: () => undefined }, time.slot);
    expect(loaded).toMatchObject({
      accounts: [
        { address: alice.address, isWritable: true },
        { address: clock, isWritable: false },
        { address: PROGRAM, isWritable: false },
      ],
    });
  });

  test('accounts are loaded from a lookup table', () => {
    const { record } = processTransaction({
      ...transactionWithTable(lookupTableOf([bob.address, PROGRAM_ACCOUNT])),
      instructions: [
        instructionWithAccount(PROGRAM_ACCOUNT, WRITE),
        instructionWithAccount(alice.address, SIGN_WRITE),
      ],
    });
    expect(record.loaded).toEqual({ writable: [PROGRAM_ACCOUNT], readonly: [] });
    expect(record.accounts.at(-1)).toEqual({
      address: PROGRAM_ACCOUNT,
      isSigner: false,
      isWritable: true,
    });
  });
});
