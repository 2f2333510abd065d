import { expect, test } from 'vitest';
import { parseDecimal, type Ratio } from '#core/base/numbers/decimal.ts';
import { addRatio, compareRatios, mulRatio, ZERO_RATIO } from '#core/base/numbers/ratio.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { readAllLatestStates } from '../support/history/history-reads.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';

const DAYS = 4;

type Row = Readonly<Record<string, string>>;

const readValue = (row: Row, name: string): Ratio => parseDecimal(row[name] ?? '');
const subtract = (a: Ratio, b: Ratio): Ratio => addRatio(a, { ...b, numerator: -b.numerator });

/** Relative error of at most 10^-12, plus 10^-9 for rounding. */
function expectNear(a: Ratio, b: Ratio, label: string): void {
  const size = b.numerator < 0n ? { ...b, numerator: -b.numerator } : b;
  const tolerance = addRatio(mulRatio(size, { numerator: 1n, denominator: 10n ** 12n }), {
    numerator: 1n,
    denominator: 10n ** 9n,
  });
  const difference = subtract(a, b);
  const distance = difference.numerator < 0n ? subtract(ZERO_RATIO, difference) : difference;
  expect(compareRatios(distance, tolerance), label).toBeLessThanOrEqual(0);
}

onPglite('positions of all shareholders of a vault', ({ fresh }) => {
  test('add up to its TVL at every hour', async () => {
    const database = await fresh();
    const history = await database.open();
    const recorded = await recordSimulation({ seed: 'conserved', days: DAYS }, history);
    const { get } = await startSimulationApi(recorded);
    const rowsOf = async (path: string) => (await get(path)).body as Row[];
    const holdings = await readAllLatestStates(history, 'vaultHolding');
    const end = Number(recorded.state.at().unix);
    const since = new Date((end - DAYS * 86_400) * 1000).toISOString();
    let compared = 0;
    for (const { address: vault, fields } of recorded.state.vaults()) {
      const wallets = holdings.filter((row) => row.vault === vault).map(({ wallet }) => wallet);
      const totals = new Map<string, Ratio>();
      for (const wallet of wallets) {
        const path = `/kvaults/users/${wallet}/vaults/${vault}/metrics/history?start=${since}`;
        const points = await rowsOf(path);
        for (const point of points) {
          const at = point['createdOn'] ?? point['timestamp'] ?? '';
          totals.set(at, addRatio(totals.get(at) ?? ZERO_RATIO, readValue(point, 'usdAmount')));
        }
      }
      const points = await rowsOf(`/kvaults/vaults/${vault}/metrics/history?start=${since}`);
      for (const point of points) {
        const total = totals.get(point['timestamp'] ?? '');
        if (total === undefined) continue;
        expectNear(total, readValue(point, 'tvl'), `${vault} ${point['timestamp']}`);
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
