import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { createSimulation } from '#localnet/simulation/setup/simulation-setup.ts';
import { simulateHistory } from '#localnet/simulation/simulate-history.ts';
import { StepCollector } from '#localnet/simulation/step-collector.ts';
import { createLocalnetRegistry } from '#server/cli/clusters/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { SimulationHistoryWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { RecordedSimulation } from '../history/recorded-simulation.ts';
import { SIMULATION_END } from '../localnet/simulated-genesis.ts';
import { AccountLedger } from './account-ledger.ts';
import { createBusyActions } from './busy-actions.ts';

export const BUSY_SIMULATION = { seed: 'ledger', days: 4, until: SIMULATION_END } as const;

const MINUTES_PER_HOUR = 60;
/** At the end nobody acts, as in the play itself. */
const QUIET_HOURS = 2;
const STEPS_AT_ONCE = 120;
const HOUR = 3_600n;

export type BusySimulation = RecordedSimulation & { readonly ledger: AccountLedger };

/** Days in which much happens, written down in the database as they are played and in the textbook's ledger. */
export async function recordBusySimulation(history: History): Promise<BusySimulation> {
  const stage = createSimulation({
    ...BUSY_SIMULATION,
    executor: createModelExecutor(modelPrograms()),
    log: silentLog,
  });
  const registry = createLocalnetRegistry(stage.metadata);
  const writer = new SimulationHistoryWriter({ history, registry, log: silentLog });
  const ledger = new AccountLedger();
  const write = async (played: readonly ClusterStep[]): Promise<void> => {
    const steps = played.map((step) => (isSampled(step) ? step : unsampled(step)));
    for (const step of steps) ledger.observe(step);
    await writer.write(steps);
  };
  const diary = new StepCollector(stage);
  await write([diary.initialStep()]);
  const act = createBusyActions(BUSY_SIMULATION.seed);
  const lastHour = BUSY_SIMULATION.days * 24 - QUIET_HOURS;
  let steps: ClusterStep[] = [];
  for (const played of simulateHistory(stage)) {
    const hour = played.minutes / MINUTES_PER_HOUR;
    if (Number.isInteger(hour) && hour < lastHour) act(stage, hour);
    steps.push(...diary.collect(played));
    if (steps.length < STEPS_AT_ONCE) continue;
    await write(steps);
    steps = [];
  }
  await write(steps);
  await writer.end();
  const { bank, transactions, seed, metadata } = stage;
  const simulation = { cluster: { bank, transactions, seed }, plan: BUSY_SIMULATION, metadata };
  return { simulation, history, registry, state: writer.state, ledger };
}

/** Minutes are sampled in the last hour that began, as it takes its time: those of before have their one sample. */
const isSampled = ({ at }: ClusterStep): boolean =>
  at.unix >= BUSY_SIMULATION.until.unix - (BUSY_SIMULATION.until.unix % HOUR) ||
  (BUSY_SIMULATION.until.unix - at.unix) % HOUR === 0n;

const unsampled = ({ sample: _, ...step }: ClusterStep): ClusterStep => step;
