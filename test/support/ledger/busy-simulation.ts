import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { StepCollector } from '#localnet/simulation/step-collector.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { SimulationHistoryWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { RecordedSimulation } from '../history/recorded-simulation.ts';
import { SIMULATION_END } from '../localnet/simulated-genesis.ts';
import { AccountLedger } from './account-ledger.ts';
import { createBusyActions } from './busy-actions.ts';

export const BUSY_SIMULATION = { seed: 'ledger', days: 4, until: SIMULATION_END } as const;

const MINUTES_PER_HOUR = 60;
/** No activity in the last hours, as in the regular simulation. */
const QUIET_HOURS = 2;
const BATCH_STEPS = 120;
const HOUR = 3_600n;
const DAY = 86_400n;

export type BusySimulation = RecordedSimulation & { readonly ledger: AccountLedger };

/** Simulates busy days and records them in the database and in the independent ledger. */
export async function recordBusySimulation(history: History): Promise<BusySimulation> {
  const setup = createSimulation({
    ...BUSY_SIMULATION,
    executor: createModelExecutor(modelPrograms()),
    log: silentLog,
  });
  const registry = createLocalnetRegistry(setup.metadata);
  const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });
  const ledger = new AccountLedger();
  const write = async (batch: readonly ClusterStep[]): Promise<void> => {
    const steps = batch.map((step) => (isSampled(step) ? step : withoutSample(step)));
    for (const step of steps) ledger.observe(step);
    await writer.write(steps);
  };
  const collector = new StepCollector(setup);
  await write([collector.initialStep()]);
  const runActions = createBusyActions(BUSY_SIMULATION.seed);
  const lastHour = BUSY_SIMULATION.days * 24 - QUIET_HOURS;
  let steps: ClusterStep[] = [];
  for (const progress of simulateHistory(setup)) {
    const hour = progress.minutes / MINUTES_PER_HOUR;
    if (Number.isInteger(hour) && hour < lastHour) runActions(setup, hour);
    steps.push(...collector.collect(progress));
    if (steps.length < BATCH_STEPS) continue;
    await write(steps);
    steps = [];
  }
  await write(steps);
  await writer.end();
  return { metadata: setup.metadata, history, registry, state: writer.state, ledger };
}

/** Only the last hour has minute samples, to save time. Before it, the start and each full hour have one. */
const isSampled = ({ at }: ClusterStep): boolean =>
  at.unix >= BUSY_SIMULATION.until.unix - (BUSY_SIMULATION.until.unix % HOUR) ||
  at.unix % HOUR === 0n ||
  at.unix === BUSY_SIMULATION.until.unix - BigInt(BUSY_SIMULATION.days) * DAY;

const withoutSample = ({ sample: _, ...step }: ClusterStep): ClusterStep => step;
