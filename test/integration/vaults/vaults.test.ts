import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromBits } from '#core/base/numbers/scaled-fraction.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { goldenCluster, readGolden } from '../../support/golden/golden.ts';
import { goldenMarket, goldenReserve, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { goldenApi, startApi, statusAndBody } from '../../support/http/test-api.ts';

const STEADY = goldenVault('Steady USDC').address;
const SOL_EARN = goldenVault('SOL Earn').address;
const UNKNOWN = 'GQTt7RfzXGxCRNsVYVRfGCBDgpR8xMRtsM7PAbWiZ1g6';
const MARKET = goldenMarket('Main Market').address;

type SdkVault = {
  address: string;
  name: string;
  tokensPerShare: string;
  sharePriceUsd: string;
  holdings: { available: string; invested: string };
  holdingsUsd: { availableUSD: string; investedUSD: string };
  theoreticalApy: { netAPY: string };
  actualApy: { netAPY: string };
  totalBorrowedAndInvested: { utilizationRatio: string };
  allocationPct: Record<string, string>;
  collaterals: Record<string, { reservesAsCollateral: { address: string }[] }>;
};

const { vaults: sdkVaults } = readGolden('expected.json') as { vaults: SdkVault[] };

/** The SDK overstates the interest since the last refresh by this ratio. */
const SDK_ERROR = 2e-8;

const relativeError = (ours: unknown, theirs: string | undefined): number =>
  Math.abs(Number(ours) / Number(theirs) - 1);

test.each(sdkVaults)('getVaultMetrics of $name equals the SDK', async (sdk) => {
  const { get } = await goldenApi();
  const metrics = (await get(`/kvaults/vaults/${sdk.address}/metrics`)).body as Record<
    string,
    string
  >;
  expect(relativeError(metrics['tokensPerShare'], sdk.tokensPerShare)).toBeLessThan(SDK_ERROR);
  expect(relativeError(metrics['sharePrice'], sdk.sharePriceUsd)).toBeLessThan(SDK_ERROR);
  expect(relativeError(metrics['tokensAvailable'], sdk.holdings.available)).toBeLessThan(1e-12);
  expect(relativeError(metrics['tokensInvested'], sdk.holdings.invested)).toBeLessThan(SDK_ERROR);
  expect(relativeError(metrics['tokensAvailableUsd'], sdk.holdingsUsd.availableUSD)).toBeLessThan(
    1e-12,
  );
  expect(relativeError(metrics['tokensInvestedUsd'], sdk.holdingsUsd.investedUSD)).toBeLessThan(
    SDK_ERROR,
  );
  const absoluteError = (ours: string | undefined, theirs: string) =>
    Math.abs(Number(ours) - Number(theirs));
  expect(absoluteError(metrics['apyTheoretical'], sdk.theoreticalApy.netAPY)).toBeLessThan(
    SDK_ERROR,
  );
  expect(absoluteError(metrics['apyActual'], sdk.actualApy.netAPY)).toBeLessThan(SDK_ERROR);
});

test.each(sdkVaults)('getVaultAllocations of $name equals the SDK', async (sdk) => {
  const { get } = await goldenApi();
  const body = (await get(`/kvaults/vaults/${sdk.address}/allocations`)).body as {
    utilizationRatio: string;
    allocations: { reserve: string; targetWeightPct: string; collateral: { reserve: string }[] }[];
  };
  const theirs = sdk.totalBorrowedAndInvested.utilizationRatio;
  expect(relativeError(body.utilizationRatio, theirs)).toBeLessThan(SDK_ERROR);
  for (const { reserve, targetWeightPct, collateral } of body.allocations) {
    expect(targetWeightPct).toBe(sdk.allocationPct[reserve]);
    const expected = sdk.collaterals[reserve]?.reservesAsCollateral.map(({ address }) => address);
    expect(collateral.map((token) => token.reserve)).toEqual(expected?.sort());
  }
});

test('listVaults returns the vaults of getVault, oldest first', async () => {
  const { get } = await goldenApi();
  const list = (await get('/kvaults/vaults')).body as { address: string }[];
  expect(list.map(({ address }) => address)).toEqual([STEADY, SOL_EARN]);
  for (const vault of list) {
    expect((await get(`/kvaults/vaults/${vault.address}`)).body).toEqual(vault);
  }
});

test('getVault returns the account without unused allocation slots and with exact fractions', async () => {
  const stored = vaultState.decode(requireAccount(STEADY));
  const [first, second, ...unused] = stored.vaultAllocationStrategy;
  if (first === undefined || second === undefined) throw new Error('no allocation');
  const changed = {
    ...stored,
    prevAumSf: sfFromBits(stored.prevAumSf + 1n),
    vaultAllocationStrategy: [
      ...unused.slice(0, 1),
      { ...first, tokenTargetAllocationSf: sfFromBits(3n << 59n) },
      ...unused.slice(1),
      second,
    ],
  };
  const raw = { owner: requireAccount(STEADY).owner, data: vaultState.encode(changed) };
  const reader = goldenReader(goldenWithAccounts([[STEADY, raw]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const { body } = await get(`/kvaults/vaults/${STEADY}`);
  expect(body).toEqual({
    address: STEADY,
    programId: 'KvauGMspG5k6rtzrqqn7WNn3oZdyKqLKwK2XWQ8FLjd',
    state: expect.objectContaining({
      name: 'Steady USDC',
      tokenMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      tokenMintDecimals: 6,
      tokenAvailable: '72000000000',
      sharesIssued: '720000000000',
      performanceFeeBps: 1000,
      managementFeeBps: 100,
      lastFeeChargeTimestamp: 1760000076,
      creationTimestamp: 1760000072,
      minInvestDelaySlots: 150,
      prevAum: '720000000000.000000000000000000867361737988403547205962240695953369140625', // 2^-60
      vaultAllocationStrategy: [
        expect.objectContaining({
          reserve: goldenReserve('Main Market', 'USDC').address,
          targetAllocationWeight: 60,
          tokenAllocationCap: '100000000000000',
          ctokenAllocation: '395999985830',
          lastInvestSlot: '372000193',
          tokenTargetAllocation: '1.5',
        }),
        expect.objectContaining({ targetAllocationWeight: 40, tokenTargetAllocation: '0' }),
      ],
    }),
  });
});

test.each([
  [`/kvaults/vaults/${UNKNOWN}`, { metadata: `There is no vault ${UNKNOWN}. Check the address.` }],
  [`/kvaults/vaults/${MARKET}`, { metadata: `There is no vault ${MARKET}. Check the address.` }],
  [
    `/kvaults/vaults/${UNKNOWN}/metrics`,
    { error: `There is no vault ${UNKNOWN}. Check the address.` },
  ],
  [
    `/kvaults/vaults/${MARKET}/allocations`,
    { error: `There is no vault ${MARKET}. Check the address.` },
  ],
])('%s returns 404', async (path, body) => {
  const { get } = await goldenApi();
  expect(statusAndBody(await get(path))).toEqual({ status: 404, body });
});

test('with strict statuses, metrics of an unknown vault return 500', async () => {
  const { get } = await startApi({ strictStatuses: true });
  expect((await get(`/kvaults/vaults/${UNKNOWN}/metrics`)).status).toBe(500);
});

test.each([
  ['/kvaults/vaults/abc', 'path', 'pubkey'],
  ['/kvaults/vaults/0/metrics', 'path', 'pubkey'],
  [`/kvaults/vaults/${'z'.repeat(44)}/allocations`, 'path', 'pubkey'],
  ['/kvaults/vaults/metrics?limit=0', 'query', 'limit'],
  ['/kvaults/vaults/metrics?limit=101', 'query', 'limit'],
  ['/kvaults/vaults/metrics?limit=1&limit=2', 'query', 'limit'],
  ['/kvaults/vaults/metrics?paginationToken=', 'query', 'paginationToken'],
  ['/kvaults/vaults/metrics?paginationToken=next', 'query', 'paginationToken'],
  [`/kvaults/vaults/metrics?paginationToken=-1-${STEADY}`, 'query', 'paginationToken'],
])('%s returns 400', async (path, part, name) => {
  const { get } = await goldenApi();
  const { status, body } = await get(path);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: `Invalid ${part} params`, details: [{ path: [name] }] });
});

type Page = { result: { kvault: string }[]; paginationToken: string | null };

test('the pages of listVaultMetrics have each vault once, with the metrics of getVaultMetrics', async () => {
  const { get } = await goldenApi();
  const first = (await get('/kvaults/vaults/metrics?limit=1')).body as Page;
  expect(first.paginationToken).toEqual(expect.any(String));
  const next = `/kvaults/vaults/metrics?limit=1&paginationToken=${first.paginationToken}`;
  const second = (await get(next)).body as Page;
  expect(second.paginationToken).toBeNull();
  const all = (await get('/kvaults/vaults/metrics')).body as Page;
  expect(all).toEqual({ result: [...first.result, ...second.result], paginationToken: null });
  expect(all.result.map(({ kvault }) => kvault)).toEqual([STEADY, SOL_EARN]);
  for (const { kvault, ...metrics } of all.result) {
    expect((await get(`/kvaults/vaults/${kvault}/metrics`)).body).toEqual(metrics);
  }
});

test('a vault with an unknown reserve has no metrics and does not affect other vaults', async () => {
  const [allocation] = vaultState.decode(requireAccount(STEADY)).vaultAllocationStrategy;
  if (allocation === undefined) throw new Error('no allocation');
  const reader = goldenReader(goldenWithAccounts([[allocation.reserve, undefined]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  expect(await get(`/kvaults/vaults/${STEADY}/metrics`)).toMatchObject({
    status: 503,
    body: { code: 'ACCOUNT_UNREADABLE', error: expect.stringContaining(allocation.reserve) },
  });
  const list = await get('/kvaults/vaults/metrics');
  expect(list.headers.get('x-omitted')).toContain(`${STEADY};reason="`);
  const { result } = list.body as Page;
  expect(result.map(({ kvault }) => kvault)).toEqual([SOL_EARN]);
  expect((await get(`/kvaults/vaults/${STEADY}`)).status).toBe(200);
});

test('metrics of an empty vault are zero', async () => {
  const stored = vaultState.decode(requireAccount(SOL_EARN));
  const empty = vaultState.encode({
    ...stored,
    sharesIssued: 0n,
    tokenAvailable: toLamports(0n),
    vaultAllocationStrategy: stored.vaultAllocationStrategy.map((allocation) => ({
      ...allocation,
      ctokenAllocation: 0n,
    })),
  });
  const raw = { owner: requireAccount(SOL_EARN).owner, data: empty };
  const reader = goldenReader(goldenWithAccounts([[SOL_EARN, raw]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  expect((await get(`/kvaults/vaults/${SOL_EARN}/metrics`)).body).toMatchObject({
    tokensPerShare: '0',
    sharePrice: '0',
    apyActual: '0',
    apy24h: '0',
    sharesIssued: '0',
    interestEarnedPerSecond: '0',
    interestEarnedPerSecondSol: '0',
    apyReservesIncentives: '0',
  });
  expect((await get(`/kvaults/vaults/${SOL_EARN}/allocations`)).body).toMatchObject({
    utilizationRatio: '0',
    unallocated: { tokenAmount: '0', usd: '0', pct: '0' },
  });
});

test('shares are worth zero if the pending fees exceed the holdings', async () => {
  const stored = vaultState.decode(requireAccount(STEADY));
  const fees = sfFromBits(1n << 120n);
  const raw = {
    owner: requireAccount(STEADY).owner,
    data: vaultState.encode({ ...stored, pendingFeesSf: fees }),
  };
  const reader = goldenReader(goldenWithAccounts([[STEADY, raw]]));
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  expect((await get(`/kvaults/vaults/${STEADY}/metrics`)).body).toMatchObject({
    tokensPerShare: '0',
    apy365d: '0',
    tokensAvailable: '72000',
  });
});

test('the legacy path of vault metrics works', async () => {
  const { get } = await goldenApi();
  const { body } = await get(`/kvaults/${STEADY}/metrics`);
  expect(body).toEqual((await get(`/kvaults/vaults/${STEADY}/metrics`)).body);
});

function requireAccount(address: typeof STEADY) {
  const account = goldenCluster().accounts.get(address);
  if (account === undefined) throw new Error(`${address} is missing`);
  return account;
}
