import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { createKlendProgram } from '#localnet/programs/klend/klend-program.ts';
import {
  executedCalls,
  flowFeePayer,
  goldenPrograms,
  lendingLogs,
  recordedCalls,
  recordedTransactionOf,
} from '../../../support/flows/flow-calls.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import { type FlowRun, runFlow } from '../../../support/flows/run-flow.ts';
import type { GoldenAccount } from '../../../support/golden/golden.ts';
import { pinned, testPinned } from '../../../support/golden/pinned-figures.ts';

const flows = flowSnapshots().filter(({ flow }) => /^([0-2]\d|3[0-4]|9[0-3])-/.test(flow.name));
const named = flows.map((snapshot) => [snapshot.flow.name, snapshot] as const);

testPinned('37 golden flows call the lending program', () => {
  expect(flows).toHaveLength(pinned.flows.lending);
});

test.each(named)('the outcome and all accounts of %s match the recording', (_, snapshot) => {
  const result = runFlow(snapshot, goldenPrograms);
  expect(result.error ?? null).toEqual(recordedTransactionOf(snapshot.flow).meta.err);
  if (result.error !== undefined) return;
  expect(accountsAfter(snapshot, result)).toEqual(snapshot.flow.after);
});

test.each(named)('the inner calls of %s match the recording', (_, snapshot) => {
  expect(executedCalls(runFlow(snapshot, goldenPrograms))).toEqual(recordedCalls(snapshot.flow));
});

test.each(named)(
  'the outcome of %s is the same with the rules of the current program',
  (_, snapshot) => {
    const programs = new Map([...goldenPrograms, [KLEND_PROGRAM, createKlendProgram()]]);
    expect(runFlow(snapshot, programs).error ?? null).toEqual(
      recordedTransactionOf(snapshot.flow).meta.err,
    );
  },
);

/**
 * Excludes flows whose logs the model does not reproduce: refreshes within an instruction,
 * liquidation details, error texts.
 */
const worded = named.filter(([name]) => !/^(24|29|9[013])/.test(name));

test.each(worded)('the logs of %s match the recording', (_, snapshot) => {
  const recorded = snapshot.flow.transactions.flatMap(({ logs }) => lendingLogs(logs));
  expect(lendingLogs(runFlow(snapshot, goldenPrograms).logs)).toEqual(recorded);
});

/** The accounts of the flow, with the fee charged to its payer. */
function accountsAfter(
  { flow, accounts }: FlowSnapshot,
  { changes }: FlowRun,
): Map<Address, GoldenAccount | undefined> {
  const fee = BigInt(recordedTransactionOf(flow).meta.fee);
  const payer = flowFeePayer(flow);
  return new Map(
    [...flow.after.keys()].map((address) => {
      const account = changes.has(address) ? changes.get(address) : accounts.get(address);
      const paid = address === payer && account !== undefined;
      return [address, paid ? { ...account, lamports: account.lamports - fee } : account];
    }),
  );
}
