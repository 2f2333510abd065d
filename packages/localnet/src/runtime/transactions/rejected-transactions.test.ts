import { SIGN, WRITE } from '@tidegate/core/base';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '@tidegate/core/protocol/spl';
import { describe, expect, test } from 'vitest';
import {
  alice,
  bob,
  computeUnitLimit,
  exampleInstruction,
  fundedAccounts,
  instructionWithAccount,
  loadedKeys,
  lookupTableOf,
  PROGRAM,
  PROGRAM_ACCOUNT,
  processingError,
  RENT_OF_NOTHING,
  TABLE,
  type TransactionSetup,
  time,
  transactionWithTable,
  wallet,
} from '../../../../../test/support/localnet/processed-transactions.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { TransactionError } from '../transaction-errors.ts';

describe('not taken', () => {
  const cosigned = {
    instructions: [instructionWithAccount(bob.address, SIGN)],
    signers: [alice, bob],
  } as const;
  test.each<[string, TransactionError, TransactionSetup]>([
    ['with another signature', 'SignatureFailure', { change: (wire) => wire.fill(1, 1, 65) }],
    [
      'with one signature of two',
      'SignatureFailure',
      { ...cosigned, change: (wire) => wire.fill(0, 65, 129) },
    ],
    [
      'with other bytes than were signed',
      'SignatureFailure',
      { change: (wire) => wire.set([1], 140) },
    ],
    ['with an old blockhash', 'BlockhashNotFound', { blockhash: numberedAddress(9) }],
    ['twice', 'AlreadyProcessed', { wasRun: true }],
    ['from a wallet without an account', 'AccountNotFound', { accounts: [] }],
    [
      'from a wallet of a program',
      'InvalidAccountForFee',
      { accounts: [[alice.address, { ...wallet(10n ** 9n), owner: PROGRAM }]] },
    ],
    [
      'from a wallet that cannot pay the fee',
      'InsufficientFundsForFee',
      { accounts: [[alice.address, wallet(4_999n)]] },
    ],
    [
      'from a wallet that would keep too little',
      { InsufficientFundsForRent: { account_index: 0 } },
      { accounts: [[alice.address, wallet(5_000n + RENT_OF_NOTHING - 1n)]] },
    ],
    [
      'for a program that is not there',
      'ProgramAccountNotFound',
      { instructions: [{ ...exampleInstruction, programAddress: PROGRAM_ACCOUNT }] },
    ],
    [
      'for an account that is no program',
      'InvalidProgramForExecution',
      {
        instructions: [{ ...exampleInstruction, programAddress: bob.address }],
        accounts: [alice, bob].map(({ address }) => [address, wallet(10n ** 9n)] as const),
      },
    ],
    [
      'with more accounts than can be locked',
      'TooManyAccountLocks',
      {
        instructions: Array.from({ length: 3 }, (_, i) => ({
          ...exampleInstruction,
          accounts: loadedKeys(i).map((address) => ({ address, role: WRITE }) as const),
        })),
        tables: [{ address: TABLE, addresses: [0, 1, 2].flatMap(loadedKeys) }],
        accounts: [...fundedAccounts, [TABLE, lookupTableOf([0, 1, 2].flatMap(loadedKeys))]],
      },
    ],
    [
      'with a table that is not there',
      'AddressLookupTableNotFound',
      transactionWithTable(undefined),
    ],
    [
      'with a table that is none',
      'InvalidAddressLookupTableOwner',
      transactionWithTable({ ...wallet(1n), owner: PROGRAM }),
    ],
    [
      'with a table of broken bytes',
      'InvalidAddressLookupTableData',
      transactionWithTable({ ...wallet(1n), owner: ADDRESS_LOOKUP_TABLE_PROGRAM }),
    ],
    [
      'with a table that is too short',
      'InvalidAddressLookupTableIndex',
      transactionWithTable(lookupTableOf([])),
    ],
    [
      'with addresses that were added in this slot',
      'InvalidAddressLookupTableIndex',
      transactionWithTable(lookupTableOf([PROGRAM_ACCOUNT], time.slot)),
    ],
    [
      'with two limits',
      { DuplicateInstruction: 1 },
      { instructions: [computeUnitLimit(1), computeUnitLimit(2), exampleInstruction] },
    ],
    [
      'with a budget that cannot be read',
      { InstructionError: [0, 'InvalidInstructionData'] },
      { instructions: [{ ...computeUnitLimit(1), data: Uint8Array.of(2, 1) }, exampleInstruction] },
    ],
  ])('a transaction %s', (_what, error, setting) => {
    expect(processingError(setting)).toEqual(error);
  });

  test('an account that is in the message and in a table', () => {
    const setting = transactionWithTable(lookupTableOf([bob.address, PROGRAM_ACCOUNT]));
    expect(processingError(setting)).toBeUndefined();
    const both = lookupTableOf([bob.address, alice.address]);
    expect(processingError({ ...setting, accounts: [...fundedAccounts, [TABLE, both]] })).toBe(
      'AccountLoadedTwice',
    );
  });
});
