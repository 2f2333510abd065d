import { expect, test } from 'vitest';
import { toSlot } from '#core/base/time.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readLatestStates } from '#server/history/queries/latest-rows.ts';
import { checkPositions } from '#server/history/queries/position-changes.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation } from '../support/history/recorded-simulation.ts';

onPglite('a recorded simulation', (engine) => {
  test('x', async () => {
    const recorded = await recordSimulation({ seed: 'tidegate', days: Number(process.env['DAYS'] ?? 30) }, await engine.shared());
    const reader = createHistoryReader(recorded.history.db);
    const upTo = recorded.state.at().slot;
    const after = toSlot(-1n);
    const base = { upTo, beginsEmpty: true };
    for (const [kind, table] of [['loan', 'obligationState'], ['shares', 'vaultHolding'], ['stake', 'farmStake']] as const) {
      let count = 0, bad = 0;
      const t = performance.now();
      for await (const page of readLatestStates(reader, table)) {
        const positions = page.map((row) => ({ key: kind === 'shares' ? { kind, wallet: row.wallet, vault: (row as any).vault } : { kind, address: (row as any).obligation ?? (row as any).userState }, after })) as any;
        const v = await checkPositions(reader, kind, { ...base, positions });
        count += v.length;
        for (const each of v) if (each.difference !== undefined) { bad++; if (bad < 12) console.log(kind, JSON.stringify(each, (_, x) => typeof x === 'bigint' ? String(x) : x)); }
      }
      console.log(kind, count, bad, performance.now() - t);
    }
    expect(1).toBe(1);
  });
});
