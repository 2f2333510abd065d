import { afterAll, describe, expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { createSvmExecutor } from '#localnet/runtime/transactions/svm-executor.ts';
import {
  executeFlow,
  flowBalances,
  innerInstructions,
  recordedBalances,
} from '../../../support/flows/execute-flow.ts';
import { type FlowSnapshot, flowSnapshots } from '../../../support/flows/flow-snapshots.ts';
import { pinned, testPinned } from '../../../support/golden/pinned-figures.ts';
import { RECORDED_BUILD_RULES } from '../../../support/golden/recorded-build.ts';
import { isRecordedBuild, programsFolder } from '../../../support/localnet/real-programs.ts';

type Recorded = {
  readonly err: unknown;
  readonly rpc: { readonly meta: Record<string, unknown> } | null;
};

const flows = flowSnapshots();
const cases = flows.map((snapshot) => [snapshot.flow.name, snapshot] as const);
const model = createModelExecutor(modelPrograms(RECORDED_BUILD_RULES));

describe('the model matches the recorded programs', () => {
  testPinned('for all 49 flows', () => {
    expect(flows).toHaveLength(pinned.flows.all);
  });

  let equal = 0;
  test.each(cases)('%s', (_name, snapshot) => {
    expectSame(snapshot, model);
    equal += 1;
  });
  afterAll(() => console.log(`${equal} of ${flows.length} golden flows are equal`));

  test.each(cases.filter(([, { flow }]) => flow.raw['emulated'] === undefined))(
    '%s makes the same inner calls, with the same accounts and data',
    (_name, snapshot) => {
      const { record } = executeFlow(snapshot, model);
      expect(innerInstructions(record)).toEqual(
        recordedOf(snapshot).rpc?.meta['innerInstructions'],
      );
    },
  );
});

/** Other builds consume other units. */
const canCompare = programsFolder !== '' && isRecordedBuild;

describe.skipIf(!canCompare)('so do the real programs', async () => {
  const real = canCompare ? await createSvmExecutor(programsFolder) : model;
  test.for(cases)('%s', ([, snapshot], { skip }) => {
    const isVault = snapshot.flow.instructions.some(
      (each) => each.programAddress === KVAULT_PROGRAM,
    );
    skip(isVault && !real.hasProgram(KVAULT_PROGRAM), 'no binary of the vault program');
    expectSame(snapshot, real);
  });
});

function expectSame(snapshot: FlowSnapshot, executor: Executor): void {
  const { record, after } = executeFlow(snapshot, executor);
  const { err, rpc } = recordedOf(snapshot);
  expect(record.error ?? null).toEqual(err);
  expect(asText(after)).toEqual(asText(snapshot.flow.after));
  // An emulated program has no recording.
  if (rpc === null) return;
  expect(flowBalances(record, snapshot)).toEqual(recordedBalances(rpc.meta, record, snapshot));
}

/** Comparing texts is much faster than comparing bytes. */
function asText(accounts: ReadonlyMap<Address, ClusterAccount | undefined>): unknown {
  return [...accounts].map(([address, account]) => [
    address,
    account && { ...account, data: Buffer.from(account.data).toString('base64') },
  ]);
}

const recordedOf = ({ flow }: FlowSnapshot): Recorded => (flow.raw['txs'] as [Recorded])[0];
