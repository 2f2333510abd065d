import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { lendingEventKinds } from '#server/history/event-kinds.ts';
import type { History } from '#server/history/open-history.ts';
import { readGlobalEventPage } from '#server/history/queries/event-pages.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { checkPositions, readChangedPositions } from '#server/history/queries/position-changes.ts';
import type { PositionKey } from '#server/history/queries/position-kinds.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation } from '../support/history/recorded-simulation.ts';

const BEGIN = toSlot(-1n);
const KINDS = ['loan', 'shares', 'stake'] as const;

/** The positions whose events do not explain their states, of all that ever were, by kind. */
async function checkAll(history: History, upTo: bigint) {
  const reader = createHistoryReader(history.db);
  const keys = await readChangedPositions(reader, BEGIN);
  const counts: Record<string, number> = {};
  const unexplained: PositionKey[] = [];
  for (const kind of KINDS) {
    const positions = keys.filter((key) => key.kind === kind).map((key) => ({ key, after: BEGIN }));
    const query = { positions, upTo: toSlot(upTo), beginsEmpty: true };
    const verdicts = await checkPositions(reader, kind, query);
    counts[kind] = verdicts.length;
    unexplained.push(...verdicts.flatMap((each) => (each.difference ? each.key : [])));
  }
  return { counts, unexplained };
}

/** Some transactions that moved cTokens of a loan. */
async function readMoved(history: History) {
  const reader = createHistoryReader(history.db);
  const kind = ['deposit', 'withdraw', 'liquidationWithdraw'] as const;
  const kinds = kind.map((each) => lendingEventKinds.indexOf(each));
  const query = { table: 'lendingEvent', kinds, order: 'oldest first', limit: 1_000 } as const;
  const rows = await readGlobalEventPage(reader, query);
  return rows.flatMap(({ signature, obligation, collateralAmount }, index) => {
    const isChosen = index % Math.ceil(rows.length / 10) === 0 && (collateralAmount ?? 0n) > 0n;
    return isChosen && obligation !== null ? [{ signature, obligation }] : [];
  });
}

onPglite('recorded simulations', (engine) => {
  // simulated for other tests too
  test.each([
    { seed: 'tidegate', days: 30 },
    { seed: 'tidegate', days: 3 },
    { seed: 'conserved', days: 4 },
  ])('every position of $days days of $seed is the sum of its events', async (period) => {
    const { history, state } = await recordSimulation(period, await (await engine.fresh()).open());
    const { counts, unexplained } = await checkAll(history, state.at().slot);
    expect(unexplained).toEqual([]);
    expect(counts['loan']).toBeGreaterThan(20);
    expect(counts['shares']).toBeGreaterThan(10);
    expect(counts['stake']).toBeGreaterThan(10);
  });

  test('a position without one of its transactions is named', async () => {
    const period = { seed: 'tidegate', days: 3 };
    const { history, state } = await recordSimulation(period, await (await engine.fresh()).open());
    const moved = await readMoved(history);
    expect(moved.length).toBeGreaterThan(5);
    for (const { signature, obligation } of moved) {
      await new HistoryWriter(history.db).removeTransactions([signature]);
      const { unexplained } = await checkAll(history, state.at().slot);
      expect(unexplained).toContainEqual({ kind: 'loan', address: obligation });
    }
  });
});
