import { expect, test } from 'vitest';
import { parseDecimal, type Ratio } from '#core/base/numbers/decimal.ts';
import { addRatio, compareRatios, mulRatio, ZERO_RATIO } from '#core/base/numbers/ratio.ts';
import { createHistoryReader } from '#server/history/queries/history-reader.ts';
import { readLatestStates } from '#server/history/queries/latest-rows.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../../support/history/recorded-simulation.ts';

const DAYS = 4;

type Row = Readonly<Record<string, string>>;

const figure = (row: Row, name: string): Ratio => parseDecimal(row[name] ?? '');
const less = (a: Ratio, b: Ratio): Ratio => addRatio(a, { ...b, numerator: -b.numerator });

/** Within one part of 10^12, and a billionth of a unit for what was rounded on its way. */
function expectSame(a: Ratio, b: Ratio, what: string): void {
  const size = b.numerator < 0n ? { ...b, numerator: -b.numerator } : b;
  const room = addRatio(mulRatio(size, { numerator: 1n, denominator: 10n ** 12n }), {
    numerator: 1n,
    denominator: 10n ** 9n,
  });
  const difference = less(a, b);
  const distance = difference.numerator < 0n ? less(ZERO_RATIO, difference) : difference;
  expect(compareRatios(distance, room), what).toBeLessThanOrEqual(0);
}

onPglite('all who hold shares of a vault', ({ fresh }) => {
  test('have together what it holds, at any hour', { timeout: 240_000 }, async () => {
    const database = await fresh();
    const history = await database.open();
    const recorded = await recordSimulation({ seed: 'conserved', days: DAYS }, history);
    const { get } = await startSimulationApi(recorded);
    const rowsOf = async (path: string) => (await get(path)).body as Row[];
    const holdings = await readLatestStates(createHistoryReader(history.db), 'vaultHolding');
    const end = Number(recorded.state.at().unix);
    const since = new Date((end - DAYS * 86_400) * 1000).toISOString();
    let compared = 0;
    for (const { address: vault, fields } of recorded.state.vaults()) {
      const wallets = holdings.filter((row) => row.vault === vault).map(({ wallet }) => wallet);
      const worth = new Map<string, Ratio>();
      for (const wallet of wallets) {
        const path = `/kvaults/users/${wallet}/vaults/${vault}/metrics/history?start=${since}`;
        const points = await rowsOf(path);
        for (const point of points) {
          const at = point['createdOn'] ?? point['timestamp'] ?? '';
          worth.set(at, addRatio(worth.get(at) ?? ZERO_RATIO, figure(point, 'usdAmount')));
        }
      }
      const points = await rowsOf(`/kvaults/vaults/${vault}/metrics/history?start=${since}`);
      for (const point of points) {
        const all = worth.get(point['timestamp'] ?? '');
        if (all === undefined) continue;
        expectSame(all, figure(point, 'tvl'), `${vault} ${point['timestamp']}`);
        compared += 1;
      }
      expect(fields.sharesIssued).toBe(
        holdings
          .filter((row) => row.vault === vault)
          .reduce((sum, { held, staked }) => sum + held + staked, 0n),
      );
    }
    expect(compared).toBeGreaterThan(100);
    await history.close();
  });
});
