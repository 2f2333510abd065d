import { CodedError, type Logger, toSlot, toUnixSeconds } from '@tidegate/core/base';
import type { RunningLocalnet, StartOptions } from '@tidegate/localnet';
import type { History } from '../../history/open-history.ts';
import { clearHistory, readOrigin, writeOrigin } from '../../history/origin.ts';
import { SimulationHistoryWriter } from '../../indexer/recording/simulation-history-writer.ts';
import { createLocalnetRegistry } from './localnet-registry.ts';

type Diarist = NonNullable<StartOptions['diarist']>;
type Plan = RunningLocalnet['plan'];

const PLAY = 'play';
const PLAN = 'plan';
const IS_WHOLE = 'play is whole';

type DiaristOptions = {
  readonly history: Promise<History>;
  /** Forgets whatever is there. */
  readonly fresh: boolean;
  readonly log: Logger;
};

/** Writes down the embedded cluster's past, into a database that holds nothing else. */
export function createSimulationRecorder({ history, fresh, log }: DiaristOptions): Diarist {
  let writer: SimulationHistoryWriter | undefined;
  return {
    async begin(plan, facts) {
      const opened = await history;
      await makeRoom(opened, plan, fresh);
      writer = new SimulationHistoryWriter({
        history: opened,
        registry: createLocalnetRegistry(facts),
        log,
      });
    },
    async write(steps) {
      await writer?.write(steps);
    },
    async end() {
      await writer?.end();
      await writeOrigin((await history).db, IS_WHOLE, 'yes');
    },
  };
}

/** What a play that was broken off has left is of no use to anybody, unless it is the same play. */
async function makeRoom({ db }: History, plan: Plan, fresh: boolean): Promise<void> {
  const found = await readOrigin(db, PLAY);
  const wanted = nameOf(plan);
  const isWhole = (await readOrigin(db, IS_WHOLE)) !== undefined;
  if (!fresh && isWhole && found !== wanted) throw ofAnother(found, wanted);
  if (fresh || (found !== undefined && found !== wanted)) await clearHistory(db);
  await writeOrigin(db, PLAY, wanted);
  await writeOrigin(db, PLAN, planText(plan));
}

/** Of a cluster that was played at an earlier start. Where nothing is said, history begins now. */
export async function requireSameSimulation({ db }: History, plan: Plan): Promise<void> {
  const found = await readOrigin(db, PLAY);
  const wanted = nameOf(plan);
  if (found === undefined) await writeOrigin(db, PLAY, wanted);
  else if (found !== wanted) throw ofAnother(found, wanted);
}

const planText = ({ seed, days, until }: Plan): string =>
  JSON.stringify({ seed, days, slot: String(until.slot), unix: String(until.unix) });

/** What was played of the cluster that the history is of; undefined where it was not written down here. */
export async function readSimulationPlan({ db }: History): Promise<Plan | undefined> {
  const text = await readOrigin(db, PLAN);
  if (text === undefined) return undefined;
  const { seed, days, slot, unix } = JSON.parse(text);
  const until = { slot: toSlot(BigInt(slot)), unix: toUnixSeconds(BigInt(unix)) };
  return { seed: String(seed), days: Number(days), until };
}

const ofAnother = (found: string | undefined, wanted: string): CodedError =>
  new CodedError('HISTORY_OF_ANOTHER', { found: found ?? 'unknown', wanted });

const nameOf = ({ seed, days, until }: Plan): string =>
  `played with seed ${seed}, ${days} days until ${new Date(Number(until.unix) * 1000).toISOString()}`;
