import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import {
  advanceSlotsUntil,
  advanceSlotsWhile,
  createGoldenIndexer,
  findAccount,
  withValueAt,
} from '../../support/clusters/golden-indexer.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { numberedAddress } from '../../support/protocol/codecs.ts';

const { tag } = obligation.offsets;

async function setUp() {
  const { source, state, indexer } = createGoldenIndexer();
  await advanceSlotsWhile(source, indexer.start());
  const [address, account] = findAccount(source, obligation);
  const tagOf = () => state.obligation(address)?.fields.tag;
  return { source, state, indexer, address, account, tagOf, original: tagOf() };
}

test('an update of a slot that is abandoned before it is complete is never served', async () => {
  const { source, indexer, address, account, tagOf, original } = await setUp();
  const requests = source.requests.length;
  const slot = toSlot(source.at.slot + 1n);
  source.announce({ address, account: withValueAt(account, tag, 77n), slot });
  for (const { listener } of source.subscriptions) listener.onSlotDead?.(slot);
  source.advanceSlot();
  source.advanceSlot();
  expect(tagOf()).toBe(original);
  // nothing was applied, so nothing is read again
  expect(source.requests.length).toBe(requests);
  expect(indexer.status().gaps).toBe(0);
  indexer.stop();
});

test('an update of a slot that is abandoned after it was served is undone', async () => {
  const { source, indexer, address, account, tagOf, original } = await setUp();
  source.advanceSlot([[address, withValueAt(account, tag, 77n)]]);
  expect(tagOf()).toBe(77n);
  // the chain goes on without that slot
  source.accounts.set(address, account);
  source.abandonSlot();
  await advanceSlotsUntil(source, () => tagOf() === original);
  expect(indexer.status().lastGap).toMatch(/^the cluster abandoned slot \d+$/);
  indexer.stop();
});

test('a closed account that a stream announces to all programs is removed', async () => {
  const { source, state, indexer, address } = await setUp();
  const { obligations, farmUsers } = state.statistics();
  const slot = toSlot(source.at.slot + 1n);
  for (const { target, listener } of source.subscriptions) {
    if (target.kind === 'program') listener.onAccount({ address, account: undefined, slot });
  }
  source.advanceSlot();
  expect(state.obligation(address)).toBeUndefined();
  expect(state.statistics()).toMatchObject({ obligations: obligations - 1, farmUsers });
  indexer.stop();
});

test('closed accounts that were never followed leave no trace', async () => {
  const changed: string[] = [];
  const state = new ClusterState({ log: silentLog, onChange: (address) => changed.push(address) });
  const { source, indexer } = createGoldenIndexer({ state });
  await advanceSlotsWhile(source, indexer.start());
  changed.splice(0);
  const slot = toSlot(source.at.slot + 1n);
  const address = numberedAddress(4_000);
  for (const { target, listener } of source.subscriptions) {
    if (target.kind === 'program') listener.onAccount({ address, account: undefined, slot });
  }
  source.advanceSlot();
  expect(changed).toEqual([]);
  indexer.stop();
});
