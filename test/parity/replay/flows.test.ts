import { expect, test } from 'vitest';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import { isSameAccount } from '#localnet/replay/slot-state.ts';
import { type FlowSnapshot, flowSnapshots } from '../../support/flows/flow-snapshots.ts';
import { isBuiltInGolden } from '../../support/golden/golden.ts';
import { RECORDED_BUILD_RULES } from '../../support/golden/recorded-build.ts';
import { COMPARED_PROGRAMS, observedFlow } from '../../support/replay/golden-slots.ts';

const snapshots = flowSnapshots();

/** The accounts of the programs that the recording changed. */
const changedAccounts = ({ flow }: FlowSnapshot): string[] =>
  [...flow.after].flatMap(([address, after]) => {
    const before = flow.before.get(address);
    const isCompared = COMPARED_PROGRAMS.includes((after ?? before)?.owner ?? '');
    return isCompared && !isSameAccount(before, after) ? address : [];
  });

test.each(snapshots)('$flow.name is proven under the rules of its build', (snapshot) => {
  const { accounts, transactions } = replaySlot(observedFlow(snapshot), RECORDED_BUILD_RULES);
  expect(transactions.map(({ verdict }) => verdict)).toEqual(['proven']);
  expect(accounts.filter(({ verdict }) => verdict !== 'proven')).toEqual([]);
  expect(accounts.map(({ address }) => address)).toEqual(
    expect.arrayContaining(changedAccounts(snapshot)),
  );
});

/** Nothing was written, or only accounts whose rules have not changed since. */
const SAME_SINCE = ['50', '90', '91', '92', '93', '94'];

test.skipIf(!isBuiltInGolden).each(snapshots)(
  '$flow.name differs under the rules of today, if they changed',
  (snapshot) => {
    const { accounts } = replaySlot(observedFlow(snapshot), NEWEST_RULES);
    const differing = accounts.filter(({ verdict }) => verdict === 'differing');
    const isSame = SAME_SINCE.includes(snapshot.flow.name.slice(0, 2));
    expect(differing.length > 0).toBe(!isSame);
  },
);

test('a refresh of today records the time, which the recorded build did not', () => {
  const flow = snapshots.find(({ flow: { name } }) => name.startsWith('28'));
  if (flow === undefined) throw new Error('no flash loan');
  const [reserve] = replaySlot(observedFlow(flow), NEWEST_RULES).accounts;
  expect(reserve).toMatchObject({
    program: 'klend',
    kind: 'reserve',
    verdict: 'differing',
    instructions: ['flashBorrowReserveLiquidity', 'flashRepayReserveLiquidity'],
    signatures: [flow.flow.name],
  });
  const time = `${flow.at.unix}`;
  expect(reserve?.differences).toContainEqual({
    field: 'lastUpdate.timestamp',
    offset: expect.any(Number),
    expected: time,
    actual: '0',
  });
});
