import { inspect } from 'node:util';
import type { Logger } from '#core/base/logger.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer, type Indexer } from '#server/indexer/follow/indexer.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { NodeFaults } from '../recorded-mainnet/node-faults.ts';
import { startRecordedMainnet } from '../recorded-mainnet/recorded-mainnet.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { goldenCluster } from './golden.ts';

type GoldenNodeOptions = Pick<NodeFaults, 'encodings'> & {
  /** In addition to the golden accounts. */
  readonly accounts?: readonly KeyedAccount[];
};

export type GoldenNode = {
  readonly url: URL;
  /** Number of requests so far. */
  readonly requests: () => number;
  readonly stop: () => void;
};

/** The golden accounts over JSON-RPC, at a fixed slot. */
export async function startGoldenNode(options: GoldenNodeOptions = {}): Promise<GoldenNode> {
  const { accounts = [], ...faults } = options;
  const golden = goldenCluster();
  const named = [...golden.accounts].map(([address, account]) => ({ address, account }));
  const ends: (() => void)[] = [];
  const { rpcUrl, requests } = await startRecordedMainnet(
    {
      accounts: [...named, ...accounts],
      start: golden.at,
      faults: { ...faults, stoppedSlots: true },
    },
    (end) => ends.push(end),
  );
  const stop = () => {
    for (const end of ends) end();
  };
  return { url: rpcUrl, requests: () => requests.length, stop };
}

/** The golden accounts, indexed from a node like any cluster. Leaves nothing running. */
export async function goldenOverRpc(): Promise<ClusterState> {
  const node = await startGoldenNode();
  const warnings: unknown[] = [];
  const log: Logger = { ...silentLog, warn: (context, message) => warnings.push(message, context) };
  const clock = Date.now;
  const source = createClusterSource({
    rpcUrls: [node.url],
    wsUrls: [],
    commitment: 'confirmed',
    clock,
    random: Math.random,
    log,
  });
  const state = new ClusterState({ log });
  const timing = { tickMs: 10 };
  const indexer = createIndexer({
    source,
    state,
    mode: 'all',
    clock,
    log,
    timing,
    random: Math.random,
  });
  try {
    await startIndexer(indexer);
    return state;
  } catch (error) {
    throw new Error(`no state: ${error}, after ${inspect(warnings.slice(0, 2))}`);
  } finally {
    indexer.stop();
    source.close();
    node.stop();
  }
}

/** An indexer that cannot read retries forever. */
async function startIndexer(indexer: Indexer): Promise<void> {
  let outcome: { readonly error?: unknown } | undefined;
  indexer.start().then(
    () => {
      outcome = {};
    },
    (error: unknown) => {
      outcome = { error };
    },
  );
  const { error } = await waitUntil(() => outcome, 'the golden accounts are indexed');
  if (error !== undefined) throw error;
}
