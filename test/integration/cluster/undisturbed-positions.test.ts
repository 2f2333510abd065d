import { expect, onTestFinished, test } from 'vitest';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { EVENTS_SINCE_CHECKPOINT } from '#server/history/checkpoint-names.ts';
import type { History } from '#server/history/open-history.ts';
import { HistoryWriter } from '#server/history/writing/history-writer.ts';
import { createDemoSender } from '../../support/clusters/demo-sender.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { onPglite } from '../../support/history/history-engines.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import { startApi } from '../../support/http/test-api.ts';

const SEED = 'tidegate';
const PATIENTLY = { interval: 25 };
const ROLLED_BACK_SLOTS = 3;
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
  gapRepair: { pollMs: 20, pausesMs: [400, 200] },
};

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

type GapStatus = {
  readonly checkedSlot: string | null;
  readonly found: number;
  readonly open: number;
};

/** Follows and records a cluster, as if it had recorded it from the beginning. */
async function startRecorder({ metadata, now, advanceTime, ...node }: Genesis, history: History) {
  const registry = createLocalnetRegistry(metadata);
  const nodes = { rpcUrls: [new URL(node.rpcUrl)], wsUrls: [new URL(node.wsUrl)] };
  const config = { env: 'localnet' as const, ...nodes, registry, history };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const common = { clock: now, log: silentLog, timing: TIMING };
  const { cluster, stop } = openCluster(config, { ...settings, ...common });
  onTestFinished(stop);
  const loaded = () => {
    advanceTime();
    return cluster.reader.at().slot;
  };
  await expect.poll(loaded, PATIENTLY).toBeGreaterThan(0n);
  const api = await startApi({ clusters: createClusters([cluster]), clock: now });
  const gaps = async (): Promise<GapStatus> => {
    const { body } = await api.get('/status');
    const { clusters } = body as { clusters: { positionGaps: GapStatus }[] };
    if (clusters[0] === undefined) throw new Error('no cluster');
    return clusters[0].positionGaps;
  };
  return { api, gaps, stop, slot: () => cluster.reader.at().slot };
}

onPglite('the comparison of positions with their events', ({ separate }) => {
  test('finds no gap over restarts and slots that are rolled back', async () => {
    const database = await separate();
    const genesis = await startGenesisApi(SEED);
    const { metadata, advanceTime, rpcUrl } = genesis;
    const { vault, market, deposit, borrow, repay, withdraw } = metadata.demo;
    const send = createDemoSender(genesis, SEED);
    const first = await database.open();
    const begin = { slot: toSlot(0n), at: toUnixSeconds(0n) };
    const checkpoint = { name: EVENTS_SINCE_CHECKPOINT, direction: 'older', ...begin } as const;
    await new HistoryWriter(first.db).append({ checkpoint });
    let recorder = await startRecorder(genesis, first);
    const found: number[] = [];
    const requests = [
      ['klend/deposit', { market, ...deposit }],
      ['klend/borrow', { market, ...borrow }],
      ['kvault/deposit', { kvault: vault, amount: '2' }],
      ['klend/repay', { market, ...repay }],
      ['klend/withdraw', { market, ...withdraw }],
    ] as const;
    for (const [index, [path, request]] of requests.entries()) {
      await send(path, request);
      if (index % 2 === 0) {
        found.push((await recorder.gaps()).found);
        // what was just sent may be recorded in part
        await recorder.stop();
        if (index === 2) await send('kvault/deposit', { kvault: vault, amount: '1' });
        recorder = await startRecorder(genesis, await database.open());
      } else {
        await jsonPoster({ url: rpcUrl })('', {
          ...{ jsonrpc: '2.0', id: 1, method: 'tidegate_rollBack' },
          params: [ROLLED_BACK_SLOTS],
        });
        const state = genesis.cluster.reader.at().slot;
        const isAhead = () => {
          advanceTime();
          return genesis.cluster.reader.at().slot > state + BigInt(ROLLED_BACK_SLOTS);
        };
        await expect.poll(isAhead, PATIENTLY).toBe(true);
        await send(path, request);
      }
    }
    const last = genesis.cluster.reader.at().slot;
    const checked = async () => {
      advanceTime();
      return BigInt((await recorder.gaps()).checkedSlot ?? 0) >= last;
    };
    await expect.poll(checked, PATIENTLY).toBe(true);
    found.push((await recorder.gaps()).found);
    expect(found).toEqual([0, 0, 0, 0]);
    expect((await recorder.gaps()).open).toBe(0);
  });
});
