import { expect, test } from 'vitest';
import { type Address, addressFromBytes } from '#core/base/encoding/address.ts';
import { encodeBase64 } from '#core/base/encoding/base64.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { differingAccounts } from '../../support/clusters/differing-accounts.ts';
import { type NodeFault, startFaultyNode } from '../../support/clusters/faulty-node.ts';
import { checkResponses } from '../../support/clusters/response-checker.ts';
import {
  LONG_POLL,
  type ServedOptions,
  serveCluster,
  setAccountValue,
  setVaultFee,
  VAULT_PATH,
  waitForServedSlot,
  waitUntilReady,
} from '../../support/clusters/served-cluster.ts';
import { withBytes } from '../../support/clusters/wrong-accounts.ts';
import { goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import {
  type GoldenLocalnet,
  startGoldenLocalnet,
} from '../../support/localnet/golden-localnet.ts';

const VAULT = goldenVault('Steady USDC').address;
const MB = 1_000_000;

/** So that a test can change the bytes of accounts. */
const uncompressed: NodeFault = {
  alterRequest: (text) => text.replaceAll('base64+zstd', 'base64'),
};

async function setUp(options: ServedOptions = {}) {
  const golden = await startGoldenLocalnet();
  const node = await startFaultyNode(golden);
  node.setFault(uncompressed);
  const served = await serveCluster(golden, { nodes: [node], ...options });
  await waitUntilReady(served.api);
  return { golden, node, ...served };
}

async function expectFee(api: RunningApi, golden: GoldenLocalnet, fee: number): Promise<void> {
  await waitForServedSlot(api, await setVaultFee(golden, fee));
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: fee } });
}

async function malformedAccounts({ get }: RunningApi): Promise<string | undefined> {
  const { clusters } = (await get('/status')).body as {
    clusters: { alarms: { kind: string; reason: string }[] }[];
  };
  return clusters[0]?.alarms.find(({ kind }) => kind === 'malformed-accounts')?.reason;
}

test('responses that are reset in their middle cause no wrong answer', async () => {
  const { golden, node, api } = await setUp();
  const checker = await checkResponses(api, golden);
  let calls = 0;
  node.setFault({ ...uncompressed, resets: () => ++calls % 2 === 0 });
  // everything is read again
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(() => calls, LONG_POLL).toBeGreaterThan(20);
  node.setFault(uncompressed);
  await expectFee(api, golden, 811);
  expect(await checker.stop()).toEqual([]);
});

test('responses and notifications of 50 MB are read', async () => {
  const { golden, node, api } = await setUp();
  const large = { responses: 0, notifications: 0 };
  node.setFault({
    ...uncompressed,
    padding: ({ method }) => {
      if (method !== 'getProgramAccounts' || large.responses > 1) return 0;
      large.responses += 1;
      return 50 * MB;
    },
    alterNotification: (text) => {
      if (!text.includes(VAULT) || large.notifications > 0) return text;
      large.notifications += 1;
      return ' '.repeat(50 * MB) + text;
    },
  });
  await expectFee(api, golden, 812);
  expect(large.notifications).toBe(1);
  await golden.result('tidegate_dropWebSockets');
  await expectFee(api, golden, 813);
  expect(large.responses).toBe(2);
});

test('an account with a wrong data length is rejected, over HTTP and WebSocket', async () => {
  const { golden, node, api } = await setUp();
  const before = (await api.get(VAULT_PATH)).body;
  // the size beside the data is right
  const cut = (text: string) =>
    text.includes(VAULT) ? text.replace(/"data":\["[A-Za-z0-9+/]{8}/, '"data":["') : text;
  node.setFault({ ...uncompressed, alterNotification: cut });
  await setVaultFee(golden, 814);
  await expect
    .poll(() => malformedAccounts(api), LONG_POLL)
    .toMatch(/has \d+ bytes instead of \d+/);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({
    state: { performanceFeeBps: expect.any(Number) },
  });
  expect(before).toMatchObject({ state: { performanceFeeBps: expect.any(Number) } });
  node.setFault({
    ...uncompressed,
    alterResult: ({ method }, result) =>
      method === 'getProgramAccounts' ? JSON.parse(cut(JSON.stringify(result))) : result,
  });
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(async () => (await api.get(VAULT_PATH)).status, LONG_POLL).toBe(200);
  node.setFault(uncompressed);
  await expectFee(api, golden, 815);
});

test('a stream that shortens an account does not change it, and its kind is in doubt until it is read', async () => {
  const drift = { programsMs: 150, usersMs: 60_000, recheckMs: 50 };
  const { golden, node, api, cluster } = await setUp({ drift });
  const shorten = (text: string) => {
    if (!text.includes(VAULT)) return text;
    const message = JSON.parse(text);
    const { value } = message.params.result;
    value.account = withBytes(value.account, (data) => data.subarray(0, 1_000));
    return JSON.stringify(message);
  };
  node.setFault({ ...uncompressed, alterNotification: shorten });
  const changedAt = await setVaultFee(golden, 816);
  await expect.poll(() => malformedAccounts(api), LONG_POLL).toMatch(/1000 bytes, .* too short$/);
  await waitForServedSlot(api, changedAt);
  expect((await api.get(VAULT_PATH)).status).toBe(200);
  node.setFault(uncompressed);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 816 } });
  await expect
    .poll(async () => (await api.get(VAULT_PATH)).headers.get('x-unproven'), LONG_POLL)
    .toBeNull();
});

