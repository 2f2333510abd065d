import { onTestFinished } from 'vitest';
import { type ChainTime, toSlot } from '#core/base/time.ts';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { Executor } from '#localnet/runtime/transactions/executor.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { BackgroundActivity } from '#localnet/simulation/background-activity.ts';
import { LiquidationBot } from '#localnet/simulation/liquidation-bot.ts';
import { createAgents } from '#localnet/simulation/setup/agents.ts';
import { clusterStateOf } from '#localnet/simulation/setup/simulation-setup.ts';
import { Simulator } from '#localnet/simulation/setup/simulator.ts';
import { silentLog } from '../fakes/silent-log.ts';
import { SIMULATION_END, simulatedGenesis } from '../localnet/simulated-genesis.ts';

const SEED = 'tidegate';
const SLOT_MS = 400;

/** Each slot has the activity of this number of slots: about three actions of wallets. */
const SLOTS_AT_ONCE = 225;

/** A local cluster on which wallets act. Its time is moved by the test. By default it executes the newest releases. */
export async function startActiveCluster(
  executor: Executor = createModelExecutor(modelPrograms()),
) {
  const { accounts, metadata } = simulatedGenesis(SEED);
  const cluster = createLocalCluster({ accounts, origin: SIMULATION_END, seed: SEED, executor });
  let ms = Number(SIMULATION_END.unix) * 1000;
  const now = () => ms;
  const options = { cluster, metadata, log: silentLog };
  const activity = new BackgroundActivity(options);
  let turn = 0;
  let isActive = false;
  let next: ((simulator: Simulator) => void) | undefined;
  const eager = {
    run({ unix }: ChainTime): void {
      for (let i = 0; isActive && i < SLOTS_AT_ONCE; i++)
        activity.run({ slot: toSlot(BigInt(++turn)), unix });
      if (next === undefined) return;
      const state = clusterStateOf(cluster, silentLog);
      next(new Simulator({ cluster, state, metadata, isLive: true }));
      next = undefined;
    },
  };
  const bot = new LiquidationBot(options);
  const localnet = new Localnet({
    ...options,
    now,
    backgroundActivity: eager,
    liquidationBot: bot,
  });
  const { rpcUrl, wsUrl, node } = await localnet.addNode(0);
  onTestFinished(() => localnet.stop());
  return {
    cluster,
    localnet,
    metadata,
    rpcUrl,
    wsUrl,
    now,
    agents: createAgents(SEED),
    /** Something that happens in the next slot, beside the activity. */
    plan: (action: (simulator: Simulator) => void) => {
      next = action;
    },
    dropWebSockets: () => node.dropWebSockets(),
    /** Closes a slot; with `act`, wallets act in it. */
    advance: (act: 'act' | 'idle' = 'idle') => {
      isActive = act === 'act';
      ms += SLOT_MS;
      localnet.tick();
    },
  };
}

export type ActiveCluster = Awaited<ReturnType<typeof startActiveCluster>>;
