import { expect, test } from 'vitest';
import { type Address, toAddress, ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { createRegistry, emptyRegistry } from '#server/registry/registry.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
} from '../../support/golden/golden-addresses.ts';
import { goldenClusters, staticCluster } from '../../support/golden/golden-clusters.ts';
import { goldenReader } from '../../support/golden/golden-reader.ts';
import {
  goldenApi,
  type RunningApi,
  startApi,
  statusAndBody,
} from '../../support/http/test-api.ts';
import { MAIN_MARKET } from '../../support/reference/golden-reference.ts';

const JLP_MARKET = goldenMarket('JLP Market').address;
const KLEND = toAddress('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD');
const STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const SOL_RESERVE = goldenReserve('Main Market', 'SOL').address;
const LOAN = goldenLoan('treasury');
const OWNER = goldenUser('treasury').address;
const STRANGER = 'So11111111111111111111111111111111111111112';

const unlisted = (address: Address, name: string) => ({
  name,
  isPrimary: false,
  description: '',
  lendingMarket: address,
  lookupTable: ZERO_ADDRESS,
  isCurated: false,
});

const listing = {
  address: JLP_MARKET,
  programId: KLEND,
  name: 'A registered name',
  description: 'What it is for',
  isPrimary: true,
  isCurated: true,
  lookupTable: OWNER,
};

const registered = {
  name: 'A registered name',
  description: 'What it is for',
  isPrimary: true,
  isCurated: true,
  lendingMarket: JLP_MARKET,
  lookupTable: OWNER,
};

test('listMarkets: without a registry lists all markets of the program with the names in their accounts', async () => {
  const { get } = await goldenApi();
  const expected = [unlisted(JLP_MARKET, 'JLP Market'), unlisted(MAIN_MARKET, 'Main Market')];
  expect((await get('/v2/svc-market')).body).toEqual(expected);
  expect((await get(`/v2/svc-market?programId=${KLEND}`)).body).toEqual(expected);
  expect((await get(`/v2/svc-market?programId=${STAGING}`)).body).toEqual([]);
});

test('listMarkets: with a registry lists only registered markets, primary first', async () => {
  const main = { ...listing, address: MAIN_MARKET, name: 'A', isPrimary: false };
  const only = createRegistry({ ...emptyRegistry, markets: [listing] });
  const both = createRegistry({ ...emptyRegistry, markets: [main, listing] });
  const otherProgram = createRegistry({
    ...emptyRegistry,
    markets: [{ ...listing, address: OWNER, programId: STAGING }],
  });
  const listed = async (registry: typeof only) =>
    (await (await startApi({ clusters: goldenClusters({ registry }) })).get('/v2/svc-market')).body;
  expect(await listed(only)).toEqual([registered]);
  const [first, second] = (await listed(both)) as { lendingMarket: string }[];
  expect([first?.lendingMarket, second?.lendingMarket]).toEqual([JLP_MARKET, MAIN_MARKET]);
  expect(await listed(otherProgram)).toHaveLength(2);
});

test('getMarket: returns the registry entry, or the name in the account of an unlisted market', async () => {
  const registry = createRegistry({ ...emptyRegistry, markets: [listing] });
  const { get } = await startApi({ clusters: goldenClusters({ registry }) });
  expect((await get(`/v2/svc-market/${JLP_MARKET}`)).body).toEqual(registered);
  expect((await get(`/v2/svc-market/${MAIN_MARKET}/`)).body).toEqual(
    unlisted(MAIN_MARKET, 'Main Market'),
  );
});

test('getMarket: an address that is not a market of the program is 404 {error}, with strict statuses 500', async () => {
  const { get } = await goldenApi();
  const strict = await startApi({ strictStatuses: true });
  const otherProgram = `${MAIN_MARKET}?programId=${STAGING}`;
  for (const path of [STRANGER, SOL_RESERVE, LOAN, otherProgram]) {
    const [address] = path.split('?');
    expect(statusAndBody(await get(`/v2/svc-market/${path}`)), path).toEqual({
      status: 404,
      body: { error: `There is no market ${address}. Check the address.` },
    });
    expect((await strict.get(`/v2/svc-market/${path}`)).status, path).toBe(500);
  }
});

test('lists of an address that is not a market are empty', async () => {
  const { get } = await goldenApi();
  for (const list of ['reserves/metrics', 'leverage/metrics', `users/${OWNER}/obligations`]) {
    for (const address of [STRANGER, SOL_RESERVE, LOAN]) {
      const response = await get(`/svc-market/${address}/${list}`);
      expect(statusAndBody(response), `${address} ${list}`).toEqual({ status: 200, body: [] });
    }
  }
});

test('listUserObligations: a wallet without loans in the market has an empty list', async () => {
  const { get } = await goldenApi();
  expect((await get(`/svc-market/${MAIN_MARKET}/users/${STRANGER}/obligations`)).body).toEqual([]);
  expect((await get(`/svc-market/${JLP_MARKET}/users/${OWNER}/obligations`)).body).toEqual([]);
});

test('getLoan: an address that is not a loan is 404 {metadata}', async () => {
  const { get } = await goldenApi();
  for (const address of [STRANGER, SOL_RESERVE, MAIN_MARKET]) {
    expect(statusAndBody(await get(`/klend/loans/${address}`)), address).toEqual({
      status: 404,
      body: { metadata: `There is no loan ${address}. Check the address.` },
    });
  }
});

const withEnv = [
  `/svc-market/${MAIN_MARKET}/reserves/metrics`,
  `/svc-market/${MAIN_MARKET}/leverage/metrics`,
  `/svc-market/${MAIN_MARKET}/users/${OWNER}/obligations`,
  `/klend/loans/${LOAN}`,
];

