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

const flows = flowSnapshots().filter(({ flow }) => /^([0-2]\d|3[0-4]|9[0-3])-/.test(flow.name));
const named = flows.map((placed) => [placed.flow.name, placed] as const);

test('37 golden flows lend, borrow or are refused', () => {
  expect(flows).toHaveLength(37);
});

test.each(named)('%s ends as it was recorded, and every account with it', (_, placed) => {
  const ran = runFlow(placed, goldenPrograms);
  expect(ran.error ?? null).toEqual(recordedTransactionOf(placed.flow).meta.err);
  if (ran.error !== undefined) return;
  expect(accountsAfter(placed, ran)).toEqual(placed.flow.after);
});

test.each(named)('%s calls other programs as it was recorded', (_, placed) => {
  expect(executedCalls(runFlow(placed, goldenPrograms))).toEqual(recordedCalls(placed.flow));
});

test.each(named)(
  '%s ends as it was recorded under the rules of the current program, too',
  (_, placed) => {
    const programs = new Map([...goldenPrograms, [KLEND_PROGRAM, createKlendProgram()]]);
    expect(runFlow(placed, programs).error ?? null).toEqual(
      recordedTransactionOf(placed.flow).meta.err,
    );
  },
);

/** What only these log is left out here: refreshes within an instruction, how a liquidation counts, words of errors. */
const worded = named.filter(([name]) => !/^(24|29|9[013])/.test(name));

test.each(worded)('%s is logged in the words of the program', (_, placed) => {
  const recorded = placed.flow.transactions.flatMap(({ logs }) => lendingLogs(logs));
  expect(lendingLogs(runFlow(placed, goldenPrograms).logs)).toEqual(recorded);
});

/** Those that the flow names, the fee taken from its payer. */
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
