import { describe, expect, test } from 'vitest';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ActionCounts } from '#localnet/simulation/actions/attempt.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { type SimulationProgress, simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { silentLog } from '../../../support/fakes/silent-log.ts';
import { clusterDigest } from '../../../support/localnet/cluster-digest.ts';
import { SIMULATION_END, simulateDays } from '../../../support/localnet/simulated-genesis.ts';

const DAYS = 3;

function simulate(seed: string) {
  const executor = createModelExecutor(modelPrograms());
  const plan = { seed, until: SIMULATION_END, days: DAYS };
  const simulation = createSimulation({ ...plan, executor, log: silentLog });
  const steps: SimulationProgress[] = [];
  const history = simulateHistory(simulation);
  let counts: ActionCounts | undefined;
  for (let step = history.next(); counts === undefined; step = history.next()) {
    if (step.done === true) counts = step.value;
    else steps.push(step.value);
  }
  return { simulation, counts, steps };
}

describe('a simulation of three days', { timeout: 60_000 }, () => {
  const { simulation, counts, steps } = simulate('tidegate');

  test('every transaction is signed, and nearly all of them succeed', () => {
    expect(counts.succeeded).toBeGreaterThan(80);
    expect(counts.failed).toBeLessThan(counts.succeeded / 20);
    expect(simulation.transactions.ledger.size).toBeGreaterThan(counts.succeeded);
    const slots = [...simulation.transactions.ledger.slots()];
    const records = slots.flatMap((slot) => simulation.transactions.ledger.inSlot(slot));
    expect(records.every(({ signatures }) => signatures.length > 0)).toBe(true);
  });

  test('steps are one hour each, one minute on the last day, and end at the planned time', () => {
    const minutes = steps.map((step) => step.minutes);
    expect(minutes).toHaveLength(47 + 1 + 24 * 60);
    expect(minutes.slice(0, 3)).toEqual([60, 120, 180]);
    expect(minutes.slice(-2)).toEqual([DAYS * 1_440 - 1, DAYS * 1_440]);
    expect(steps.every(({ totalMinutes }) => totalMinutes === DAYS * 1_440)).toBe(true);
    expect(simulation.bank.slot).toBe(SIMULATION_END.slot);
    expect(simulation.bank.timeOf(simulation.bank.slot)).toEqual(SIMULATION_END);
  });

  test('the same seed gives the same signatures and bytes, another seed gives others', () => {
    const digest = clusterDigest(simulation);
    expect(clusterDigest(simulateDays('tidegate', DAYS).cluster)).toBe(digest);
    expect(clusterDigest(simulateDays('another', DAYS).cluster)).not.toBe(digest);
    expect(digest).toBe('a83bc82af3c9b22b3ee032488e54fd7d1b93a5067f7a07b6af4627d6363c8178');
  });
});
