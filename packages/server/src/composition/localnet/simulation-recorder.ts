import { type Logger, toSlot, toUnixSeconds, type UnixSeconds } from '@tidegate/core/base';
import type { RulesAt } from '@tidegate/core/protocol/releases';
import type { RunningLocalnet, StartOptions } from '@tidegate/localnet';
import { CodedError } from '../../errors.ts';
import { readClaim, SIMULATION_KEY } from '../../history/cluster-identity.ts';
import type { History } from '../../history/open-history.ts';
import { clearHistory, readOrigin, writeOrigin } from '../../history/origin.ts';
import { SimulationHistoryWriter } from '../../indexer/recording/simulation-history-writer.ts';
import { createLocalnetRegistry } from './localnet-registry.ts';

type SimulationRecorder = NonNullable<StartOptions['recorder']>;
type Plan = RunningLocalnet['plan'];

// keys in the database
const PLAN_KEY = 'plan';
const COMPLETE_KEY = 'play is whole';

type RecorderOptions = {
  readonly history: Promise<History>;
  /** Deletes the history of any other cluster first. */
  readonly isFresh: boolean;
  /** Days to store raw data; 0 for all. */
  readonly rawRetentionDays: number;
  readonly rulesAt?: RulesAt | undefined;
  readonly log: Logger;
};

/** Writes the simulated history of the embedded cluster to a database of its own. */
export function createSimulationRecorder({
  history,
  isFresh,
  rawRetentionDays,
  rulesAt,
  log,
}: RecorderOptions): SimulationRecorder {
  let writer: SimulationHistoryWriter | undefined;
  return {
    async begin(plan, metadata) {
      const opened = await history;
      await prepareHistory(opened, plan, isFresh);
      writer = new SimulationHistoryWriter({
        history: opened,
        registry: createLocalnetRegistry(metadata),
        rawSince: oldestRaw(plan, rawRetentionDays),
        rulesAt,
        log,
      });
    },
    async write(steps) {
      await writer?.write(steps);
    },
    async end() {
      await writer?.end();
      await writeOrigin((await history).db, COMPLETE_KEY, 'yes');
    },
  };
}

const DAY_SECONDS = 86_400n;

const oldestRaw = ({ until }: Plan, days: number): UnixSeconds | undefined =>
  days === 0 ? undefined : toUnixSeconds(until.unix - BigInt(days) * DAY_SECONDS);

/** Keeps the rows of an interrupted simulation only if the same simulation runs again. */
async function prepareHistory({ db }: History, plan: Plan, isFresh: boolean): Promise<void> {
  const found = await readOrigin(db, SIMULATION_KEY);
  const expected = describePlan(plan);
  const isComplete = (await readOrigin(db, COMPLETE_KEY)) !== undefined;
  if (!isFresh && isComplete && found !== expected) throw wrongHistory(found, expected);
  const claim = await readClaim(db);
  if (!isFresh && claim !== undefined) throw wrongHistory(found ?? claim, 'a new simulation');
  if (isFresh || (found !== undefined && found !== expected)) await clearHistory(db);
  await writeOrigin(db, SIMULATION_KEY, expected);
  await writeOrigin(db, PLAN_KEY, serializePlan(plan));
}

const serializePlan = ({ seed, days, until }: Plan): string =>
  JSON.stringify({ seed, days, slot: String(until.slot), unix: String(until.unix) });

/** The plan that the history was simulated from; undefined if the history has none. */
export async function readSimulationPlan({ db }: History): Promise<Plan | undefined> {
  const text = await readOrigin(db, PLAN_KEY);
  if (text === undefined) return undefined;
  const { seed, days, slot, unix } = JSON.parse(text);
  const until = { slot: toSlot(BigInt(slot)), unix: toUnixSeconds(BigInt(unix)) };
  return { seed: String(seed), days: Number(days), until };
}

const wrongHistory = (found: string | undefined, expected: string): CodedError =>
  new CodedError('HISTORY_OF_ANOTHER', { found: found ?? 'unknown', expected });

/** Stored in the database, so its wording is fixed. */
export const describePlan = ({ seed, days, until }: Plan): string =>
  `played with seed ${seed}, ${days} days until ${new Date(Number(until.unix) * 1000).toISOString()}`;
