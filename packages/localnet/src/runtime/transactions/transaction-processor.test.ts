import { toAddress } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM } from '@tidegate/core/protocol/spl';
import { setComputeUnitPrice } from '@tidegate/core/protocol/spl/instructions';
import { describe, expect, test } from 'vitest';
import {
  alice,
  BLOCKHASH,
  bob,
  call,
  limit,
  naming,
  OWN,
  PROGRAM,
  RENT_OF_NOTHING,
  rich,
  runOf,
  type Setting,
  tableOf,
  time,
  usingTable,
  wallet,
} from '../../../../../test/support/localnet/processed-transactions.ts';
import { madeWire } from '../../../../../test/support/localnet/signed-transactions.ts';
import { SIGN_WRITE, WRITE } from '../../../../core/src/base/solana/instruction.ts';
import type { Call } from '../program.ts';
import { failure } from '../transaction-errors.ts';
import { loadTransaction } from './load-transaction.ts';
import { receiveTransaction } from './received-transaction.ts';

describe('run', () => {
  test('the fee is charged first; what changed is told with balances', () => {
    const give = (running: Call) => {
      expect(running.account(alice.address).lamports).toBe(10n ** 9n - 5_000n);
      running.change(OWN, { lamports: 1_000_000n });
      running.change(bob.address, { lamports: 2_000_000n });
    };
    const instructions = [
      {
        ...call,
        accounts: [
          { address: OWN, role: WRITE },
          { address: bob.address, role: WRITE },
        ],
      },
    ] as const;
    const accounts = [...rich, [OWN, { ...wallet(3_000_000n), owner: PROGRAM }]] as const;
    const { record, changes } = runOf({ instructions, accounts, act: give });
    expect(record.error).toBeUndefined();
    expect(record.fee).toBe(5_000n);
    const balancesOf = (list: readonly bigint[]) =>
      new Map(record.accounts.map(({ address }, i) => [address, list[i]]));
    expect(balancesOf(record.preBalances).get(bob.address)).toBe(0n);
    expect(balancesOf(record.postBalances).get(bob.address)).toBe(2_000_000n);
    expect(balancesOf(record.postBalances).get(alice.address)).toBe(999_995_000n);
    expect(changes.get(OWN)?.lamports).toBe(1_000_000n);
    expect(changes.get(alice.address)?.lamports).toBe(999_995_000n);
  });

  test('of a failed one nothing is left but the fee', () => {
    const fail = (running: Call) => {
      running.change(OWN, { data: Uint8Array.of(1) });
      throw failure(7);
    };
    const accounts = [...rich, [OWN, { ...wallet(10n ** 9n), owner: PROGRAM }]] as const;
    const { record, changes } = runOf({
      ...{ accounts, act: fail, instructions: [naming(OWN, WRITE)] },
    });
    expect(record.error).toEqual({ InstructionError: [0, { Custom: 7 }] });
    expect([...changes.keys()]).toEqual([alice.address]);
    expect(changes.get(alice.address)?.lamports).toBe(999_995_000n);
  });

  test('a priority fee is charged for the limit, not for what was used', () => {
    const price = setComputeUnitPrice.build(COMPUTE_BUDGET_PROGRAM, {
      ...{ accounts: {}, args: { microLamports: 3_000_001n } },
    });
    const { record } = runOf({ instructions: [limit(700), price, call] });
    expect(record.fee).toBe(5_000n + 2_101n);
    expect(record.units).toBe(150 + 150 + 100);
  });

  test('the limit that was asked for holds', () => {
    const { record } = runOf({ instructions: [limit(249), call] });
    expect(record.error).toEqual({ InstructionError: [1, 'ProgramFailedToComplete'] });
  });

  test('nobody may be left with less than an account must have', () => {
    const spend = (lamports: bigint) => (running: Call) => {
      running.change(OWN, { lamports });
      running.change(bob.address, { lamports: 10n ** 9n - lamports });
    };
    const setting = (lamports: bigint): Setting => ({
      act: spend(lamports),
      accounts: [...rich, [OWN, { ...wallet(10n ** 9n), owner: PROGRAM }]],
      instructions: [
        {
          ...call,
          accounts: [
            { address: OWN, role: WRITE },
            { address: bob.address, role: WRITE },
          ],
        },
      ],
    });
    const errorOf = (lamports: bigint) => runOf(setting(lamports)).record.error;
    expect(errorOf(RENT_OF_NOTHING)).toBeUndefined();
    expect(errorOf(0n)).toBeUndefined();
    const { record } = runOf(setting(RENT_OF_NOTHING - 1n));
    const place = record.accounts.findIndex(({ address }) => address === OWN);
    expect(record.error).toEqual({ InsufficientFundsForRent: { account_index: place } });
  });

  test('programs that are called and sysvars cannot be written to', () => {
    const clock = toAddress('SysvarC1ock11111111111111111111111111111111');
    const instructions = [naming(clock, WRITE)];
    const wire = madeWire({ instructions, signers: [alice], blockhash: BLOCKHASH });
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
    const { record } = runOf({
      ...usingTable(tableOf([bob.address, OWN])),
      instructions: [naming(OWN, WRITE), naming(alice.address, SIGN_WRITE)],
    });
    expect(record.loaded).toEqual({ writable: [OWN], readonly: [] });
    expect(record.accounts.at(-1)).toEqual({ address: OWN, isSigner: false, isWritable: true });
  });
});
