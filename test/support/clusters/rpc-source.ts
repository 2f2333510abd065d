import { onTestFinished } from 'vitest';
import { createClusterSource } from '#server/chain/cluster-source.ts';
import type { ChainSource } from '#server/chain/source/chain-source.ts';
import { silentLog } from '../fakes/silent-log.ts';
import type { startGenesisApi } from './genesis-api.ts';

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

/** Reads the cluster over RPC, without subscriptions, until the test is finished. */
export function openRpcSource({ rpcUrl, now }: Pick<Genesis, 'rpcUrl' | 'now'>): ChainSource {
  const source = createClusterSource({
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [],
    commitment: 'confirmed',
    log: silentLog,
    clock: now,
    random: () => 0,
  });
  onTestFinished(() => source.close());
  return source;
}
