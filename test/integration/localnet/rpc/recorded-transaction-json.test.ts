import { expect, test } from 'vitest';
import { parseTransaction } from '#core/protocol/spl/transaction/transaction.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import {
  type RecordedResponse,
  toTransactionRecord,
} from '../../../support/flows/recorded-transaction.ts';
import { goldenFlows } from '../../../support/golden/golden.ts';
import { pinned, testPinned } from '../../../support/golden/pinned-figures.ts';

const form = { newestVersion: 0, hasRewards: true } as const;

const recorded = goldenFlows().flatMap(({ name, transactions }) =>
  transactions
    .filter(({ rpc }) => rpc !== null)
    .map(({ wire, rpc }) => ({ name, wire, rpc: rpc as RecordedResponse })),
);

function answerOf(wire: string, rpc: RecordedResponse, encoding: 'json' | 'base64' | 'base58') {
  const record = toTransactionRecord(wire, rpc);
  const { slot, unix: blockTime } = record.time;
  const text = formatJson({
    slot,
    blockTime,
    ...encodeTransaction(record, { ...form, encoding }),
  });
  return JSON.parse(text);
}

testPinned('there are 40 recordings', () => {
  expect(recorded.length).toBe(pinned.flows.withResponse);
});

test.each(recorded)('$name has the recorded JSON', ({ wire, rpc }) => {
  const { meta, transaction, version } = answerOf(wire, rpc, 'json');
  // The recorder writes a zero amount as 0, nodes as null.
  for (const { uiTokenAmount } of [...meta.preTokenBalances, ...meta.postTokenBalances]) {
    uiTokenAmount.uiAmount ??= 0;
  }
  const { slot: _, blockTime: __, ...rest } = rpc;
  const [preBalances, postBalances] = [rpc.meta.preBalances, rpc.meta.postBalances].map((list) =>
    list.map(Number),
  );
  const expected = { ...rest, meta: { ...rpc.meta, preBalances, postBalances } };
  expect({ meta, transaction, version }).toEqual(expected);
});

test.each(recorded)('$name can be parsed by our parser in every encoding', ({ wire, rpc }) => {
  const expected = parseTransaction({
    ...rpc,
    slot: Number(rpc.slot),
    blockTime: Number(rpc.blockTime),
  });
  for (const encoding of ['json', 'base64', 'base58'] as const) {
    expect(parseTransaction(answerOf(wire, rpc, encoding))).toEqual(expected);
  }
});
