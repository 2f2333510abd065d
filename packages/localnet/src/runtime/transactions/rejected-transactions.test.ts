import { SIGN, WRITE } from '@tidegate/core/base';
import { ADDRESS_LOOKUP_TABLE_PROGRAM } from '@tidegate/core/protocol/spl';
import { describe, expect, test } from 'vitest';
import {
  alice,
  bob,
  computeUnitLimit,
  EMPTY_ACCOUNT_RENT,
  exampleInstruction,
  fundedAccounts,
  instructionWithAccount,
  loadedKeys,
  lookupTableOf,
  PROGRAM,
  PROGRAM_ACCOUNT,
  processingError,
  TABLE,
  type TransactionSetup,
  time,
  transactionWithTable,
  wallet,
} from '../../../../../test/support/localnet/processed-transactions.ts';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import type { TransactionError } from '../transaction-errors.ts';

describe('rejected transactions', () => {
  const cosigned = {
    instructions: [instructionWithAccount(bob.address, SIGN)],
    signers: [alice, bob],
  } as const;
  test.each<[string, TransactionError, TransactionSetup]>([
    ['with a wrong signature', 'SignatureFailure', { modifyWire: (wire) => wire.fill(1, 1, 65) }],
    [
      'with one of two signatures',
      'SignatureFailure',
      { ...cosigned, modifyWire: (wire) => wire.fill(0, 65, 129) },
    ],
    [
      'with bytes other than the signed ones',
      'SignatureFailure',
      { modifyWire: (wire) => wire.set([1], 140) },
    ],
    ['with an old blockhash', 'BlockhashNotFound', { blockhash: numberedAddress(9) }],
    ['that was already processed', 'AlreadyProcessed', { isProcessed: true }],
    ['from a missing wallet', 'AccountNotFound', { accounts: [] }],
    [
      'from a wallet owned by a program',
      'InvalidAccountForFee',
      { accounts: [[alice.address, { ...wallet(10n ** 9n), owner: PROGRAM }]] },
    ],
    [
      'from a wallet that cannot pay the fee',
      'InsufficientFundsForFee',
      { accounts: [[alice.address, wallet(4_999n)]] },
    ],
    [
      'from a wallet left below the rent minimum',
      { InsufficientFundsForRent: { account_index: 0 } },
      { accounts: [[alice.address, wallet(5_000n + EMPTY_ACCOUNT_RENT - 1n)]] },
    ],
    [
      'for a missing program',
      'ProgramAccountNotFound',
      { instructions: [{ ...exampleInstruction, programAddress: PROGRAM_ACCOUNT }] },
    ],
    [
      'for an account that is not a program',
      'InvalidProgramForExecution',
      {
        instructions: [{ ...exampleInstruction, programAddress: bob.address }],
        accounts: [alice, bob].map(({ address }) => [address, wallet(10n ** 9n)] as const),
      },
    ],
    [
      'with too many account locks',
      'TooManyAccountLocks',
      {
        instructions: Array.from({ length: 3 }, (_, i) => ({
          ...exampleInstruction,
          accounts: loadedKeys(i).map((address) => ({ address, role: WRITE }) as const),
        })),
        lookupTables: [{ address: TABLE, addresses: [0, 1, 2].flatMap(loadedKeys) }],
        accounts: [...fundedAccounts, [TABLE, lookupTableOf([0, 1, 2].flatMap(loadedKeys))]],
      },
    ],
    ['with a missing lookup table', 'AddressLookupTableNotFound', transactionWithTable(undefined)],
    [
      'with a lookup table of another owner',
      'InvalidAddressLookupTableOwner',
      transactionWithTable({ ...wallet(1n), owner: PROGRAM }),
    ],
    [
      'with a malformed lookup table',
      'InvalidAddressLookupTableData',
      transactionWithTable({ ...wallet(1n), owner: ADDRESS_LOOKUP_TABLE_PROGRAM }),
    ],
    [
      'with an index beyond the lookup table',
      'InvalidAddressLookupTableIndex',
      transactionWithTable(lookupTableOf([])),
    ],
    [
      'with addresses added to the table in this slot',
      'InvalidAddressLookupTableIndex',
      transactionWithTable(lookupTableOf([PROGRAM_ACCOUNT], time.slot)),
    ],
    [
      'with two unit limits',
      { DuplicateInstruction: 1 },
      { instructions: [computeUnitLimit(1), computeUnitLimit(2), exampleInstruction] },
    ],
    [
      'with a malformed budget instruction',
      { InstructionError: [0, 'InvalidInstructionData'] },
      { instructions: [{ ...computeUnitLimit(1), data: Uint8Array.of(2, 1) }, exampleInstruction] },
    ],
  ])('a transaction %s', (_what, error, setup) => {
    expect(processingError(setup)).toEqual(error);
  });

  test('rejects an account that is in the message and in a table', () => {
    const setup = transactionWithTable(lookupTableOf([bob.address, PROGRAM_ACCOUNT]));
    expect(processingError(setup)).toBeUndefined();
    const both = lookupTableOf([bob.address, alice.address]);
    expect(processingError({ ...setup, accounts: [...fundedAccounts, [TABLE, both]] })).toBe(
      'AccountLoadedTwice',
    );
  });
});
