import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CodedError, type ErrorCode } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { ChainTime } from '../base/time.ts';
import type { GenesisFacts } from './genesis/facts.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import { type Kept, openKept } from './kept/kept.ts';
import { isEmptySlot, keptCluster, keptSlot } from './kept/kept-cluster.ts';
import { Localnet } from './localnet.ts';
import { type NodeUrls, requireFreePorts } from './node-server.ts';
import { type PlayedCluster, playCluster, restoreCluster } from './played-cluster.ts';
import { modelPrograms } from './programs/programs.ts';
import { Crowd } from './scenario/crowd.ts';
import type { Played } from './scenario/play-year.ts';
import { chainTimeAt, SLOTS_PER_DAY, slotAt } from './slot-clock.ts';
import type { Executor } from './transactions/executor.ts';
import { createModelExecutor } from './transactions/model-executor.ts';
import { createSvmExecutor } from './transactions/svm-executor.ts';
import { writeWalletKeys } from './wallet-keys.ts';

export type LocalnetSettings = {
  /** Of its RPC on loopback; 0 for any free one. */
  readonly port: number;
  /** Folder with binaries of the programs; empty for our own model of them. */
  readonly programs: string;
  /** Where it is kept, with the keys of its wallets. */
  readonly folder: string;
  /** Plays it anew, whatever is kept. */
  readonly fresh: boolean;
  /** How much faster than the wall clock it runs. */
  readonly speed: number;
  /** What is to be played, or what must have been played; what is left open is as it is kept or as usual. */
  readonly seed: string | undefined;
  readonly days: number | undefined;
  /** Milliseconds since 1970. */
  readonly untilMs: number | undefined;
};

const USUAL = { seed: 'tidegate', days: 365 };

type StartedLocalnet = NodeUrls & { readonly facts: GenesisFacts; readonly keys: string };

export type RunningLocalnet = StartedLocalnet & { stop(): Promise<void> };

export type OnPlayed = (played: Played) => void;

/** What the thread says: how far it is, and then how it ended. */
export type WorkerNews =
  | { readonly kind: 'played'; readonly played: Played }
  | { readonly kind: 'started'; readonly localnet: StartedLocalnet }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly context: CodedError['context'] };

/** A cluster in a thread of its own, so that it holds up nobody. Run from source it shares the caller's. */
export async function startLocalnet(
  settings: LocalnetSettings,
  log: Logger,
  onPlayed: OnPlayed,
): Promise<RunningLocalnet> {
  const isBuilt = import.meta.url.endsWith('.js');
  const start = isBuilt ? startInThread : startInProcess;
  return start(settings, log, onPlayed);
}

export async function startInProcess(
  settings: LocalnetSettings,
  log: Logger,
  onPlayed: OnPlayed,
): Promise<RunningLocalnet> {
  const { programs, folder, port, speed } = settings;
  await requireFreePorts(port);
  const executor =
    programs === '' ? createModelExecutor(modelPrograms()) : await createSvmExecutor(programs);
  const kept = openKept(folder, log);
  try {
    const opened = openPlayed(settings, kept, { executor, log, onStep: onPlayed });
    const localnet = run(opened, kept, { speed, log });
    const { rpcUrl, wsUrl } = await localnet.addNode(port);
    const keys = join(folder, 'keys');
    const { facts, plan, cluster } = opened.played;
    writeWalletKeys(keys, plan.seed);
    localnet.tick();
    localnet.start();
    return {
      ...{ rpcUrl, wsUrl, facts, keys },
      stop: async () => {
        await localnet.stop();
        const { ahead } = localnet;
        kept.save(
          keptCluster({ bank: cluster.bank, ledger: cluster.transactions.ledger, ahead }, plan),
        );
        kept.close();
      },
    };
  } catch (error) {
    kept.close();
    throw error;
  }
}

type Opened = { readonly played: PlayedCluster; readonly ahead: bigint };

type Playing = { readonly executor: Executor; readonly log: Logger; readonly onStep: OnPlayed };

