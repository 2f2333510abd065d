import { toAddress } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM } from '@tidegate/core/protocol/spl';
import { setComputeUnitPrice } from '@tidegate/core/protocol/spl/instructions';
import { describe, expect, test } from 'vitest';
import {
  alice,
  BLOCKHASH,
  bob,
  computeUnitLimit,
  exampleInstruction,
  fundedAccounts,
  instructionWithAccount,
  lookupTableOf,
  PROGRAM,
  PROGRAM_ACCOUNT,
  processTransaction,
  RENT_OF_NOTHING,
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

describe('run', () => {
  test('the fee is charged first; what changed is told with balances', () => {
    const give = (running: InvokeContext) => {
      expect(running.account(alice.address).lamports).toBe(10n ** 9n - 5_000n);
      running.change(PROGRAM_ACCOUNT, { lamports: 1_000_000n });
      running.change(bob.address, { lamports: 2_000_000n });
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
    const { record, changes } = processTransaction({ instructions, accounts, act: give });
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

  test('of a failed one nothing is left but the fee', () => {
    const fail = (running: InvokeContext) => {
      running.change(PROGRAM_ACCOUNT, { data: Uint8Array.of(1) });
      throw customError(7);
    };
    const accounts = [
      ...fundedAccounts,
      [PROGRAM_ACCOUNT, { ...wallet(10n ** 9n), owner: PROGRAM }],
    ] as const;
    const { record, changes } = processTransaction({
      ...{ accounts, act: fail, instructions: [instructionWithAccount(PROGRAM_ACCOUNT, WRITE)] },
    });
    expect(record.error).toEqual({ InstructionError: [0, { Custom: 7 }] });
    expect([...changes.keys()]).toEqual([alice.address]);
    expect(changes.get(alice.address)?.lamports).toBe(999_995_000n);
  });

  test('a priority fee is charged for the limit, not for what was used', () => {
    const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
      ...{ accounts: {}, args: { microLamports: 3_000_001n } },
    });
    const { record } = processTransaction({
      instructions: [computeUnitLimit(700), price, exampleInstruction],
    });
    expect(record.fee).toBe(5_000n + 2_101n);
    expect(record.units).toBe(150 + 150 + 100);
  });

  test('the limit that was asked for holds', () => {
    const { record } = processTransaction({
      instructions: [computeUnitLimit(249), exampleInstruction],
    });
    expect(record.error).toEqual({ InstructionError: [1, 'ProgramFailedToComplete'] });
  });

  test('nobody may be left with less than an account must have', () => {
    const spend = (lamports: bigint) => (running: InvokeContext) => {
      running.change(PROGRAM_ACCOUNT, { lamports });
      running.change(bob.address, { lamports: 10n ** 9n - lamports });
    };
    const setting = (lamports: bigint): TransactionSetup => ({
      act: spend(lamports),
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
    const errorOf = (lamports: bigint) => processTransaction(setting(lamports)).record.error;
    expect(errorOf(RENT_OF_NOTHING)).toBeUndefined();
    expect(errorOf(0n)).toBeUndefined();
    const { record } = processTransaction(setting(RENT_OF_NOTHING - 1n));
    const place = record.accounts.findIndex(({ address }) => address === PROGRAM_ACCOUNT);
    expect(record.error).toEqual({ InsufficientFundsForRent: { account_index: place } });
  });

  test('programs that are called and sysvars cannot be written to', () => {
    const clock = toAddress('SysvarC1ock11111111111111111111111111111111');
    const instructions = [instructionWithAccount(clock, WRITE)];
    const wire = signedWire({ instructions, signers: [alice], blockhash: BLOCKHASH });
    // none of the unsigned keys is read-only any more
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

  test('accounts out of a table', () => {
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
