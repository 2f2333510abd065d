import { expect, test } from 'vitest';
import { onPglite } from '../support/history/history-engines.ts';
import { recordSimulation, startSimulationApi } from '../support/history/recorded-simulation.ts';
import { ReferenceInterest } from '../support/reference/reference-interest.ts';

type Report = {
  historicalFeesObligation: Record<string, Record<string, { nativeFees: string }>[]>;
};

/** Whole tokens by reserve, summed over all days. */
function sumsOf(body: unknown): Map<string, number> {
  const sums = new Map<string, number>();
  for (const points of Object.values((body as Report).historicalFeesObligation)) {
    for (const [reserve, { nativeFees }] of points.flatMap((point) => Object.entries(point))) {
      sums.set(reserve, (sums.get(reserve) ?? 0) + Number(nativeFees));
    }
  }
  return sums;
}

/** Of the interest: figures are compared as doubles. */
const DOUBLE_PRECISION = 1e-12;

onPglite('interest of simulated loans', (engine) => {
  test('equals the interest in their accounts slot by slot', async () => {
    const reference = new ReferenceInterest();
    const plan = { seed: 'tidegate', days: 3, onStep: reference.observe.bind(reference) };
    const recorded = await recordSimulation(plan, await engine.shared());
    const { get } = await startSimulationApi(recorded);
    const { state } = recorded;
    const expected = reference.interestAt(state.at());
    let compared = 0;
    for (const [loan, { earned, paid }] of expected) {
      const path = `/v2/svc-market/${reference.marketOf(loan)}/obligations/${loan}`;
      for (const [sums, operation] of [
        [earned, 'interest-fees'],
        [paid, 'interest-paid'],
      ] as const) {
        const served = sumsOf((await get(`${path}/${operation}`)).body);
        for (const [reserve, { interest, tolerance }] of sums) {
          const decimals = state.reserve(reserve)?.fields.liquidity.mintDecimals ?? 0n;
          const toTokens = (bits: bigint) => Number(bits) / 2 ** 60 / 10 ** Number(decimals);
          const tokens = toTokens(interest);
          const bound = Math.abs(tokens) * DOUBLE_PRECISION + toTokens(tolerance);
          const off = Math.abs((served.get(reserve) ?? 0) - tokens);
          expect(off).toBeLessThanOrEqual(bound);
          if (tokens > 0) compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(20);
  });
});