test.each(withEnv)('%s rejects a cluster that is not served', async (path) => {
  const { get } = await goldenApi();
  const { status, body } = await get(`${path}?env=devnet`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'The cluster devnet is not served. Use one of: localnet.' });
  expect((await get(`${path}?env=localnet`)).body).toEqual((await get(path)).body);
});

test.each(withEnv)('%s uses the requested cluster, also with cached responses', async (path) => {
  const empty = goldenReader({ accounts: new Map() });
  const clusters = createClusters([
    staticCluster(),
    staticCluster({ env: 'devnet', reader: empty }),
  ]);
  const { get } = await startApi({ clusters });
  const request = async () => ({
    primary: await get(path),
    local: await get(`${path}?env=localnet`),
    dev: await get(`${path}?env=devnet`),
  });
  const first = await request();
  expect(first.primary.status).toBe(200);
  expect(first.primary.body).not.toEqual([]);
  expect(first.local.body).toEqual(first.primary.body);
  expect([404, 200]).toContain(first.dev.status);
  expect(first.dev.body).not.toEqual(first.primary.body);
  const second = await request();
  expect(second.dev.body).toEqual(first.dev.body);
  expect(second.primary.body).toEqual(first.primary.body);
});

test('a response is cached until the state changes', async () => {
  const { accounts: all } = goldenCluster();
  const accounts = new Map(all);
  let version = 1;
  const reader = goldenReader({ accounts, version: () => version });
  const { get } = await startApi({ clusters: goldenClusters({ reader }) });
  const path = `/svc-market/${MAIN_MARKET}/reserves/metrics`;
  const before = await get(path);
  accounts.delete(toAddress(SOL_RESERVE));
  const cached = await get(path);
  expect(cached.headers.get('etag')).toBe(before.headers.get('etag'));
  version = 2;
  const after = await get(path);
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  expect((before.body as unknown[]).length - (after.body as unknown[]).length).toBe(1);
});

/** A cluster that loads loans on request. */
function startOnDemand(): { api: Promise<RunningApi>; loaded: string[] } {
  const { accounts: all } = goldenCluster();
  const accounts = new Map([...all].filter(([, account]) => !obligation.matches(account)));
  const loaded: string[] = [];
  const load = async (address: Address) => {
    loaded.push(address);
    await Promise.resolve();
    for (const [key, account] of all) accounts.set(key, account);
  };
  const reader = goldenReader({ accounts, version: () => loaded.length });
  const clusters = goldenClusters({ reader, loadWallet: load, loadObligation: load });
  return { api: startApi({ clusters }), loaded };
}

test('loans that are not in the state are loaded before the response', async () => {
  const list = startOnDemand();
  const { body } = await (await list.api).get(
    `/svc-market/${MAIN_MARKET}/users/${OWNER}/obligations`,
  );
  expect(body).toHaveLength(1);
  expect(list.loaded).toEqual([OWNER]);
  const loan = startOnDemand();
  expect((await (await loan.api).get(`/klend/loans/${LOAN}`)).status).toBe(200);
  expect(loan.loaded).toEqual([LOAN]);
});

type UserObligation = {
  state: Record<string, unknown>;
  market: { state: Record<string, unknown> };
};

test('listUserObligations: returns all slots of the account and the market parameters', async () => {
  const { get } = await goldenApi();
  const list = (await get(`/svc-market/${MAIN_MARKET}/users/${OWNER}/obligations`)).body;
  const [entry] = list as UserObligation[];
  const { accounts: all } = goldenCluster();
  const [loan, market] = [all.get(LOAN), all.get(MAIN_MARKET)];
  if (loan === undefined || market === undefined) throw new Error('not in the golden cluster');
  const raw = obligation.decode(loan);
  const state = entry?.state;
  expect(state).toMatchObject({
    tag: '0',
    owner: OWNER,
    lendingMarket: MAIN_MARKET,
    elevationGroup: 0,
    hasDebt: 1,
    depositedValueSf: String(raw.depositedValueSf),
    unhealthyBorrowValueSf: String(raw.unhealthyBorrowValueSf),
    lastUpdate: { slot: String(raw.lastUpdate.slot), stale: raw.lastUpdate.stale },
  });
  const deposits = state?.['deposits'] as Record<string, string>[];
  expect(deposits.map((deposit) => deposit['depositedAmount'])).toEqual([
    '40000000000000',
    '10000000000',
    ...Array.from({ length: 6 }, () => '0'),
  ]);
  expect(deposits[7]?.['depositReserve']).toBe(ZERO_ADDRESS);
  const borrows = state?.['borrows'] as { cumulativeBorrowRateBsf: { value: string[] } }[];
  expect(borrows).toHaveLength(5);
  for (const [i, borrow] of borrows.entries()) {
    const limbs = borrow.cumulativeBorrowRateBsf.value.map(BigInt);
    expect(limbs).toHaveLength(4);
    const value = limbs.reduceRight((high, limb) => (high << 64n) + limb, 0n);
    expect(value).toBe(raw.borrows[i]?.cumulativeBorrowRateBsf.value);
  }
  const fields = lendingMarket.decode(market);
  expect(entry?.market.state).toEqual({
    autodeleverageEnabled: fields.autodeleverageEnabled,
    borrowDisabled: fields.borrowDisabled,
    emergencyMode: fields.emergencyMode,
    liquidationMaxDebtCloseFactorPct: fields.liquidationMaxDebtCloseFactorPct,
    insolvencyRiskUnhealthyLtvPct: fields.insolvencyRiskUnhealthyLtvPct,
    minFullLiquidationValueThreshold: String(fields.minFullLiquidationValueThreshold),
    maxLiquidatableDebtMarketValueAtOnce: String(fields.maxLiquidatableDebtMarketValueAtOnce),
  });
});
