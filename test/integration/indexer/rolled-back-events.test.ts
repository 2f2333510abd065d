import { expect, test, vi } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import {
  clearEvents,
  countEventRows,
  createLedgerFollower,
  createLedgerSource,
  dumpEvents,
  followedLedger,
  LAST_LEDGER_SLOT,
  recordAtOnce,
} from '../../support/history/followed-ledger.ts';
import { onEachEngine } from '../../support/history/history-engines.ts';

const { transactions: all } = followedLedger;

onEachEngine('after a rollback the event follower', (engine) => {
  test('records a transaction again that is in the same slot with another result', async () => {
    const history = await engine.shared();
    const last = all.at(-1);
    if (last === undefined) throw new Error('no transactions');
    // a result without inner instructions and logs has other events
    const { meta, ...rest } = last.response as { meta: object };
    const changed = { ...last, response: { ...rest, meta: { ...meta, err: { X: 1 } } } };
    const expected = await recordAtOnce(history, all.slice(0, -1));
    const source = createLedgerSource(all, LAST_LEDGER_SLOT + 10n);
    source.ledger.finalized = LAST_LEDGER_SLOT - 20n;
    const follower = createLedgerFollower(source, history);
    await follower.poll();
    source.ledger.transactions = [...all.slice(0, -1), changed];
    await follower.poll();
    expect(
      countEventRows(await dumpEvents(history)),
      'it does not look at known transactions',
    ).toBe(followedLedger.eventsOf(all));
    follower.onRollBack(toSlot(LAST_LEDGER_SLOT));
    await follower.poll();
    expect(await dumpEvents(history)).toEqual(expected);
    source.ledger.transactions = [...all];
    follower.onRollBack(toSlot(LAST_LEDGER_SLOT));
    await follower.poll();
    expect(countEventRows(await dumpEvents(history))).toBe(followedLedger.eventsOf(all));
  });

  test('reports the slots of transactions that were rolled back', async () => {
    const history = await engine.shared();
    await clearEvents(history);
    const source = createLedgerSource(all, LAST_LEDGER_SLOT + 10n);
    source.ledger.finalized = LAST_LEDGER_SLOT - 20n;
    const onRollBack = vi.fn();
    const follower = createLedgerFollower(source, history, { onRollBack });
    await follower.poll();
    expect(onRollBack).not.toHaveBeenCalled();
    source.ledger.transactions = all.filter(({ slot }) => slot < LAST_LEDGER_SLOT - 3n);
    await follower.poll();
    const vanished = all
      .filter(({ slot }) => slot >= LAST_LEDGER_SLOT - 3n)
      .map(({ slot }) => slot);
    const eventful = { oldest: vanished[0], newest: vanished.at(-1) };
    expect(onRollBack.mock.calls).toEqual([[eventful]]);
  });
});
