import { expect, test } from 'vitest';
import { reserveAddress } from '#localnet/genesis/accounts/market.ts';
import { metadataOfPlan } from '#localnet/genesis/genesis.ts';
import { createSeededKeys } from '#localnet/genesis/seed/seeded-keys.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { chainTimeAt } from '#localnet/runtime/slot-time.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { StepCollector } from '#localnet/simulation/step-collector.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { SimulationHistoryWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite } from '../support/history/history-engines.ts';
import { startSimulationApi } from '../support/history/recorded-simulation.ts';

/** Slots take 400, then 350, then 300 ms in these days. */
const plan = { seed: 'slots', days: 12, until: chainTimeAt(Date.parse('2026-10-02T00:00:00Z')) };
const CHANGES = [
  { from: 0, slotMs: 400 },
  { from: Date.parse('2026-09-22T00:00:00Z'), slotMs: 350 },
  { from: Date.parse('2026-09-29T00:00:00Z'), slotMs: 300 },
];
const DAY_MS = 86_400_000;
const PERIODS = 63_072_000;

/** They charge no rate for a host. */
const RESERVES = [
  ['main', 'USDC', 'hour'],
  ['main', 'USDC', 'day'],
  ['bitcoin', 'wETH', 'hour'],
] as const;

type Metrics = {
  readonly borrowCurve: readonly (readonly [number, number])[];
  readonly utilizationRatio: number;
  readonly borrowInterestAPY: number;
};
type Point = { readonly timestamp: string; readonly metrics: Metrics };

/** The rate of the curve, linear between its points. */
function nominalRate({ borrowCurve, utilizationRatio: at }: Metrics): number {
  const next = borrowCurve.findIndex(([utilization]) => utilization >= at);
  const [right, high] = borrowCurve[next] ?? [1, 0];
  const [left, low] = borrowCurve[next - 1] ?? [right, high];
  const part = right === left ? 0 : (at - left) / (right - left);
  return low + (high - low) * part;
}

const slotMsAt = (ms: number): number =>
  CHANGES.findLast(({ from }) => ms > from)?.slotMs ?? Number.NaN;

const isNearChange = (ms: number): boolean =>
  CHANGES.some(({ from }) => Math.abs(ms - from) <= DAY_MS);

/** Records one sample per hour. */
async function record(history: History) {
  const metadata = metadataOfPlan(plan);
  const registry = createLocalnetRegistry(metadata);
  const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });
  const executor = createModelExecutor(modelPrograms());
  const simulation = createSimulation({ ...plan, executor, log: silentLog });
  const collector = new StepCollector(simulation);
  await writer.write([collector.initialStep()]);
  for (const progress of simulateHistory(simulation)) {
    const steps = collector.collect(progress);
    const isFullHour = progress.minutes % 60 === 0;
    await writer.write(isFullHour ? steps : steps.map(({ sample: _, ...step }) => step));
  }
  await writer.end();
  return { metadata, history, registry, state: writer.state };
}

onPglite('a history in which slots become shorter', (engine) => {
  test('has the rates of its time, per slot and per second', async () => {
    const recorded = await record(await engine.shared());
    const api = await startSimulationApi(recorded);
    const durations = new Set<number>();
    for (const [key, symbol, frequency] of RESERVES) {
      const reserve = reserveAddress(createSeededKeys(plan.seed), key, symbol);
      const market = recorded.state.reserve(reserve)?.fields.lendingMarket;
      const path = `/svc-market/${market}/reserves/${reserve}/metrics/history`;
      const query = `frequency=${frequency}&start=2026-09-20&end=2026-10-02`;
      const points = ((await api.get(`${path}?${query}`)).body as { history: Point[] }).history;
      expect(points.length).toBeGreaterThan(frequency === 'hour' ? 240 : 8);
      for (const { timestamp, metrics } of points) {
        const ms = Date.parse(timestamp);
        if (isNearChange(ms) || metrics.utilizationRatio === 0) continue;
        const factor = key === 'main' ? 500 / slotMsAt(ms) : 1;
        const apr = nominalRate(metrics) * factor;
        const expected = Math.expm1(PERIODS * Math.log1p(apr / PERIODS));
        const error = Math.abs(metrics.borrowInterestAPY / expected - 1);
        expect(error, `${timestamp} ${metrics.borrowInterestAPY} ${expected}`).toBeLessThan(1e-4);
        durations.add(slotMsAt(ms));
      }
    }
    expect([...durations]).toEqual([400, 350, 300]);
  });
});
