import { expect, test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';
import {
  type Averages,
  averageNames,
  readHourlyRates,
  recountAverages,
} from '../support/lending/recount-averages.ts';

/** A whole year takes minutes: SIMULATED_STATS_DAYS=365. */
const DAYS = Number(process.env['SIMULATED_STATS_DAYS'] ?? 31);

onPglite('stats of simulated reserves', (engine) => {
  test('the averages of each reserve equal a recount from its series', async () => {
    const plan = { seed: 'tidegate', days: DAYS };
    const recorded = await recordSimulation(plan, await engine.shared());
    const api = await startSimulationApi(recorded);
    const { unix: now } = recorded.state.at();
    const markets = (await api.get('/v2/kamino-market')).body as { lendingMarket: string }[];
    let [reserves, averages] = [0, 0];
    for (const { lendingMarket: market } of markets) {
      const { body } = await api.get(`/reserves/batch/stats?market=${market}`);
      for (const [reserve, stats] of Object.entries(body as Record<string, Averages>)) {
        reserves += 1;
        const recount = recountAverages(await readHourlyRates(api, { market, reserve, now }));
        for (const [rate, name, days] of averageNames) {
          const expected = recount[rate]?.[name];
          const actual = stats[rate]?.[name];
          if (expected === undefined) expect(actual, `${reserve} ${rate} ${name}`).toBeNull();
          else expect(Number(actual), `${reserve} ${rate} ${name}`).toBeCloseTo(expected, 12);
          if (days < DAYS) averages += Number(actual !== null);
        }
      }
    }
    const windows = averageNames.filter(([, , days]) => days < DAYS).length;
    expect(averages).toBe(reserves * windows);
    expect(reserves).toBeGreaterThan(5);
  });
});
