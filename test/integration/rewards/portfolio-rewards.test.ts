import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenAtFlow } from '../../support/golden/golden-variants.ts';
import { startApi } from '../../support/http/test-api.ts';
import { goldenReference } from '../../support/reference/golden-reference.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const book = goldenReference();
const ERIN = '743cEQh8LGUhPKHiCYZxRrhaRyACzZDJbp3DB3LUgYs6';

type Rewards = {
  farms: {
    farm: string;
    delegatee: string;
    positionType: string;
    vault?: string;
    tokenMints: string[];
    rewards: { mint: string; amount: string; index: number; type: number }[];
  }[];
  partialErrors?: { rewardMetadata?: string[] };
};

/** The token account of `mint` that a claim has filled, in whole tokens of 6 decimals. */
function paidIn(fileName: string, mint: Address, owner: Address): string {
  const { before, after } = goldenFlow(fileName);
  const amountOf = (account: { data: Uint8Array } | undefined) =>
    account === undefined ? 0n : new DataView(account.data.slice().buffer).getBigUint64(64, true);
  const gains = [...after].flatMap(([address, account]) => {
    if (account === undefined || account.data.length !== 165) return [];
    const [ofMint, ofOwner] = [account.data.subarray(0, 32), account.data.subarray(32, 64)];
    const isTheirs = referenceEncode(ofMint) === mint && referenceEncode(ofOwner) === owner;
    return isTheirs ? [amountOf(account) - amountOf(before.get(address))] : [];
  });
  return String(Number(gains[0]) / 1e6);
}

test.each([
  ['50-claim-vault-farm-rewards.json', 'Lend'],
  ['51-claim-collateral-farm-rewards.json', 'Borrow Markets'],
  ['52-claim-debt-farm-rewards.json', 'Borrow Markets'],
])('getPortfolioPendingRewards: before %s it is what the claim paid out', async (name, kind) => {
  const flow = goldenFlow(name);
  const [user] = [...flow.before.values()].flatMap((account) =>
    account && userState.matches(account) ? userState.decode(account) : [],
  );
  if (user === undefined) throw new Error('no user');
  const reader = goldenReader(goldenAtFlow(name, 'before'));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { farms } = (await get(`/portfolio/${user.owner}/rewards`)).body as Rewards;
  const entry = farms.find(({ farm }) => farm === user.farmState);
  const [reward] = entry?.rewards ?? [];
  if (entry === undefined || reward === undefined) throw new Error('no reward');
  expect(reward.amount).toBe(paidIn(name, toAddress(reward.mint), user.owner));
  expect(Number(reward.amount)).toBeGreaterThan(0);
  expect([entry.positionType, reward.index, reward.type]).toEqual([kind, 0, 0]);
});

test('getPortfolioPendingRewards: the kind of a position is that of its loan', async () => {
  const owner = toAddress('7hqemgLRwEaPAdRFkWEdKvWctzQwgGehcxbQkKyX3aL4');
  const { get } = await startApi();
  const { farms } = (await get(`/portfolio/${owner}/rewards`)).body as Rewards;
  const kinds = farms.map(({ delegatee, positionType }) => [
    book.obligations.get(toAddress(delegatee))?.tag,
    positionType,
  ]);
  expect(kinds.length).toBe(3);
  const expected = new Map([
    [0n, 'Borrow Markets'],
    [3n, 'Leverage'],
  ]);
  for (const [tag, kind] of kinds) expect(kind).toBe(expected.get(BigInt(tag ?? 9n)));
});

test('getPortfolioPendingRewards: what the treasury takes of a claim is not the wallet’s', async () => {
  const whale = toAddress('2RHnryQ4WckbEbpRsoMDnAucpwJDMPZEqFkrUXptbE4w');
  const rewardsWith = async (treasuryFeeBps: bigint) => {
    const config = globalConfig.body.decode(new DataView(new ArrayBuffer(globalConfig.size)), 0);
    const reader = { ...goldenReader(), farmsConfig: () => ({ ...config, treasuryFeeBps }) };
    const { get } = await startApi({ clusters: goldenClusters({ reader }) });
    const { farms } = (await get(`/portfolio/${whale}/rewards`)).body as Rewards;
    return farms.map(({ rewards }) => Math.round(Number(rewards[0]?.amount) * 1e6));
  };
  const all = await rewardsWith(0n);
  expect(all.every((amount) => amount > 1000)).toBe(true);
  const expected = all.map((amount) => amount - Math.floor((amount * 1500) / 10_000));
  expect(await rewardsWith(1500n)).toEqual(expected);
});

test('getPortfolioPendingRewards: only the types asked for, and a farm without its config is a gap', async () => {
  const whale = toAddress('2RHnryQ4WckbEbpRsoMDnAucpwJDMPZEqFkrUXptbE4w');
  const { get } = await startApi();
  const all = (await get(`/portfolio/${whale}/rewards`)).body as Rewards;
  expect(all.farms.length).toBeGreaterThan(1);
  expect(all.partialErrors).toBeUndefined();
  const constant = (await get(`/portfolio/${whale}/rewards?rewardTypes=1`)).body as Rewards;
  expect(constant.farms.map(({ rewards }) => rewards)).toEqual(all.farms.map(() => []));
  const reader = { ...goldenReader(), farmsConfig: () => undefined };
  const blind = await startApi({ clusters: goldenClusters({ reader }) });
  const { farms, partialErrors } = (await blind.get(`/portfolio/${whale}/rewards`)).body as Rewards;
  expect(farms).toEqual([]);
  expect(partialErrors?.rewardMetadata?.sort()).toEqual(all.farms.map(({ farm }) => farm).sort());
});

test.each([
  ['/portfolio/abc/rewards', 'pubkey'],
  [`/portfolio/${ERIN}/rewards?rewardTypes=a`, 'rewardTypes'],
  [`/portfolio/${ERIN}/rewards?rewardTypes=1,`, 'rewardTypes'],
])('%s is refused as the caller’s mistake', async (path, name) => {
  const { get } = await startApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ path: [name] }] });
});
