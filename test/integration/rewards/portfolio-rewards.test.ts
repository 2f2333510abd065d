import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { globalConfig } from '#core/protocol/farms/layout/global-config.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { goldenFlow } from '../../support/golden/golden.ts';
import { goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenAtFlow } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi } from '../../support/http/test-api.ts';
import { goldenReference } from '../../support/reference/golden-reference.ts';
import { referenceEncode } from '../../support/reference/reference-base58.ts';

const reference = goldenReference();
const ERIN = goldenUser('erin').address;

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

/** Amount that a claim paid to the owner, in whole tokens of 6 decimals. */
function paidAmount(fileName: string, mint: Address, owner: Address): string {
  const { before, after } = goldenFlow(fileName);
  const amountOf = (account: { data: Uint8Array } | undefined) =>
    account === undefined ? 0n : new DataView(account.data.slice().buffer).getBigUint64(64, true);
  const gains = [...after].flatMap(([address, account]) => {
    if (account === undefined || account.data.length !== 165) return [];
    const [mintBytes, ownerBytes] = [account.data.subarray(0, 32), account.data.subarray(32, 64)];
    const isPaid = referenceEncode(mintBytes) === mint && referenceEncode(ownerBytes) === owner;
    return isPaid ? [amountOf(account) - amountOf(before.get(address))] : [];
  });
  return String(Number(gains[0]) / 1e6);
}

test.each([
  ['50-claim-vault-farm-rewards.json', 'Lend'],
  ['51-claim-collateral-farm-rewards.json', 'Borrow Markets'],
  ['52-claim-debt-farm-rewards.json', 'Borrow Markets'],
])(
  'getPortfolioPendingRewards before %s equals the amount that the claim paid',
  async (name, positionType) => {
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
    expect(reward.amount).toBe(paidAmount(name, toAddress(reward.mint), user.owner));
    expect(Number(reward.amount)).toBeGreaterThan(0);
    expect([entry.positionType, reward.index, reward.type]).toEqual([positionType, 0, 0]);
  },
);

test('getPortfolioPendingRewards takes positionType from the loan', async () => {
  const owner = goldenUser('carol').address;
  const { get } = await goldenApi();
  const { farms } = (await get(`/portfolio/${owner}/rewards`)).body as Rewards;
  const types = farms.map(({ delegatee, positionType }) => [
    reference.obligations.get(toAddress(delegatee))?.tag,
    positionType,
  ]);
  expect(types.length).toBe(3);
  const expected = new Map([
    [0n, 'Borrow Markets'],
    [3n, 'Leverage'],
  ]);
  for (const [tag, type] of types) expect(type).toBe(expected.get(BigInt(tag ?? 9n)));
});

test('getPortfolioPendingRewards deducts the treasury fee', async () => {
  const whale = goldenUser('whale').address;
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

test('getPortfolioPendingRewards filters by reward type and lists farms without a config under partialErrors', async () => {
  const whale = goldenUser('whale').address;
  const { get } = await goldenApi();
  const all = (await get(`/portfolio/${whale}/rewards`)).body as Rewards;
  expect(all.farms.length).toBeGreaterThan(1);
  expect(all.partialErrors).toBeUndefined();
  const perStake = (await get(`/portfolio/${whale}/rewards?rewardTypes=1`)).body as Rewards;
  expect(perStake.farms.map(({ rewards }) => rewards)).toEqual(all.farms.map(() => []));
  const reader = { ...goldenReader(), farmsConfig: () => undefined };
  const withoutConfig = await startApi({ clusters: goldenClusters({ reader }) });
  const { farms, partialErrors } = (await withoutConfig.get(`/portfolio/${whale}/rewards`))
    .body as Rewards;
  expect(farms).toEqual([]);
  expect(partialErrors?.rewardMetadata?.sort()).toEqual(all.farms.map(({ farm }) => farm).sort());
});

test.each([
  ['/portfolio/abc/rewards', 'pubkey'],
  [`/portfolio/${ERIN}/rewards?rewardTypes=a`, 'rewardTypes'],
  [`/portfolio/${ERIN}/rewards?rewardTypes=1,`, 'rewardTypes'],
])('%s returns 400', async (path, name) => {
  const { get } = await goldenApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ path: [name] }] });
});
