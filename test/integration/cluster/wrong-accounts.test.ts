import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { differingAccounts } from '../../support/clusters/differing-accounts.ts';
import { type FaultyNode, startFaultyNode } from '../../support/clusters/faulty-node.ts';
import {
  LONG_POLL,
  serveCluster,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import {
  type AccountJson,
  type AlterAccount,
  alterAccounts,
  withBytes,
} from '../../support/clusters/wrong-accounts.ts';
import { goldenVault } from '../../support/golden/golden-addresses.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../support/localnet/golden-localnet.ts';

type ServedStatus = {
  readonly clusters: readonly {
    readonly endpoints: readonly { readonly healthy: boolean; readonly lastError: string | null }[];
    readonly alarms: readonly { readonly kind: string; readonly reason: string }[];
    readonly unproven: readonly { readonly kind: string; readonly code: string }[];
    readonly source: { readonly step: string };
  }[];
};

const TIMING = { programsMs: 150, usersMs: 1_000, recheckMs: 50 };
const VAULT = goldenVault('Steady USDC').address;
const FEE = vaultState.offsets.performanceFeeBps;

async function statusOf({ get }: RunningApi) {
  const [cluster] = ((await get('/status')).body as ServedStatus).clusters;
  if (cluster === undefined) throw new Error('no cluster is served');
  return cluster;
}

const reasonOf = async (api: RunningApi) =>
  (await statusOf(api)).alarms.find(({ kind }) => kind === 'wrong-accounts')?.reason;

const kindsInDoubt = async (api: RunningApi) =>
  (await statusOf(api)).unproven
    .filter(({ code }) => code === 'sourcesDiffer')
    .map(({ kind }) => kind);

/** The first endpoint can be wrong; updates come from another node. */
async function setUp(endpoints: 1 | 2 | 3) {
  const golden = await startGoldenLocalnet();
  const faulty = await startFaultyNode(golden);
  const first = { rpcUrl: faulty.rpcUrl, wsUrl: golden.wsUrl };
  const others: { rpcUrl: string; wsUrl: string }[] = [];
  for (let i = 1; i < endpoints; i++) others.push(await golden.localnet.addNode(0));
  /** Only the first endpoint serves scans. */
  const useForScans = async () => {
    const withoutScans = await startFaultyNode(golden);
    withoutScans.setFault({
      alterRequest: (text) => text.replaceAll('getProgramAccounts', 'getNoAccounts'),
    });
    if (endpoints === 2) others[0] = { rpcUrl: withoutScans.rpcUrl, wsUrl: golden.wsUrl };
  };
  const serve = async () => {
    const served = await serveCluster(golden, { nodes: [first, ...others], drift: TIMING });
    await waitUntilReady(served.api);
    return served;
  };
  return { golden, faulty, serve, useForScans };
}

const isVault = ({ data: [text] }: AccountJson): boolean =>
  vaultState.discriminator.every((byte, i) => byte === Buffer.from(text, 'base64')[i]);

const withFee = (account: AccountJson, fee: bigint): AccountJson =>
  withBytes(account, (data) => {
    data.writeBigUInt64LE(fee, FEE);
    return data;
  });

/** What a wrong node returns for vaults. */
const wrongVaults: readonly (readonly [string, AlterAccount])[] = [
  ['altered bytes', (account) => withFee(account, 9_999n)],
  ['another owner', (account) => ({ ...account, owner: ZERO_ADDRESS })],
  ['nothing', () => null],
  ['other lamports', (account) => ({ ...account, lamports: account.lamports + 1 })],
];

const ofVaults =
  (alter: AlterAccount): AlterAccount =>
  (account, address) =>
    isVault(account) ? alter(account, address) : account;

/** Old bytes for new slots. */
function staleAccounts({ localnet }: GoldenLocalnet): AlterAccount {
  const old = new Map(
    [...localnet.bank.accounts()].map(({ address, account }) => [address, account.data.slice()]),
  );
  return (account, address) => {
    const data = old.get(address);
    return data === undefined ? account : { ...account, data: [encodeBase64(data), 'base64'] };
  };
}

async function expectUsedAgain(
  api: RunningApi,
  { golden, faulty }: { golden: GoldenLocalnet; faulty: FaultyNode },
): Promise<void> {
  faulty.setFault({});
  await expect.poll(async () => (await statusOf(api)).endpoints[0]?.healthy, LONG_POLL).toBe(true);
  const changedAt = await setVaultFee(golden, 871);
  await waitForServedSlot(api, changedAt);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 871 } });
}

test.each(wrongVaults)(
  'one of three endpoints that returns %s for vaults is set aside, and used again when it is right',
  async (_, alter) => {
    const { golden, faulty, serve } = await setUp(3);
    const { api, cluster } = await serve();
    faulty.setFault(alterAccounts(ofVaults(alter)));
    await expect
      .poll(() => reasonOf(api), LONG_POLL)
      .toMatch(/^its account \w+ differs from that of the other endpoints$/);
    const [first, ...others] = (await statusOf(api)).endpoints;
    expect(first).toMatchObject({ healthy: false, lastError: await reasonOf(api) });
    expect(others).toMatchObject([{ healthy: true }, { healthy: true }]);
    await expect.poll(() => kindsInDoubt(api), LONG_POLL).toEqual([]);
    await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
    expect((await statusOf(api)).source.step).toBe('websocket');
    await expectUsedAgain(api, { golden, faulty });
  },
);

