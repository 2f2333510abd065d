import { join } from 'node:path';
import type { ChainTime, Logger, Slot } from '@tidegate/core/base';
import { Localnet } from './cluster/localnet.ts';
import type { LocalnetOptions } from './cluster/localnet-options.ts';
import { createExecutor } from './create-executor.ts';
import { CodedError } from './errors/index.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import {
  DEFAULT_SIMULATION,
  type LocalnetSettings,
  type OnProgress,
  type RunningLocalnet,
  type StartOptions,
} from './localnet-settings.ts';
import { requireFreePorts } from './rpc/server/reserved-ports.ts';
import { chainTimeAt, FIRST_SLOT, slotAt, slotAtMs, startMsOf } from './runtime/slot-time.ts';
import type { Executor } from './runtime/transactions/executor.ts';
import { BackgroundActivity } from './simulation/background-activity.ts';
import { LiquidationBot } from './simulation/liquidation-bot.ts';
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
import { repairWalletKeyFiles, writeWalletKeyFiles } from './storage/wallet-key-files.ts';

/** How a cluster behaves while it runs, besides its settings. */
export type RunOptions = Pick<
  LocalnetOptions,
  'isOnDemand' | 'isLiquidationBotOn' | 'isResettable'
> & { readonly hasBackgroundActivity: boolean };

/** As the cluster of a server: with wallets that stay active, and a bot that liquidates. */
const AS_DEMO: RunOptions = { hasBackgroundActivity: true };

/** Runs a cluster in this thread: resumes the stored one, or simulates a new one. */
export async function runLocalnet(
  settings: LocalnetSettings,
  options: StartOptions,
): Promise<RunningLocalnet> {
  const { localnet: _, ...running } = await runStoredCluster(settings, options, AS_DEMO);
  return running;
}

