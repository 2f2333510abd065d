import { inspect } from 'node:util';
import type { Logger } from '#core/base/logger.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import { createIndexer, type Indexer } from '#server/indexer/follow/indexer.ts';
import { waitUntil } from '../waiting/wait-until.ts';
import { silentLog } from './silent-log.ts';
import { startStaticRpc } from './static-rpc.ts';

/** The golden accounts, indexed from a node like any cluster. Leaves nothing running. */
export async function goldenOverRpc(): Promise<ClusterState> {
  const node = await startStaticRpc();
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
    await node.stop();
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
