import { describe, expect, test } from 'vitest';
import { toLamports } from '#core/base/index.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/index.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/index.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { Signer } from '#localnet/runtime/signer.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { receiveTransaction } from '#localnet/runtime/transactions/received-transaction.ts';
import { verifySignatures } from '#localnet/runtime/transactions/verify-signatures.ts';
import type { ActionCounts } from '#localnet/simulation/actions/attempt.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { type SimulationProgress, simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { catchError } from '../../../support/errors/catch-error.ts';
import { silentLog } from '../../../support/fakes/silent-log.ts';
import { clusterDigest } from '../../../support/localnet/cluster-digest.ts';
import { SIMULATION_END, simulateDays } from '../../../support/localnet/simulated-genesis.ts';

const DAYS = 3;

function create(seed: string) {
  const executor = createModelExecutor(modelPrograms());
  const plan = { seed, until: SIMULATION_END, days: DAYS };
  return createSimulation({ ...plan, executor, log: silentLog });
}

function simulate(seed: string) {
  const simulation = create(seed);
  const steps: SimulationProgress[] = [];
  const history = simulateHistory(simulation);
  let counts: ActionCounts | undefined;
  for (let step = history.next(); counts === undefined; step = history.next()) {
    if (step.done === true) counts = step.value;
    else steps.push(step.value);
  }
  return { simulation, counts, steps };
}

describe('a simulation of three days', () => {
  const { simulation, counts, steps } = simulate('tidegate');

  test('every transaction is signed, and nearly all of them succeed', () => {
    expect(counts.succeeded).toBeGreaterThan(80);
    expect(counts.failed).toBeLessThan(counts.succeeded / 20);
    expect(simulation.transactions.ledger.size).toBeGreaterThan(counts.succeeded);
    const slots = [...simulation.transactions.ledger.slots()];
    const records = slots.flatMap((slot) => simulation.transactions.ledger.inSlot(slot));
    expect(records.every(({ signatures }) => signatures.length > 0)).toBe(true);
    expect(records.every(({ wire }) => verifySignatures(receiveTransaction(wire)))).toBe(true);
  });

  test('steps are on full hours, on full minutes of the last hour, and at the planned end', () => {
    // from 14:00, thirteen minutes before the start, to 14:13:20
    const total = DAYS * 1_440 + 13;
    const minutes = steps.map((step) => step.minutes);
    expect(minutes.slice(0, 3)).toEqual([60, 120, 180]);
    expect(minutes.slice(-3)).toEqual([total - 1, total, total]);
    // the last hour begins at 13:13
    expect(minutes).toHaveLength(DAYS * 24 - 1 + 60 + 1);
    expect(steps.every(({ totalMinutes }) => totalMinutes === total)).toBe(true);
    const times = steps.slice(0, -1).map(({ slot }) => simulation.bank.timeOf(slot).unix);
    const fullHour = SIMULATION_END.unix - BigInt(DAYS) * 86_400n - 800n;
    expect(fullHour % 3_600n).toBe(0n);
    expect(times).toEqual(minutes.slice(0, -1).map((each) => fullHour + BigInt(each) * 60n));
    expect(simulation.bank.slot).toBe(SIMULATION_END.slot);
    expect(simulation.bank.timeOf(simulation.bank.slot)).toEqual(SIMULATION_END);
  });

  test('the same seed gives the same signatures and bytes, another seed gives others', () => {
    const digest = clusterDigest(simulation);
    expect(clusterDigest(simulateDays('tidegate', DAYS).cluster)).toBe(digest);
    expect(clusterDigest(simulateDays('another', DAYS).cluster)).not.toBe(digest);
    expect(digest).toBe('9d2153cb38a7a73f1f1c5305677491d1583eeb5d5f338092612236580c3dbee3');
  });
});

test('a transaction with a missing signature ends the simulation', () => {
  const { simulator, agents } = create('tidegate');
  const [payer, sender] = [agents.wallet(0), agents.wallet(1)];
  const instruction = systemTransfer.build(SYSTEM_PROGRAM, {
    accounts: { from: sender.address, to: payer.address },
    args: { lamports: toLamports(1n) },
  });
  const execute = (signers: readonly [Signer, ...Signer[]]) => () =>
    simulator.execute({ instructions: [instruction], signers });
  expect(catchError(execute([payer]))?.code).toBe('MALFORMED_DATA');
  const { preBalances, postBalances, accounts } = execute([payer, sender])();
  const index = accounts.findIndex(({ address }) => address === sender.address);
  expect(postBalances[index]).toBe((preBalances[index] ?? 0n) - 1n);
});
