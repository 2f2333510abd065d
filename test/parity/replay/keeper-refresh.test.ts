import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { rulesOfReleases } from '#core/protocol/releases/index.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import {
  type Counterexample,
  replayCounterexample,
  toCounterexample,
} from '#localnet/replay/counterexample.ts';
import { formatCounterexample, parseCounterexample } from '#localnet/replay/counterexample-text.ts';
import type { ObservedSlot } from '#localnet/replay/observed-slot.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import type { SlotProof } from '#localnet/replay/slot-proof.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { startActiveCluster } from '../../support/proof/active-cluster.ts';
import { BankObserver } from '../../support/replay/bank-observer.ts';

const SLOTS = 12;
const RELEASES = { klend: '1.25', kvault: '2.3.0', farms: '1.6.5' };
const OLD_RULES = rulesOfReleases('klend@1.16')(toSlot(0n));

/** Slots of a cluster of an older release, in each of which keepers refresh all reserves. */
async function observeSlots(): Promise<ObservedSlot[]> {
  const { cluster, localnet, metadata, advance } = await startActiveCluster(
    createModelExecutor(modelPrograms(OLD_RULES), OLD_RULES),
  );
  const { bank, transactions } = cluster;
  const observer = new BankObserver();
  observer.begin(
    Array.from(bank.accounts(), ({ address, account }) => [address, account] as const),
  );
  for (let i = 0; i < SLOTS; i++) {
    const last = bank.slot;
    // keepers refresh the reserves of a price that is released
    const released = [...metadata.tokens.keys()].map((mint) => localnet.setPrice(mint, undefined));
    advance('act');
    await Promise.all(released);
    for (const record of transactions.ledger.inSlot(bank.slot)) observer.executed(record);
    observer.closed(bank, last);
  }
  return observer.slots.map((slot) => ({ ...slot, hasKeepers: true }));
}

const isDiffering = ({ accounts, transactions }: SlotProof): boolean =>
  [...accounts, ...transactions].some(({ verdict }) => verdict === 'differing');

test('a counterexample of a slot in which keepers refreshed a reserve is explained by the right rules', async () => {
  const slots = await observeSlots();
  const examples = slots
    .filter((slot) => isDiffering(replaySlot(slot, NEWEST_RULES)))
    .map((slot) => toCounterexample(slot, NEWEST_RULES, RELEASES))
    .map((example): Counterexample => parseCounterexample(formatCounterexample(example)));
  const open = examples.filter((example) => isDiffering(replayCounterexample(example, OLD_RULES)));
  expect(open.map(({ slot }) => slot.time.slot)).toEqual([]);
  const refreshed = examples.filter(({ slot }) =>
    isDiffering(replaySlot({ ...slot, hasKeepers: false }, OLD_RULES)),
  );
  expect(refreshed.length, 'keepers refreshed a reserve of a counterexample').toBeGreaterThan(0);
});