test('of two endpoints the one that contradicts the stream is set aside', async () => {
  const { golden, faulty, serve } = await setUp(2);
  const { api, cluster } = await serve();
  await waitForServedSlot(api, await setVaultFee(golden, 801));
  faulty.setFault(alterAccounts((account, at) => (at === VAULT ? withFee(account, 1n) : account)));
  await expect
    .poll(() => reasonOf(api), LONG_POLL)
    .toMatch(new RegExp(`^its account ${VAULT} differs from that of rpc .* and the stream$`));
  await expect.poll(() => kindsInDoubt(api), LONG_POLL).toEqual([]);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  await expectUsedAgain(api, { golden, faulty });
});

test('an endpoint that returns old bytes at new slots is set aside', async () => {
  const { golden, faulty, serve } = await setUp(2);
  const { api } = await serve();
  faulty.setFault(alterAccounts(staleAccounts(golden)));
  await waitForServedSlot(api, await setVaultFee(golden, 802));
  await expect.poll(() => reasonOf(api), LONG_POLL).toMatch(/^its account \w+ differs from/);
  expect((await statusOf(api)).endpoints).toMatchObject([{ healthy: false }, { healthy: true }]);
  await expectUsedAgain(api, { golden, faulty });
});

test('what a wrong endpoint has put into the first load is put right by the others', async () => {
  const { golden, faulty, serve } = await setUp(3);
  faulty.setFault(alterAccounts(ofVaults((account) => withFee(account, 9_999n))));
  const { api, cluster } = await serve();
  await expect.poll(() => reasonOf(api), LONG_POLL).toMatch(/differs from that of the other/);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  await expect.poll(() => kindsInDoubt(api), LONG_POLL).toEqual([]);
  expect((await statusOf(api)).source.step).toBe('websocket');
});

test('if nobody decides between two endpoints, the kind is in doubt until they agree', async () => {
  const { golden, faulty, serve } = await setUp(2);
  const { api, cluster } = await serve();
  // nothing was streamed of this vault
  faulty.setFault(alterAccounts((account, at) => (at === VAULT ? withFee(account, 1n) : account)));
  await expect
    .poll(async () => (await api.get(VAULT_PATH)).headers.get('x-unproven'), LONG_POLL)
    .toMatch(
      /^vault;code=sourcesDiffer;since=\d+;detail="the endpoints return different accounts of/,
    );
  expect((await statusOf(api)).endpoints).toMatchObject([{ healthy: true }, { healthy: true }]);
  expect(await reasonOf(api)).toMatch(/no other source decides$/);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  faulty.setFault({});
  await expect.poll(() => kindsInDoubt(api), LONG_POLL).toEqual([]);
  expect((await api.get(VAULT_PATH)).headers.get('x-unproven')).toBeNull();
});

test('a single endpoint that contradicts the stream and then itself changes nothing', async () => {
  const { golden, faulty, serve } = await setUp(1);
  const { api, cluster } = await serve();
  await waitForServedSlot(api, await setVaultFee(golden, 803));
  let reads = 0;
  // the read that finds it and the one that follows are wrong, the next two are right
  const isWrong = (address: string) => address === VAULT && ++reads % 4 < 2;
  faulty.setFault(
    alterAccounts((account, at) => (isWrong(at) ? withFee(account, BigInt(reads)) : account)),
  );
  await expect.poll(() => reasonOf(api), LONG_POLL).toMatch(/^its account/);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  expect((await statusOf(api)).source.step).toBe('websocket');
});

test.each([
  ['two endpoints', 2],
  ['one endpoint', 1],
] as const)(
  'with %s, a read after a gap that contradicts the stream is not believed alone',
  async (_, endpoints) => {
    const { golden, faulty, serve, useForScans } = await setUp(endpoints);
    await useForScans();
    const { api } = await serve();
    await waitForServedSlot(api, await setVaultFee(golden, 804));
    const wrongScans = alterAccounts((account, at) =>
      at === VAULT ? withFee(account, 1n) : account,
    );
    faulty.setFault({
      ...wrongScans,
      alterResult: (call, result) =>
        call.method === 'getProgramAccounts' ? wrongScans.alterResult?.(call, result) : result,
    });
    await golden.result('tidegate_dropWebSockets');
    await expect
      .poll(() => reasonOf(api), LONG_POLL)
      .toMatch(/^its accounts after a gap contradict/);
    const { body } = await api.get(VAULT_PATH);
    expect(body).toMatchObject({ state: { performanceFeeBps: 804 } });
    faulty.setFault({});
    await waitForServedSlot(api, await setVaultFee(golden, 805));
    await waitUntilReady(api);
    expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 805 } });
  },
);
