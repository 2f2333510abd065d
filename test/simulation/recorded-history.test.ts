import { expect, test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';

onPglite('a recorded simulation', (engine) => {
  test('is served as history', async () => {
    const recorded = await recordSimulation({ seed: 'tidegate', days: 1 }, await engine.shared());
    const { demo } = recorded.metadata;
    const api = await startSimulationApi(recorded);
    const path = `/svc-market/${demo.market}/reserves/${demo.deposit.reserve}/metrics/history`;
    const { status, body } = await api.get(`${path}?frequency=hour`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ reserve: demo.deposit.reserve, market: demo.market });
    const { history } = body as { history: unknown[] };
    expect(history.length).toBeGreaterThanOrEqual(24);
  });
});
