import type { Step } from '../../../src/chain/step.ts';
import { ownRegistry } from '../../../src/cli/own-registry.ts';
import type { History } from '../../../src/history/open.ts';
import { PlayWriter } from '../../../src/indexer/play-writer.ts';
import { modelPrograms } from '../../../src/localnet/programs/programs.ts';
import { Diary } from '../../../src/localnet/scenario/diary.ts';
import { playYear } from '../../../src/localnet/scenario/play-year.ts';
import { createStage } from '../../../src/localnet/scenario/stage.ts';
import { createModelExecutor } from '../../../src/localnet/transactions/model-executor.ts';
import { GENESIS_AT } from '../decoded-genesis.ts';
import type { Recorded } from '../recorded-cluster.ts';
import { silentLog } from '../silent-log.ts';
import { createBusyActs } from './busy-acts.ts';
import { Ledger } from './ledger.ts';

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