/** What is kept, if it is what was asked for; else it is played and kept. */
function openPlayed(settings: LocalnetSettings, kept: Kept, playing: Playing): Opened {
  const nowMs = Date.now();
  if (settings.fresh) kept.clear();
  const found = kept.load();
  if (found !== undefined) {
    requireSame(settings, found.played);
    const played = restoreCluster(found, playing.executor);
    // a clock that ran ahead does not go back
    const ahead = played.cluster.bank.slot - slotAt(nowMs);
    return { played, ahead: ahead > 0n ? ahead : 0n };
  }
  const { seed = USUAL.seed, days = USUAL.days, untilMs = nowMs } = settings;
  const until = chainTimeAt(untilMs);
  requireRoom(days, until);
  const played = playCluster({ seed, days, until }, playing);
  const ahead = until.slot - slotAt(nowMs);
  const { bank, transactions } = played.cluster;
  kept.save(keptCluster({ bank, ledger: transactions.ledger, ahead }, played.plan));
  return { played, ahead };
}

/** Slots are counted from a day in 2020, before which nothing can be played. */
function requireRoom(days: number, until: ChainTime): void {
  const most = until.slot / SLOTS_PER_DAY - 1n;
  if (BigInt(days) <= most) return;
  const accepts = `at most ${most} for a time that ends then`;
  throw new CodedError('INVALID_SETTING', { name: 'LOCALNET_DAYS', value: `${days}`, accepts });
}

/** What is asked for explicitly must be what is there. */
function requireSame({ seed, days, untilMs }: LocalnetSettings, plan: GenesisPlan): void {
  const until: ChainTime | undefined = untilMs === undefined ? undefined : chainTimeAt(untilMs);
  const asked = [
    { name: 'LOCALNET_SEED', value: seed, is: plan.seed },
    { name: 'LOCALNET_DAYS', value: days, is: plan.days },
    { name: 'LOCALNET_UNTIL', value: until?.unix, is: plan.until.unix },
  ];
  const other = asked.find(({ value, is }) => value !== undefined && value !== is);
  if (other === undefined) return;
  throw new CodedError('INVALID_SETTING', {
    name: other.name,
    value: `${other.value}`,
    accepts: `what the cluster in the data folder was played with (${other.is}), or anything together with --fresh, which plays another one`,
  });
}

type Running = { readonly speed: number; readonly log: Logger };

/** Each slot is kept before anybody hears of it. */
function run({ played, ahead }: Opened, kept: Kept, { speed, log }: Running): Localnet {
  const { cluster, facts, plan } = played;
  const { bank, transactions } = cluster;
  const parts = () => ({ bank, ledger: transactions.ledger, ahead: localnet.ahead });
  const localnet = new Localnet({
    ...{ cluster, ahead, speed, log, now: Date.now },
    crowd: new Crowd({ cluster, facts, log }),
    onSlot: ({ slot, written, isCalled }) => {
      const entry = keptSlot(parts(), slot, written);
      if (isCalled || !isEmptySlot(entry)) kept.append(entry);
    },
    onClosed: () => {
      if (kept.isFull) kept.save(keptCluster(parts(), plan));
    },
    onRollBack: () => kept.save(keptCluster(parts(), plan)),
  });
  return localnet;
}

async function startInThread(
  settings: LocalnetSettings,
  log: Logger,
  onPlayed: OnPlayed,
): Promise<RunningLocalnet> {
  const worker = new Worker(new URL('./localnet-worker.js', import.meta.url), {
    workerData: settings,
  });
  const told = await outcomeOf(worker, onPlayed);
  if (told.kind === 'refused') {
    await worker.terminate();
    throw new CodedError<ErrorCode>(told.code, told.context);
  }
  worker.on('error', (error) => log.error({ error }, 'the embedded cluster has failed'));
  return {
    ...told.localnet,
    stop: async () => {
      const exited = once(worker, 'exit');
      worker.postMessage('stop');
      await exited;
    },
  };
}

type Outcome = Exclude<WorkerNews, { readonly kind: 'played' }>;

/** Errors do not cross threads as what they are: a refusal is told by its parts. */
async function outcomeOf(worker: Worker, onPlayed: OnPlayed): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    worker.on('message', (told: WorkerNews) => {
      if (told.kind === 'played') onPlayed(told.played);
      else resolve(told);
    });
    worker.once('error', reject);
  });
}