test('an announced write that is never rooted is found, and what the cluster has is served', async () => {
  const drift = { programsMs: 150, usersMs: 60_000, recheckMs: 50 };
  const { golden, node, api, cluster } = await setUp({ drift });
  await expectFee(api, golden, 817);
  let forged = 0;
  const forge = (text: string) => {
    if (!text.includes(VAULT)) return text;
    forged += 1;
    const message = JSON.parse(text);
    const { value } = message.params.result;
    value.account = withBytes(value.account, (data) => {
      data.writeBigUInt64LE(9_999n, vaultState.offsets.performanceFeeBps);
      return data;
    });
    return JSON.stringify(message);
  };
  node.setFault({ ...uncompressed, alterNotification: forge });
  await setVaultFee(golden, 818);
  await expect.poll(() => forged, LONG_POLL).toBeGreaterThan(0);
  node.setFault(uncompressed);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  expect((await api.get(VAULT_PATH)).body).toMatchObject({ state: { performanceFeeBps: 818 } });
});

test('a burst of 100 times the usual number of updates leaves every account right', async () => {
  const { golden, api, cluster } = await setUp();
  const checker = await checkResponses(api, golden);
  const accounts = [...golden.localnet.bank.accounts()].flatMap(({ address, account }) =>
    reserve.matches(account) ? [{ address, offset: reserve.offsets.lastUpdate }] : [],
  );
  let changedAt = 0n;
  for (let round = 1n; round <= 100n; round++) {
    const changes = accounts.map((each) => setAccountValue(golden, { ...each, value: round }));
    for (const slot of await Promise.all(changes)) changedAt = slot;
  }
  await waitForServedSlot(api, changedAt);
  await expect.poll(() => differingAccounts(cluster, golden), LONG_POLL).toEqual([]);
  expect(await checker.stop()).toEqual([]);
});

const addressOf = (fill: number): Address => addressFromBytes(new Uint8Array(32).fill(fill));

/** Writes an account, without a transaction; returns the slot. */
async function setAccount(
  { localnet, result }: GoldenLocalnet,
  {
    from,
    to = from,
    change,
  }: { from: Address; to?: Address; change: (data: Buffer) => Uint8Array },
): Promise<bigint> {
  const account = localnet.bank.account(from);
  if (account === undefined) throw new Error(`no golden account ${from}`);
  const data = change(Buffer.from(account.data));
  const changed = {
    owner: account.owner,
    lamports: Number(account.lamports),
    data: [encodeBase64(data), 'base64'],
  };
  const { slot } = (await result('tidegate_setAccount', [to, changed])) as { slot: number };
  return BigInt(slot);
}

test('a market, a reserve and a vault that appear are served', async () => {
  const { golden, api } = await setUp();
  const { address: market } = goldenMarket('Main Market');
  const [newMarket, newReserve, newVault] = [addressOf(41), addressOf(42), addressOf(43)];
  const bank = [...golden.localnet.bank.accounts()];
  const found = bank.find(
    ({ account }) => reserve.matches(account) && reserve.decode(account).lendingMarket === market,
  );
  if (found === undefined) throw new Error('no golden reserve');
  const unchanged = (data: Buffer) => data;
  await setAccount(golden, { from: market, to: newMarket, change: unchanged });
  await setAccount(golden, {
    from: found.address,
    to: newReserve,
    change: (data) => {
      data.fill(41, reserve.offsets.lendingMarket, reserve.offsets.lendingMarket + 32);
      return data;
    },
  });
  const last = await setAccount(golden, { from: VAULT, to: newVault, change: unchanged });
  await waitForServedSlot(api, last);
  const markets = (await api.get('/v2/svc-market')).body;
  expect(JSON.stringify(markets)).toContain(newMarket);
  const reserves = await api.get(`/svc-market/${newMarket}/reserves/metrics`);
  expect([reserves.status, JSON.stringify(reserves.body)]).toEqual([
    200,
    expect.stringContaining(newReserve),
  ]);
  expect((await api.get(`/kvaults/vaults/${newVault}`)).status).toBe(200);
});

test('an account that grows is read on', async () => {
  const { golden, api } = await setUp();
  const grown = await setAccount(golden, {
    from: VAULT,
    change: (data) => Buffer.concat([data, Buffer.alloc(128)]),
  });
  await waitForServedSlot(api, grown);
  await expectFee(api, golden, 819);
  await golden.result('tidegate_dropWebSockets');
  await expectFee(api, golden, 820);
  expect(await malformedAccounts(api)).toBeUndefined();
});

test('a reserve that closes is gone after two reads, and nothing else', async () => {
  const { golden, api } = await setUp();
  const { address: market } = goldenMarket('Main Market');
  const path = `/svc-market/${market}/reserves/metrics`;
  const addressesIn = async () =>
    ((await api.get(path)).body as { reserve: string }[]).map((each) => each.reserve).sort();
  const before = await addressesIn();
  const [closed] = before;
  if (closed === undefined) throw new Error('no golden reserve');
  await golden.result('tidegate_setAccount', [closed, null]);
  expect(golden.localnet.bank.account(closed as Address)).toBeUndefined();
  // nodes do not announce it, so it is found when everything is read again
  await golden.result('tidegate_dropWebSockets');
  await expect.poll(addressesIn, LONG_POLL).toEqual(before.filter((each) => each !== closed));
});

test('nodes without block times serve accounts', async () => {
  const { golden, node, api } = await setUp();
  node.setFault({
    ...uncompressed,
    alterResult: ({ method }, result) => (method === 'getBlockTime' ? null : result),
  });
  await golden.result('tidegate_dropWebSockets');
  await expectFee(api, golden, 821);
});
