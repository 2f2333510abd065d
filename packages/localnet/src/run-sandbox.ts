import type { Address, ClusterAccount, Logger } from '@tidegate/core/base';
import { createLocalCluster } from './cluster/cluster.ts';
import { createGenesisCluster } from './cluster/genesis-cluster.ts';
import { Localnet } from './cluster/localnet.ts';
import { createExecutor } from './create-executor.ts';
import { CodedError } from './errors/index.ts';
import type { ForkOptions } from './fork/origin-accounts.ts';
import type { GenesisPlan } from './genesis/genesis.ts';
import { LOOPBACK_ONLY } from './rpc/server/access-check.ts';
import type { Bank } from './runtime/bank.ts';
import { chainTimeAt, lastSlotBefore } from './runtime/slot-time.ts';
import type { Executor } from './runtime/transactions/executor.ts';
import { Sandbox, type SandboxParts } from './sandbox/sandbox.ts';
import type { SandboxOptions } from './sandbox/sandbox-options.ts';
import type { BackgroundActivityOptions } from './simulation/background-activity.ts';

const DEFAULT_SEED = 'tidegate';

/** A cluster without history first runs for a minute, in which every reserve is refreshed and so has a price. */
const WARM_UP_MS = 60_000;

const ignore = (): void => undefined;
const SILENT_LOG: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Runs a cluster for tests: generated, stored or forked. */
export async function runSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { fork, dataFolder, days = 0 } = options;
  if (!Number.isInteger(days) || days < 0) {
    const accepts = 'a whole number of days, 0 or more';
    throw new CodedError('INVALID_SETTING', { name: 'days', value: `${days}`, accepts });
  }
  if (fork !== undefined) return new Sandbox(await startFork(options, fork));
  if (dataFolder !== undefined) return new Sandbox(await startStored(options, dataFolder));
  return new Sandbox(await startInMemory(options));
}

/** The options of `Localnet` that all forms share. */
const behaviour = ({ clock, speed = 1, liquidationBot = false }: SandboxOptions) => ({
  speed,
  isOnDemand: clock === 'on-demand',
  isLiquidationBotOn: liquidationBot,
  isResettable: true,
});

async function startInMemory(options: SandboxOptions): Promise<SandboxParts> {
  const { seed = DEFAULT_SEED, days = 0, untilMs = Date.now(), log = SILENT_LOG } = options;
  const [executor, { LiquidationBot }] = await Promise.all([
    createExecutor(options.programs ?? ''),
    import('./simulation/liquidation-bot.ts'),
  ]);
  const isBare = days === 0;
  const plan = { seed, days, until: chainTimeAt(isBare ? untilMs - WARM_UP_MS : untilMs) };
  const { cluster, metadata } = isBare
    ? createGenesisCluster(plan, executor)
    : await simulate(plan, { executor, log });
  const { isOnDemand, ...rest } = behaviour(options);
  const localnet = new Localnet({
    ...rest,
    isOnDemand,
    cluster,
    plan,
    log,
    now: Date.now,
    liquidationBot: new LiquidationBot({ cluster, log, isEverySlot: isOnDemand }),
    ...(options.backgroundActivity && {
      backgroundActivity: await createBackgroundActivity({ cluster, metadata, log }),
    }),
  });
  if (isBare) await localnet.warp(slotsUntil(cluster.bank, untilMs));
  return run(localnet, { seed, metadata, port: options.port ?? 0 });
}

/** Slots until the first one whose time is not before `untilMs`, in whole seconds. */
const slotsUntil = ({ origin, slot }: Bank, untilMs: number): bigint =>
  lastSlotBefore(origin, BigInt(Math.floor(untilMs / 1_000))) + 1n - slot;

async function simulate(plan: GenesisPlan, options: { executor: Executor; log: Logger }) {
  const { simulateCluster } = await import('./simulation/simulate-cluster.ts');
  return simulateCluster(plan, options);
}

async function createBackgroundActivity(options: BackgroundActivityOptions) {
  const { BackgroundActivity } = await import('./simulation/background-activity.ts');
  return new BackgroundActivity(options);
}

/** Options of a generated cluster, which make no sense for a fork. */
const GENERATED_ONLY = [
  'dataFolder',
  'untilMs',
  'days',
  'liquidationBot',
  'backgroundActivity',
] as const;

/** Accounts come from the origin: nothing is generated, and no bot has funds to act. */
async function startFork(options: SandboxOptions, fork: ForkOptions): Promise<SandboxParts> {
  const { seed = DEFAULT_SEED, log = SILENT_LOG, port = 0 } = options;
  const unsupported = GENERATED_ONLY.filter((name) => options[name]);
  if (unsupported.length > 0) {
    const reason = `A fork does not support ${unsupported.join(', ')}.`;
    throw new CodedError('INVALID_USAGE', { reason });
  }
  const [executor, { openOrigin }] = await Promise.all([
    createExecutor(options.programs ?? ''),
    import('./fork/origin-accounts.ts'),
  ]);
  const origin = await openOrigin(fork);
  const accounts = new Map<Address, ClusterAccount>();
  const cluster = createLocalCluster({
    accounts,
    origin: origin.time,
    seed,
    executor,
    isForked: true,
  });
  const localnet = new Localnet({ ...behaviour(options), cluster, log, now: Date.now, origin });
  return run(localnet, { seed, metadata: undefined, port });
}

async function startStored(options: SandboxOptions, dataFolder: string): Promise<SandboxParts> {
  const { log = SILENT_LOG, port = 0, programs = '', backgroundActivity = false } = options;
  const [{ runStoredCluster }, { hasStoredCluster }] = await Promise.all([
    import('./run-localnet.ts'),
    import('./storage/cluster-store.ts'),
  ]);
  const { speed, ...runOptions } = behaviour(options);
  const settings = {
    port,
    dataFolder,
    speed,
    programs,
    allowedCallers: LOOPBACK_ONLY,
    isFresh: false,
    seed: options.seed,
    days: options.days ?? (hasStoredCluster(dataFolder) ? undefined : 0),
    untilMs: options.untilMs,
  };
  const running = await runStoredCluster(
    settings,
    { log, onProgress: ignore },
    { ...runOptions, hasBackgroundActivity: backgroundActivity },
  );
  return { ...running, seed: running.plan.seed };
}

async function run(
  localnet: Localnet,
  { seed, metadata, port }: Pick<SandboxParts, 'seed' | 'metadata'> & { readonly port: number },
): Promise<SandboxParts> {
  const { rpcUrl, wsUrl } = await localnet.addNode(port);
  localnet.start();
  return { localnet, rpcUrl, wsUrl, seed, metadata, stop: () => localnet.stop() };
}
