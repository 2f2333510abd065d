import { join } from 'node:path';
import { type ChainTime, CodedError, type Logger } from '@tidegate/core/base';
import { Localnet } from './cluster/localnet.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import type {
  LocalnetSettings,
  OnProgress,
  RunningLocalnet,
  StartOptions,
} from './localnet-settings.ts';
import { modelPrograms } from './programs/model-programs.ts';
import { requireFreePorts } from './rpc/server/rpc-server.ts';
import { chainTimeAt, SLOTS_PER_DAY, slotAt } from './runtime/slot-time.ts';
import type { Executor } from './runtime/transactions/executor.ts';
import { createModelExecutor } from './runtime/transactions/model-executor.ts';
import { createSvmExecutor } from './runtime/transactions/svm-executor.ts';
import { BackgroundActivity } from './simulation/background-activity.ts';
import {
  restoreCluster,
  type SimulatedCluster,
  type SimulationRecorder,
  simulateAndRecord,
  simulateCluster,
} from './simulation/simulate-cluster.ts';
import { ClusterPersister } from './storage/cluster-persister.ts';
import { snapshotCluster } from './storage/cluster-snapshot.ts';
import { type ClusterStore, openClusterStore } from './storage/cluster-store.ts';
import { hasWalletKeyFiles, writeWalletKeyFiles } from './storage/wallet-key-files.ts';

const USUAL = { seed: 'tidegate', days: 365 };

/** Here and now: what is kept of it goes on, else its past is played. */
export async function runLocalnet(
  settings: LocalnetSettings,
  { log, onPlayed, diarist }: StartOptions,
): Promise<RunningLocalnet> {
  const { programs, folder, port, speed } = settings;
  await requireFreePorts(port);
  const executor =
    programs === '' ? createModelExecutor(modelPrograms()) : await createSvmExecutor(programs);
  const kept = openClusterStore(folder, log);
  try {
    const playing = { executor, log, onStep: onPlayed, diarist };
    const opened = await openPlayed(settings, kept, playing);
    const { localnet, keeping } = run(opened, kept, { speed, log });
    const { rpcUrl, wsUrl } = await localnet.addNode(port);
    const keys = join(folder, 'keys');
    const { facts, plan } = opened.played;
    if (opened.isNew || !hasWalletKeyFiles(keys)) writeWalletKeyFiles(keys, plan.seed);
    localnet.tick();
    localnet.start();
    return {
      ...{ rpcUrl, wsUrl, facts, keys, plan },
      stop: async () => {
        await localnet.stop();
        keeping.keepAll();
        kept.close();
      },
    };
  } catch (error) {
    kept.close();
    throw error;
  }
}

type Opened = {
  readonly played: SimulatedCluster;
  readonly ahead: bigint;
  /** Just now played. */
  readonly isNew: boolean;
};

type Playing = {
  readonly executor: Executor;
  readonly log: Logger;
  readonly onStep: OnProgress;
  readonly diarist: SimulationRecorder | undefined;
};

/** What is kept, if it is what was asked for; else it is played and kept. */
async function openPlayed(
  settings: LocalnetSettings,
  kept: ClusterStore,
  playing: Playing,
): Promise<Opened> {
  const nowMs = Date.now();
  if (settings.fresh) kept.clear();
  const found = kept.load();
  if (found !== undefined) {
    requireSame(settings, found.played);
    const played = restoreCluster(found, playing.executor);
    // a clock that ran ahead does not go back
    const ahead = played.cluster.bank.slot - slotAt(nowMs);
    return { played, ahead: ahead > 0n ? ahead : 0n, isNew: false };
  }
  const { seed = USUAL.seed, days = USUAL.days, untilMs = nowMs } = settings;
  const until = chainTimeAt(untilMs);
  requireRoom(days, until);
  const { diarist } = playing;
  const asked = { seed, days, until };
  const played =
    diarist === undefined
      ? simulateCluster(asked, playing)
      : await simulateAndRecord(asked, playing, diarist);
  const ahead = until.slot - slotAt(nowMs);
  const { bank, transactions } = played.cluster;
  kept.save(snapshotCluster({ bank, ledger: transactions.ledger, ahead }, played.plan));
  return { played, ahead, isNew: true };
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

function run({ played, ahead }: Opened, kept: ClusterStore, { speed, log }: Running) {
  const { cluster, facts, plan } = played;
  const keeping = new ClusterPersister({
    kept,
    cluster,
    played: plan,
    ahead: () => localnet.ahead,
    log,
  });
  const localnet: Localnet = new Localnet({
    ...{ cluster, ahead, speed, log, now: Date.now },
    crowd: new BackgroundActivity({ cluster, facts, log }),
    onSlot: (ending) => keeping.keepSlot(ending),
    onClosed: () => keeping.keepMore(),
    onRollBack: () => keeping.keepAll(),
  });
  return { localnet, keeping };
}
