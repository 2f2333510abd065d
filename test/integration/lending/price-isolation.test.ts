import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import { type Reserve, reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { UNKNOWN_ADDRESS } from '../../support/golden/golden-accounts.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import { goldenWithAccounts } from '../../support/golden/golden-variants.ts';
import { startApi } from '../../support/http/test-api.ts';
import { assertAsyncProperty } from '../../support/properties/assert-property.ts';

const MAIN = goldenMarket('Main Market').address;
const JLP_USDC = goldenReserve('JLP Market', 'USDC').address;
const MAIN_SOL = goldenReserve('Main Market', 'SOL').address;
const MAIN_USDC = goldenReserve('Main Market', 'USDC').address;
const STEADY = goldenVault('Steady USDC').address;

/** Lists the main market only, so the other one is a stranger's. */
const registry = createRegistry({
  ...emptyRegistry,
  markets: [
    {
      address: MAIN,
      programId: KLEND_PROGRAM,
      name: 'Main Market',
      description: '',
      isPrimary: true,
      isCurated: false,
      lookupTable: goldenMarket('Main Market').lookupTable,
    },
  ],
});

function rawAccount(address: Address): RawAccount {
  const account = goldenCluster().accounts.get(address);
  if (account === undefined) throw new Error(`no golden account ${address}`);
  return account;
}

function editReserve(address: Address, edit: (fields: Reserve) => Reserve): [Address, RawAccount] {
  const { owner, data } = rawAccount(address);
  const before = reserve.decode({ owner, data });
  return [address, { owner, data: reserve.encodeChange(data, { before, after: edit(before) }) }];
}

/** Without a price feed, at a stored price of any age. */
const withStoredPrice = (address: Address, bits: bigint, age: bigint) =>
  editReserve(address, ({ config, liquidity, ...rest }) => {
    const { tokenInfo } = config;
    const scopeConfiguration = { ...tokenInfo.scopeConfiguration, priceFeed: address };
    const { unix } = goldenCluster().at;
    return {
      ...rest,
      config: { ...config, tokenInfo: { ...tokenInfo, scopeConfiguration } },
      liquidity: {
        ...liquidity,
        marketPriceSf: bits as typeof liquidity.marketPriceSf,
        marketPriceLastUpdatedTs: toUnixSeconds(unix - age),
      },
    };
  });

const serve = (changes: Iterable<readonly [Address, RawAccount]>, listed = emptyRegistry) =>
  startApi({
    clusters: goldenClusters({
      reader: goldenReader(goldenWithAccounts(changes)),
      registry: listed,
    }),
  });

test('property: a market that is not listed changes no price and no vault value', async () => {
  const paths = ['/oracles/prices', '/kvaults/vaults/metrics'];
  const honest = await serve([], registry);
  const expected = await Promise.all(paths.map(async (path) => (await honest.get(path)).body));
  const price = fc.bigInt({ min: 0n, max: 2n ** 100n });
  await assertAsyncProperty(
    fc.asyncProperty(price, fc.bigInt({ min: -100n, max: 5000n }), async (bits, age) => {
      const hostile = await serve([withStoredPrice(JLP_USDC, bits, age)], registry);
      const bodies = await Promise.all(paths.map(async (path) => (await hostile.get(path)).body));
      await hostile.app.close();
      expect(bodies).toEqual(expected);
    }),
    5,
  );
});

test('a vault whose token only an unlisted market prices has no metrics', async () => {
  const other = createRegistry({
    ...registry,
    markets: registry.markets.map((market) => ({ ...market, address: UNKNOWN_ADDRESS })),
  });
  const { get } = await serve([], other);
  const sol = goldenVault('SOL Earn').address;
  const { status, body } = await get(`/kvaults/vaults/${sol}/metrics`);
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'PRICE_UNAVAILABLE' });
  const list = await get('/kvaults/vaults/metrics');
  expect(list.headers.get('x-omitted')).toContain(`${sol};reason="`);
});

test('an old price marks what it values, also in the response cache and in /status', async () => {
  const { get } = await serve([withStoredPrice(MAIN_SOL, 150n << 60n, 86_400n)], registry);
  const mint = reserve.decode(rawAccount(MAIN_SOL)).liquidity.mintPubkey;
  for (const path of [
    `/svc-market/${MAIN}/reserves/metrics`,
    `/kvaults/vaults/${STEADY}/metrics`,
    '/oracles/prices',
  ]) {
    for (let i = 0; i < 2; i++) {
      const header = (await get(path)).headers.get('x-stale-prices');
      expect(header, path).toContain(`${mint};age=86400`);
    }
  }
  const { body } = await get('/status');
  expect(body).toMatchObject({
    clusters: [
      {
        stalePrices: expect.arrayContaining([
          expect.objectContaining({
            mint,
            reserve: MAIN_SOL,
            source: 'stored',
            ageSeconds: 86_400,
          }),
        ]),
      },
    ],
  });
});

/** A copy with another `version`, which this release does not know. */
function withVersion(address: Address, version: number): [Address, RawAccount] {
  const { owner, data } = rawAccount(address);
  const copy = data.slice();
  copy[reserve.offsets.version] = version;
  return [address, { owner, data: copy }];
}

