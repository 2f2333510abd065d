import { type Address, addressFromBytes, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import type { FakeTransaction } from './fake-ledger.ts';

type WritingTransaction = {
  readonly number: number;
  readonly slot: bigint;
  readonly program: Address;
  readonly writes: readonly Address[];
  readonly failed?: boolean;
};

/** A transaction that calls a program once, with accounts that it may write. */
export function createWritingTransaction(transaction: WritingTransaction): FakeTransaction {
  const { number, slot, program, writes, failed = false } = transaction;
  const bytes = new Uint8Array(64).fill(1);
  new DataView(bytes.buffer).setUint32(0, number);
  const signature = encodeBase58(bytes);
  const payer = addressFromBytes(new Uint8Array(32).fill(77));
  const message = {
    header: {
      numRequiredSignatures: 1,
      numReadonlySignedAccounts: 0,
      numReadonlyUnsignedAccounts: 1,
    },
    accountKeys: [payer, ...writes, program],
    recentBlockhash: ZERO_ADDRESS,
    instructions: [
      { programIdIndex: writes.length + 1, accounts: writes.map((_, i) => i + 1), data: '' },
    ],
  };
  const err = failed ? { InstructionError: [0, { Custom: 1 }] } : null;
  const balances = message.accountKeys.map(() => 1);
  const meta = {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: 5_000,
    preBalances: balances,
    postBalances: balances,
    innerInstructions: [],
    logMessages: [],
    preTokenBalances: [],
    postTokenBalances: [],
    rewards: [],
    loadedAddresses: { writable: [], readonly: [] },
  };
  const response = {
    slot: Number(slot),
    blockTime: Number(slot),
    version: 'legacy',
    transaction: { signatures: [signature], message },
    meta,
  };
  const mentions = [program, ...writes];
  return { signature, slot, at: slot, failed, mentions, response };
}
