import { expect, onTestFinished, test } from 'vitest';
import { createLocalCluster } from '#localnet/cluster/cluster.ts';
import { Localnet } from '#localnet/cluster/localnet.ts';
import { type Cluster, createClusters } from '#server/clusters/served-clusters.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { replayHistory } from '#server/indexer/jobs/replay-history.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { onPglite, type TestDatabase } from '../support/history/history-engines.ts';
import { dumpContents } from '../support/history/history-reads.ts';
import { startApi } from '../support/http/test-api.ts';
import { decodedSimulation, SIMULATION_END } from '../support/localnet/simulated-genesis.ts';
import { waitUntil } from '../support/waiting/wait-until.ts';

const SEED = 'tidegate';
const TIMING = {
  source: { timeoutMs: 20_000, scanTimeoutMs: 20_000, retryMs: 20 },
  indexer: { tickMs: 20, retryMs: 20 },
};
const MINUTE_MS = 60_000;

type Point = { readonly timestamp: string };

/** A cluster with a manual clock. */
async function startLocalnet() {
  const { accounts, metadata } = decodedSimulation(SEED);
  const cluster = createLocalCluster({ accounts, origin: SIMULATION_END, seed: SEED });
  let ms = Number(SIMULATION_END.unix) * 1000;
  const now = () => ms;
  const localnet = new Localnet({ cluster, now, log: silentLog });
  const { rpcUrl, wsUrl } = await localnet.addNode(0);
  onTestFinished(() => localnet.stop());
  const advance = (more: number) => {
    ms += more;
    localnet.tick();
  };
  return { metadata, rpcUrl, wsUrl, now, advance };
}

type Started = Awaited<ReturnType<typeof startLocalnet>>;

/** Follows and records the cluster from its next slot. */
async function follow({ metadata, rpcUrl, wsUrl, now, advance }: Started, database: TestDatabase) {
  const plan = {
    env: 'localnet' as const,
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [new URL(wsUrl)],
    registry: createLocalnetRegistry(metadata),
    history: await database.open(),
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const opened = openCluster(plan, { ...settings, clock: now, log: silentLog, timing: TIMING });
  const reaches = async (unix: bigint) => {
    let polls = 0;
    const reached = () => {
      const at = opened.cluster.reader.at().unix;
      const isBehind = BigInt(Math.floor(now() / 1000)) - at > 4n;
      // while it catches up few slots pass, so that no minute is over before it is sampled
      if (!isBehind || ++polls % 10 === 0) advance(400);
      return at;
    };
    await expect.poll(reached, { interval: 25 }).toBeGreaterThanOrEqual(unix);
  };
  /** Waits until the current minute is sampled and written. */
  const isSampled = async () => {
    const minute = BigInt(Math.floor(now() / MINUTE_MS)) * 60n;
    const recorded = () => opened.cluster.recording?.status();
    // state may be up to two seconds behind the clock, and so before that minute
    const sampledAt = () => {
      advance(400);
      return recorded()?.sampledAt ?? 0n;
    };
    await expect.poll(sampledAt).toBeGreaterThanOrEqual(minute);
    await expect.poll(recorded).toMatchObject({ waitingBatches: 0, writtenAt: expect.any(Number) });
  };
  await reaches(1n);
  await expectVaultsWhenReady(opened.cluster);
  return { ...opened, reaches, isSampled };
}

/** A cluster that is ready has the history of its vaults, so no figure of a vault is estimated only at first. */
async function expectVaultsWhenReady({ status, recording }: Cluster): Promise<void> {
  await waitUntil(() => status().waitingFor === undefined, 'the cluster is ready', 1);
  expect(recording?.vaultHistoryCache.version()).toBeGreaterThan(0);
}

/**
 * Without the stake rates of the first minute after the outage: a process reads the stake pools after its first sample,
 * but a replay knows them from the steps before.
 */
function withoutFirstStakeRates(lines: readonly string[]): readonly string[] {
  const minutes = lines
    .filter((line) => line.startsWith('market_minute '))
    .map((line) => Number(line.split('"')[1]))
    .toSorted((a, b) => a - b);
  const first = minutes.find((minute, i) => minute - (minutes[i - 1] ?? minute) > 1_800);
  return lines.filter((line) => !line.startsWith(`stake_rate_minute "${first}"`));
}

onPglite('a followed cluster', ({ fresh }) => {
  test('is sampled every minute, and missed time is reported as a gap', async () => {
    const database = await fresh();
    const localnet = await startLocalnet();
    const { demo } = localnet.metadata;
    // nothing follows the cluster at first
    localnet.advance(10 * MINUTE_MS);
    const first = await follow(localnet, database);
    for (let minute = 0; minute < 3; minute++) {
      localnet.advance(MINUTE_MS);
      await first.reaches(BigInt(Math.floor(localnet.now() / 1000)) - 2n);
    }
    await first.isSampled();
    const stoppedAt = first.cluster.reader.at().unix;
    await first.stop();
    localnet.advance(60 * MINUTE_MS);
    const second = await follow(localnet, database);
    localnet.advance(MINUTE_MS);
    await second.reaches(BigInt(Math.floor(localnet.now() / 1000)) - 2n);

    await second.isSampled();

    const clusters = createClusters([second.cluster]);
    const api = await startApi({ clusters, clock: localnet.now });
    const start = new Date(Number(SIMULATION_END.unix) * 1000).toISOString();
    const path = `/svc-market/${demo.market}/reserves/${demo.deposit.reserve}/metrics/history`;
    const request = () => api.get(`${path}?frequency=minute&start=${start}`);
    const countOf = async () => ((await request()).body as { history: Point[] }).history.length;
    await expect.poll(countOf).toBeGreaterThanOrEqual(5);
    const { headers, body } = await request();
    const times = (body as { history: Point[] }).history.map(({ timestamp }) =>
      Date.parse(timestamp),
    );
    const apart = times.slice(1).map((time, i) => (time - (times[i] ?? 0)) / MINUTE_MS);
    expect(apart.filter((minutes) => minutes > 30)).toHaveLength(1);
    expect(apart.filter((minutes) => minutes === 1).length).toBeGreaterThanOrEqual(2);
    const gaps = (headers.get('x-gaps') ?? '').split(', ').map((gap) => gap.split('/'));
    expect(gaps[0]?.[0]).toBe(start);
    const msOf = ([since = '', until = '']: readonly string[]) =>
      Date.parse(until) - Date.parse(since);
    const outages = gaps.filter((gap) => msOf(gap) > 59 * MINUTE_MS);
    expect(outages).toHaveLength(1);
    expect(Date.parse(outages[0]?.[0] ?? '') / 1000).toBeLessThanOrEqual(Number(stoppedAt));

    // the earnings of a missed hour do not appear as a jump
    const { result } = (await api.get('/kvaults/vaults/metrics')).body as {
      result: { readonly apy24h: string; readonly sharesIssued: string }[];
    };
    for (const { apy24h } of result) expect(Math.abs(Number(apy24h))).toBeLessThan(1);

    // a replay of raw data derives the same rows
    await second.stop();
    const history = await database.open();
    const before = withoutFirstStakeRates(await dumpContents(history));
    const registry = createLocalnetRegistry(localnet.metadata);
    await replayHistory({ history, registry, log: silentLog });
    const after = withoutFirstStakeRates(await dumpContents(history));
    expect(after.length).toBe(before.length);
    expect(after.find((line, index) => line !== before[index])).toBeUndefined();
    await history.close();
  });
});