test('a reserve of an unknown version is named where it is missing, and its loans say why', async () => {
  const { get } = await serve([withVersion(MAIN_USDC, 9)]);
  const reason = 'version 9, which this release does not know';
  const metrics = await get(`/svc-market/${MAIN}/reserves/metrics`);
  expect((metrics.body as unknown[]).length).toBe(5);
  expect(metrics.headers.get('x-omitted')).toMatch(new RegExp(`^${MAIN_USDC};reason=".*${reason}`));
  const raw = await get(`/svc-market/reserves/account-data?markets=${MAIN}`);
  expect(raw.headers.get('x-omitted')).toContain(MAIN_USDC);
  expect(await get(`/kvaults/vaults/${STEADY}/metrics`)).toMatchObject({
    status: 503,
    body: { code: 'ACCOUNT_UNREADABLE', error: expect.stringContaining(reason) },
  });
  expect((await get('/status')).body).toMatchObject({
    clusters: [
      {
        unreadableAccounts: [
          { address: MAIN_USDC, owner: KLEND_PROGRAM, kind: 'reserve', size: 8624, version: '9' },
        ],
      },
    ],
  });
  const text = await (
    await fetch(`${(await serve([withVersion(MAIN_USDC, 9)])).url}/metrics`)
  ).text();
  expect(text).toContain('\ntidegate_unreadable_accounts 1\n');
});

async function postDeposit(url: string) {
  const response = await fetch(`${url}/ktx/klend/deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      wallet: goldenUser('treasury').address,
      market: MAIN,
      reserve: MAIN_USDC,
      amount: '1',
    }),
  });
  return { status: response.status, body: await response.json() };
}

test('a builder refuses a reserve that cannot be read', async () => {
  const { url } = await serve([withVersion(MAIN_USDC, 9)]);
  expect(await postDeposit(url)).toMatchObject({
    status: 503,
    body: { code: 'ACCOUNT_UNREADABLE' },
  });
});

/** A price feed whose entries have 40 decimals, which overflow in the lending program. */
function overflowingFeed(): [Address, RawAccount] {
  const address = goldenReserve('Main Market', 'USDC').scopeFeed;
  const { owner, data } = rawAccount(address);
  const before = oraclePrices.decode({ owner, data });
  const prices = before.prices.map((entry) => ({ ...entry, price: { value: 1n, exp: 40n } }));
  const after = { ...before, prices };
  return [address, { owner, data: oraclePrices.encodeChange(data, { before, after }) }];
}

test('no current-state operation fails with 500 if no price can be computed', async () => {
  const { get, url } = await serve([overflowingFeed()]);
  expect(await postDeposit(url)).toMatchObject({
    status: 503,
    body: { code: 'PRICE_UNAVAILABLE' },
  });
  const owner = goldenUser('treasury').address;
  const paths = [
    `/svc-market/${MAIN}/reserves/metrics`,
    `/svc-market/${MAIN}/leverage/metrics`,
    `/svc-market/${MAIN}/users/${owner}/obligations`,
    `/portfolio/${owner}`,
    '/oracles/prices',
    '/oracles/prices?markets=all',
    '/kvaults/vaults/metrics',
  ];
  for (const path of paths) {
    const { status, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('x-omitted'), path).toMatch(/;reason="/);
  }
  for (const path of [
    `/klend/loans/${goldenLoan('treasury')}`,
    `/kvaults/vaults/${STEADY}/metrics`,
    `/kvaults/vaults/${STEADY}/allocations`,
  ]) {
    expect(await get(path), path).toMatchObject({
      status: 503,
      body: { code: 'PRICE_UNAVAILABLE', error: expect.stringContaining('40 decimals') },
    });
  }
});

test('a farm that cannot be decoded is not taken for one without stakes', async () => {
  const { address: vault, farm } = goldenVault('Steady USDC');
  const { owner, data } = rawAccount(farm);
  const { get } = await serve([[farm, { owner, data: data.slice(0, -1) }]]);
  const wallet = goldenUser('erin').address;
  const error = { status: 503, body: { code: 'ACCOUNT_UNREADABLE' } };
  expect(await get(`/kvaults/users/${wallet}/positions/${vault}`)).toMatchObject(error);
  expect(await get(`/kvaults/vaults/${vault}/metrics`)).toMatchObject(error);
  const positions = await get(`/kvaults/users/${wallet}/positions`);
  expect(positions.headers.get('x-omitted')).toContain(`${vault};reason="`);
  const metrics = await get('/kvaults/vaults/metrics');
  expect(metrics.headers.get('x-omitted')).toContain(`${vault};reason="`);
});

test('a loan whose market does not exist answers with the reason', async () => {
  const loan = goldenLoan('treasury');
  const { at, accounts } = goldenCluster();
  const reader = goldenReader({
    at,
    accounts: new Map([...accounts].filter(([key]) => key !== MAIN)),
  });
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  expect(await get(`/klend/loans/${loan}`)).toMatchObject({
    status: 503,
    body: { code: 'ACCOUNT_UNREADABLE', error: expect.stringContaining(MAIN) },
  });
});
