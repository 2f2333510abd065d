import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../../test/support/fakes/silent-log.ts';
import { clusterDigest } from '../../../../test/support/localnet/cluster-digest.ts';
import {
  SIMULATION_END,
  simulateDays,
} from '../../../../test/support/localnet/simulated-genesis.ts';
import { modelPrograms } from '../programs/model-programs.ts';
import { createModelExecutor } from '../runtime/transactions/model-executor.ts';
import type { ActionCounts } from './actions/attempt.ts';
import { createSimulation } from './setup/simulation-setup.ts';
import { type SimulationProgress, simulateHistory } from './simulate-history.ts';

const DAYS = 3;

function play(seed: string) {
  const executor = createModelExecutor(modelPrograms());
  const plan = { seed, until: SIMULATION_END, days: DAYS };
  const stage = createSimulation({ ...plan, executor, log: silentLog });
  const steps: SimulationProgress[] = [];
  const year = simulateHistory(stage);
  let tally: ActionCounts | undefined;
  for (let step = year.next(); tally === undefined; step = year.next()) {
    if (step.done === true) tally = step.value;
    else steps.push(step.value);
  }
  return { stage, tally, steps };
}

describe('some days are played', { timeout: 60_000 }, () => {
  const { stage, tally, steps } = play('tidegate');

  test('everybody signs, and nearly all of what they do succeeds', () => {
    expect(tally.done).toBeGreaterThan(80);
    expect(tally.failed).toBeLessThan(tally.done / 20);
    expect(stage.transactions.ledger.size).toBeGreaterThan(tally.done);
    const slots = [...stage.transactions.ledger.slots()];
    const records = slots.flatMap((slot) => stage.transactions.ledger.ofSlot(slot));
    expect(records.every(({ signatures }) => signatures.length > 0)).toBe(true);
  });

  test('it goes hour by hour, on its last day minute by minute, and ends when it is meant to', () => {
    const minutes = steps.map((step) => step.minutes);
    expect(minutes).toHaveLength(47 + 1 + 24 * 60);
    expect(minutes.slice(0, 3)).toEqual([60, 120, 180]);
    expect(minutes.slice(-2)).toEqual([DAYS * 1_440 - 1, DAYS * 1_440]);
    expect(steps.every(({ allMinutes }) => allMinutes === DAYS * 1_440)).toBe(true);
    expect(stage.bank.slot).toBe(SIMULATION_END.slot);
    expect(stage.bank.timeOf(stage.bank.slot)).toEqual(SIMULATION_END);
  });

  test('the same seed gives the same signatures and bytes, another one others', () => {
    const digest = clusterDigest(stage);
    expect(clusterDigest(simulateDays('tidegate', DAYS).cluster)).toBe(digest);
    expect(clusterDigest(simulateDays('another', DAYS).cluster)).not.toBe(digest);
    expect(digest).toBe('a83bc82af3c9b22b3ee032488e54fd7d1b93a5067f7a07b6af4627d6363c8178');
  });
});
