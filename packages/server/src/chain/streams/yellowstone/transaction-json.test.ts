import { toSlot, toUnixSeconds } from '@tidegate/core/base';
import { viewTransaction } from '@tidegate/core/views/transactions';
import { expect, test } from 'vitest';
import { encodeGeyserUpdate } from '../../../../../../test/support/grpc/geyser-proto.ts';
import {
  type StreamedRpcTransaction,
  transactionUpdate,
} from '../../../../../../test/support/grpc/geyser-updates.ts';
import {
  flashLoanTransaction,
  repayTransaction,
} from '../../../../../../test/support/grpc/mainnet-stream-transactions.ts';
import { decodeSubscribeUpdate } from './subscribe-update.ts';
import { decodeTransactionJson } from './transaction-json.ts';

function streamAndDecode(slot: bigint, unix: bigint | undefined, streamed: StreamedRpcTransaction) {
  const update = encodeGeyserUpdate({ transaction: transactionUpdate(slot, streamed) });
  const { message } = decodeSubscribeUpdate(update);
  if (message.kind !== 'transaction' || message.encoded === undefined)
    throw new Error('no content');
  const blockTime = unix === undefined ? undefined : toUnixSeconds(unix);
  return decodeTransactionJson(message.encoded, { slot: toSlot(slot), blockTime });
}

test("a repayment of mainnet equals the node's own JSON", () => {
  const { recorded, json } = repayTransaction();
  const { slot, blockTime } = recorded;
  const decoded = streamAndDecode(BigInt(slot), BigInt(blockTime), { json });
  expect(decoded).toEqual(json);
  // the recorded one is in the encoding base64
  expect(viewTransaction(decoded)).toEqual(viewTransaction(recorded));
});

test('a failed flash loan of mainnet reads as it was recorded', () => {
  const { slot, json, streamed } = flashLoanTransaction();
  const decoded = streamAndDecode(slot, undefined, streamed);
  expect(decoded.meta.err).toEqual({ InstructionError: [3, { Custom: 1 }] });
  expect(decoded.meta.status).toEqual({ Err: { InstructionError: [3, { Custom: 1 }] } });
  expect(decoded.blockTime).toBeNull();
  expect(viewTransaction(decoded)).toEqual(viewTransaction(json));
});

test('a legacy message has no lookups; what a node did not record is null', () => {
  const { json } = repayTransaction();
  const { addressTableLookups: _, ...message } = json.transaction.message;
  const meta = { ...json.meta, innerInstructions: null, logMessages: null };
  const legacy = { ...json, meta, transaction: { ...json.transaction, message } };
  const decoded = streamAndDecode(5n, 6n, { json: legacy });
  expect(decoded.version).toBe('legacy');
  expect(decoded.transaction.message).not.toHaveProperty('addressTableLookups');
  expect(decoded.meta).toMatchObject({ innerInstructions: null, logMessages: null });
});

test('return data is base64; balances that a number cannot hold are strings', () => {
  const { json } = repayTransaction();
  const returnData = {
    programId: json.transaction.message.accountKeys[0] ?? '',
    data: ['AQI=', 'base64'],
  };
  const preBalances = [Number.MAX_SAFE_INTEGER, ...json.meta.preBalances.slice(1)];
  const meta = { ...json.meta, returnData, preBalances };
  const decoded = streamAndDecode(2n ** 60n, 6n, { json: { ...json, meta } });
  expect(decoded.meta).toMatchObject({ returnData, preBalances });
  expect(decoded.slot).toBe('1152921504606846976');
});
