import { expect, test } from 'vitest';
import { parseTransaction } from '#core/protocol/spl/transaction/transaction.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { encodeTransaction } from '#localnet/rpc/encoding/transaction-encoding.ts';
import { formatJson } from '#localnet/rpc/json.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { executeFlow } from '../../../support/flows/execute-flow.ts';
import { flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import type { RecordedResponse } from '../../../support/flows/recorded-transaction.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';

const model = createModelExecutor(modelPrograms(RECORDED_BUILD_RULES));
const form = { encoding: 'json', newestVersion: 0, hasRewards: true } as const;

const recorded = flowSnapshots().flatMap((snapshot) => {
  const [transaction] = snapshot.flow.transactions;
  const rpc = transaction?.rpc as RecordedResponse | null | undefined;
  return rpc ? [{ name: snapshot.flow.name, placed: snapshot, rpc }] : [];
});

test.each(recorded)('$name, executed here, has the recorded JSON', ({ placed: snapshot, rpc }) => {
  const { record } = executeFlow(snapshot, model);
  const { slot, unix: blockTime } = record.time;
  const answer = JSON.parse(formatJson({ slot, blockTime, ...encodeTransaction(record, form) }));
  const { computeUnits: _, logs: __, ...actual } = parseTransaction(answer);
  const expected = parseTransaction({
    ...rpc,
    slot: Number(rpc.slot),
    blockTime: Number(rpc.blockTime),
  });
  const { computeUnits: ___, logs: ____, ...rest } = expected;
  expect(actual).toEqual(rest);
});