/** Like `runLocalnet`, for a caller in this thread that controls the cluster. */
export async function runStoredCluster(
  settings: LocalnetSettings,
  { log, onProgress, recorder, signal }: StartOptions,
  runOptions: RunOptions,
): Promise<RunningLocalnet & { readonly localnet: Localnet }> {
  const { dataFolder, port, speed, allowedCallers } = settings;
  await requireFreePorts(port);
  const executor = await createExecutor(settings.programs);
  const store = openClusterStore(dataFolder, log);
  try {
    const onStep = abortable(onProgress, signal);
    const opened = await openCluster(settings, store, { executor, log, onStep, recorder });
    const runs = store.beginRun(opened.simulated.cluster.bank.slot);
    const options = { ...runOptions, speed, allowedCallers, runs, log };
    const { localnet, persister } = run(opened, store, options);
    const { rpcUrl, wsUrl } = await localnet.addNode(port);
    const keysFolder = saveWalletKeys(opened, settings, log);
    const { metadata, plan } = opened.simulated;
    localnet.tick();
    localnet.start();
    return {
      localnet,
      rpcUrl,
      wsUrl,
      metadata,
      keysFolder,
      plan,
      stop: async () => {
        await localnet.stop();
        persister.saveSnapshot();
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Simulates and stores a new cluster, without running it. A stored cluster stays as it is, unless `isFresh`. */
export async function storeSimulatedCluster(
  settings: LocalnetSettings,
  { log, onProgress, recorder, signal }: StartOptions,
): Promise<void> {
  await requireFreePorts(settings.port);
  const executor = await createExecutor(settings.programs);
  const store = openClusterStore(settings.dataFolder, log);
  try {
    const onStep = abortable(onProgress, signal);
    const opened = await openCluster(settings, store, { executor, log, onStep, recorder });
    saveWalletKeys(opened, settings, log);
  } finally {
    store.close();
  }
}

/** Returns their folder. Files of another cluster are replaced. */
function saveWalletKeys(
  { isNew, simulated }: OpenedCluster,
  { dataFolder }: LocalnetSettings,
  log: Logger,
): string {
  const folder = join(dataFolder, 'keys');
  const { seed } = simulated.plan;
  if (isNew) writeWalletKeyFiles(folder, seed);
  else repairWalletKeyFiles(folder, seed, log);
  return folder;
}

const abortable =
  (onProgress: OnProgress, signal: AbortSignal | undefined): OnProgress =>
  (progress) => {
    signal?.throwIfAborted();
    onProgress(progress);
  };

type OpenedCluster = {
  readonly simulated: SimulatedCluster;
  /** The slot of now. */
  readonly startSlot: Slot;
  /** Whether it was simulated just now. */
  readonly isNew: boolean;
};

type OpenOptions = {
  readonly executor: Executor;
  readonly log: Logger;
  readonly onStep: OnProgress;
  readonly recorder: SimulationRecorder | undefined;
};

/** Resumes the stored cluster if its parameters match; otherwise simulates and stores a new one. */
async function openCluster(
  settings: LocalnetSettings,
  store: ClusterStore,
  options: OpenOptions,
): Promise<OpenedCluster> {
  const nowMs = Date.now();
  if (settings.isFresh) store.clear();
  const snapshot = store.load();
  if (snapshot !== undefined) {
    requireSameParameters(settings, snapshot.played);
    const simulated = restoreCluster(snapshot, options.executor);
    const { origin, slot } = simulated.cluster.bank;
    const present = slotAtMs(origin, BigInt(nowMs));
    // A clock that ran ahead does not go back.
    return { simulated, startSlot: present > slot ? present : slot, isNew: false };
  }
  const {
    seed = DEFAULT_SIMULATION.seed,
    days = DEFAULT_SIMULATION.days,
    untilMs = nowMs,
  } = settings;
  const until = chainTimeAt(untilMs);
  requireSlotRange(days, until);
  store.clear();
  const { recorder } = options;
  const plan = { seed, days, until };
  const simulated =
    recorder === undefined
      ? simulateCluster(plan, options)
      : await simulateAndRecord(plan, options, recorder);
  const { bank, transactions } = simulated.cluster;
  const ahead = bank.slot - slotAt(nowMs);
  store.save(snapshotCluster({ bank, ledger: transactions.ledger, ahead }, simulated.plan));
  const passedMs = BigInt(Date.now() - nowMs);
  const startSlot = slotAtMs(bank.origin, startMsOf(bank.origin, bank.slot) + passedMs);
  return { simulated, startSlot, isNew: true };
}

const SECONDS_PER_DAY = 86_400n;

/** Slots count from a day in 2020; nothing before it can be simulated. */
function requireSlotRange(days: number, until: ChainTime): void {
  const maxDays = (until.unix - FIRST_SLOT.unix) / SECONDS_PER_DAY - 1n;
  if (BigInt(days) <= maxDays) return;
  const accepts = `at most ${maxDays} with this end time`;
  throw new CodedError('INVALID_SETTING', { name: 'LOCALNET_DAYS', value: `${days}`, accepts });
}

/** Explicit settings must match the stored cluster. */
function requireSameParameters({ seed, days, untilMs }: LocalnetSettings, plan: GenesisPlan): void {
  const until: ChainTime | undefined = untilMs === undefined ? undefined : chainTimeAt(untilMs);
  const parameters = [
    { name: 'LOCALNET_SEED', value: seed, is: plan.seed },
    { name: 'LOCALNET_DAYS', value: days, is: plan.days },
    { name: 'LOCALNET_UNTIL', value: until?.unix, is: plan.until.unix },
  ];
  const mismatch = parameters.find(({ value, is }) => value !== undefined && value !== is);
  if (mismatch === undefined) return;
  throw new CodedError('INVALID_SETTING', {
    name: mismatch.name,
    value: `${mismatch.value}`,
    accepts: `the value of the stored cluster (${mismatch.is}), or any value with --fresh, which simulates a new cluster`,
  });
}

type ClusterOptions = RunOptions &
  Pick<LocalnetSettings, 'speed' | 'allowedCallers'> &
  Required<Pick<LocalnetOptions, 'runs' | 'log'>>;

function run(
  { simulated, startSlot }: OpenedCluster,
  store: ClusterStore,
  { hasBackgroundActivity, ...options }: ClusterOptions,
) {
  const { log, isOnDemand = false } = options;
  const { cluster, metadata, plan } = simulated;
  const persister = new ClusterPersister({
    store,
    cluster,
    plan,
    slotOffset: () => localnet.slotOffset,
    log,
  });
  const localnet: Localnet = new Localnet({
    cluster,
    plan,
    startSlot,
    ...options,
    now: Date.now,
    ...(hasBackgroundActivity && {
      backgroundActivity: new BackgroundActivity({ cluster, metadata, log }),
    }),
    liquidationBot: new LiquidationBot({ cluster, log, isEverySlot: isOnDemand }),
    onSlotClosing: (closing) => persister.persistSlot(closing),
    onSlotClosed: () => persister.saveIfDue(),
    onRollBack: () => persister.saveSnapshot(),
  });
  return { localnet, persister };
}
