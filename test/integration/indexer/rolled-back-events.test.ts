import { expect, test, vi } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import {
  all,
  clearHistory,
  createFollower,
  createSource,
  eventsIn,
  LAST_SLOT,
  readRows,
  recordAtOnce,
  simulated,
} from '../../support/history/followed-events.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';

onEachEngine('after a rollback the event follower', (engine) => {
  test('records a transaction again that is in the same slot with another result', async () => {
    const history = await engine.shared();
    const last = all.at(-1);
    if (last === undefined) throw new Error('no transactions');
    // a result without inner instructions and logs has other events
    const { meta, ...rest } = last.response as { meta: object };
    const changed = { ...last, response: { ...rest, meta: { ...meta, err: { X: 1 } } } };
    const expected = await recordAtOnce(history, all.slice(0, -1));
    const source = createSource(all, LAST_SLOT + 10n);
    source.ledger.finalized = LAST_SLOT - 20n;
    const follower = createFollower(source, history);
    await follower.poll();
    source.ledger.transactions = [...all.slice(0, -1), changed];
    await follower.poll();
    expect(eventsIn(await readRows(history)), 'it does not look at known transactions').toBe(
      simulated.eventsOf(all),
    );
    follower.onRollBack(toSlot(LAST_SLOT));
    await follower.poll();
    expect(await readRows(history)).toEqual(expected);
    source.ledger.transactions = [...all];
    follower.onRollBack(toSlot(LAST_SLOT));
    await follower.poll();
    expect(eventsIn(await readRows(history))).toBe(simulated.eventsOf(all));
  });

  test('reports the slots of transactions that were rolled back', async () => {
    const history = await engine.shared();
    await clearHistory(history);
    const source = createSource(all, LAST_SLOT + 10n);
    source.ledger.finalized = LAST_SLOT - 20n;
    const onRollBack = vi.fn();
    const follower = createFollower(source, history, { onRollBack });
    await follower.poll();
    expect(onRollBack).not.toHaveBeenCalled();
    source.ledger.transactions = all.filter(({ slot }) => slot < LAST_SLOT - 3n);
    await follower.poll();
    const vanished = all.filter(({ slot }) => slot >= LAST_SLOT - 3n).map(({ slot }) => slot);
    const eventful = { oldest: vanished[0], newest: vanished.at(-1) };
    expect(onRollBack.mock.calls).toEqual([[eventful]]);
  });
});
