import { expect, onTestFinished, test } from 'vitest';
import { bytesFromText } from '#core/base/encoding/bytes.ts';
import { toSlot } from '#core/base/time.ts';
import { rulesOfCluster } from '#server/clusters/cluster-rules.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import type {
  ClusterConfig,
  ClusterSettings,
} from '#server/composition/clusters/cluster-config.ts';
import { openCluster } from '#server/composition/clusters/open-cluster.ts';
import { createLocalnetRegistry } from '#server/composition/localnet/localnet-registry.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { startApi } from '../../support/http/test-api.ts';

const PATIENTLY = { interval: 25 };

type ProgramJson = { readonly program: string; readonly [field: string]: unknown };
type Api = Pick<Awaited<ReturnType<typeof startApi>>, 'get' | 'url'>;
type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

async function programs({ get }: Api): Promise<readonly ProgramJson[]> {
  const { body } = await get('/status');
  const { clusters } = body as { clusters: { programs: ProgramJson[] }[] };
  return clusters[0]?.programs ?? [];
}

const klendOf = async (api: Api) =>
  (await programs(api)).find(({ program }) => program === 'klend');

/** Closes a slot before it reads. */
async function advancedKlend({ advanceTime }: Genesis, api: Api) {
  advanceTime();
  return await klendOf(api);
}

/** Another server of the same cluster. */
async function serve(
  { rpcUrl, wsUrl, metadata, now }: Genesis,
  config: Partial<ClusterConfig>,
  timing: ClusterSettings['timing'] = {},
): Promise<Api> {
  const plan = {
    env: 'localnet' as const,
    rpcUrls: [new URL(rpcUrl)],
    wsUrls: [new URL(wsUrl)],
    registry: createLocalnetRegistry(metadata),
    ...config,
  };
  const settings = { commitment: 'confirmed', maxLagSlots: 150, obligations: 'all' } as const;
  const { cluster, stop } = openCluster(plan, { ...settings, clock: now, log: silentLog, timing });
  onTestFinished(stop);
  return await startApi({ clusters: createClusters([cluster]), clock: now });
}

/** Closes slots until the upgrade has landed; resolves to its slot. */
async function upgrade(
  { localnet, advanceTime }: Genesis,
  content: string | Uint8Array,
): Promise<bigint> {
  let slot: bigint | undefined;
  const landing = localnet.upgradeProgram('klend', content).then((landed) => {
    slot = landed;
  });
  const advance = () => {
    advanceTime();
    return slot;
  };
  await expect.poll(advance, PATIENTLY).toBeDefined();
  await landing;
  return slot ?? 0n;
}

test('an upgrade to a known release is seen, and its rules count from the next slot on', async () => {
  const genesis = await startGenesisApi();
  const { api, cluster, advanceTime } = genesis;
  await expect.poll(() => programs(api), PATIENTLY).toHaveLength(4);
  expect(await programs(api)).toMatchObject([
    { program: 'klend', release: '1.25', rules: '1.25', deploySlot: '0', identifiedBy: 'model' },
    { program: 'kvault', release: '2.3.0', rules: '2.3.0', unknownSince: null },
    { program: 'farms', release: '1.6.5', rules: '1.6.5', upgrades: 0 },
    { program: 'scope', release: '0.40.0', rules: null },
  ]);
  const version = cluster.reader.versionOf('reserve');

  const slot = await upgrade(genesis, '1.24');
  advanceTime();
  const seen = { release: '1.24', unknownSince: null, deploySlot: `${slot}`, upgrades: 1 };
  await expect.poll(() => klendOf(api), PATIENTLY).toMatchObject(seen);
  // two slots after it was deployed, it counts for the present
  await expect.poll(() => advancedKlend(genesis, api), PATIENTLY).toMatchObject({ rules: '1.24' });
  expect(cluster.reader.versionOf('reserve')).toBeGreaterThan(version);
  const basisAt = (at: bigint) => cluster.reader.rulesAt(toSlot(at)).lending.accrualBasis;
  expect([basisAt(slot), basisAt(slot + 1n)]).toEqual(['of the reserve', 'slots']);

  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  const labels = 'cluster="localnet",program="klend"';
  expect(metrics).toContain(
    `\ntidegate_program_release_info{${labels},release="1.24",known="true"} 1\n`,
  );
  expect(metrics).toContain(`\ntidegate_program_deploy_slot{${labels}} ${slot}\n`);
  expect(metrics).toContain(`\ntidegate_program_upgrades_total{${labels}} 1\n`);
});

test('after an upgrade to unknown bytes the rules stay, and status says since when', async () => {
  const genesis = await startGenesisApi();
  const { api } = genesis;
  await expect.poll(() => programs(api), PATIENTLY).toHaveLength(4);
  const slot = await upgrade(genesis, bytesFromText('a build of nobody'));
  genesis.advanceTime();
  await expect
    .poll(() => klendOf(api), PATIENTLY)
    .toMatchObject({
      release: null,
      identifiedBy: null,
      unknownSince: `${slot}`,
      rules: '1.25',
      // printf 'a build of nobody' | sha256sum
      hash: '776eeec08547319504c15b74c5b037666fe3b554916310b07f955fbd2e5d4c74',
      size: 17,
      upgrades: 1,
    });
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain('program="klend",release="",known="false"} 1\n');
});

test('a server without a stream finds an upgrade by reading the headers', async () => {
  const genesis = await startGenesisApi();
  const timing = { programs: { pollMs: 20 }, indexer: { tickMs: 20 } };
  const polled = await serve(genesis, { wsUrls: [] }, timing);
  await expect
    .poll(() => advancedKlend(genesis, polled), PATIENTLY)
    .toMatchObject({ release: '1.25' });
  await upgrade(genesis, '1.23');
  await expect
    .poll(() => advancedKlend(genesis, polled), PATIENTLY)
    .toMatchObject({ release: '1.23', rules: '1.23' });
});

test('rules that the settings name stay, and a restart sees what was deployed before', async () => {
  const genesis = await startGenesisApi();
  await upgrade(genesis, '1.24');
  const rulesAt = rulesOfCluster('localnet', 'klend@1.17');
  const fixed = await serve(genesis, { rulesAt, hasFixedRules: true });
  const restarted = await serve(genesis, {});
  const advance = (api: Api) => advancedKlend(genesis, api);
  await expect
    .poll(() => advance(fixed), PATIENTLY)
    .toMatchObject({ release: '1.24', rules: '1.17', upgrades: 0 });
  await expect
    .poll(() => advance(restarted), PATIENTLY)
    .toMatchObject({ release: '1.24', rules: '1.24', upgrades: 0 });
});

test('an upgrade that is rolled back is undone', async () => {
  const genesis = await startGenesisApi();
  const { api, localnet } = genesis;
  await expect.poll(() => programs(api), PATIENTLY).toHaveLength(4);
  await upgrade(genesis, '1.24');
  genesis.advanceTime();
  await expect.poll(() => klendOf(api), PATIENTLY).toMatchObject({ release: '1.24' });
  await localnet.rollBack(5n);
  await expect
    .poll(() => advancedKlend(genesis, api), PATIENTLY)
    .toMatchObject({ release: '1.25', rules: '1.25' });
});
