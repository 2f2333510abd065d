import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { Step } from '#localnet/simulation/cluster-step.ts';
import { createStage } from '#localnet/simulation/setup/simulation-setup.ts';
import { playYear } from '#localnet/simulation/simulate-history.ts';
import { Diary } from '#localnet/simulation/step-collector.ts';
import { ownRegistry } from '#server/cli/clusters/localnet-registry.ts';
import type { History } from '#server/history/open-history.ts';
import { PlayWriter } from '#server/indexer/recording/simulation-history-writer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { Recorded } from '../history/recorded-simulation.ts';
import { GENESIS_AT } from '../localnet/simulated-genesis.ts';
import { Ledger } from './account-ledger.ts';
import { createBusyActs } from './busy-actions.ts';

export const BUSY = { seed: 'ledger', days: 4, until: GENESIS_AT } as const;

const MINUTES_PER_HOUR = 60;
/** At the end nobody acts, as in the play itself. */
const QUIET_HOURS = 2;
const STEPS_AT_ONCE = 120;
const HOUR = 3_600n;

export type BusyDays = Recorded & { readonly ledger: Ledger };

/** Days in which much happens, written down in the database as they are played and in the textbook's ledger. */
export async function recordBusyDays(history: History): Promise<BusyDays> {
  const stage = createStage({
    ...BUSY,
    executor: createModelExecutor(modelPrograms()),
    log: silentLog,
  });
  const registry = ownRegistry(stage.facts);
  const writer = new PlayWriter({ history, registry, log: silentLog });
  const ledger = new Ledger();
  const write = async (played: readonly Step[]): Promise<void> => {
    const steps = played.map((step) => (isSampled(step) ? step : unsampled(step)));
    for (const step of steps) ledger.see(step);
    await writer.write(steps);
  };
  const diary = new Diary(stage);
  await write([diary.founding()]);
  const act = createBusyActs(BUSY.seed);
  const lastHour = BUSY.days * 24 - QUIET_HOURS;
  let steps: Step[] = [];
  for (const played of playYear(stage)) {
    const hour = played.minutes / MINUTES_PER_HOUR;
    if (Number.isInteger(hour) && hour < lastHour) act(stage, hour);
    steps.push(...diary.stepsOf(played));
    if (steps.length < STEPS_AT_ONCE) continue;
    await write(steps);
    steps = [];
  }
  await write(steps);
  await writer.end();
  const { bank, transactions, seed, facts } = stage;
  const played = { cluster: { bank, transactions, seed }, plan: BUSY, facts };
  return { played, history, registry, state: writer.state, ledger };
}

/** Minutes are sampled in the last hour that began, as it takes its time: those of before have their one sample. */
const isSampled = ({ at }: Step): boolean =>
  at.unix >= BUSY.until.unix - (BUSY.until.unix % HOUR) ||
  (BUSY.until.unix - at.unix) % HOUR === 0n;

const unsampled = ({ sample: _, ...step }: Step): Step => step;
