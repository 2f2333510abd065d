import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { waitUntilReady } from '../../support/clusters/served-cluster.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { withAccounts } from '../../support/recorded-mainnet/edit-account.ts';
import {
  MAIN_MARKET,
  MAIN_USDC_RESERVE,
  SOL_MINT,
  SOL_USDC_OWNER,
  USDC_MINT,
  USDC_VAULT,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import { RECORDED_AT } from '../../support/recorded-mainnet/recorded-time.ts';
import {
  completeCluster,
  HOSTILE,
  hostileMarket,
  STALE,
  staleMarket,
  withStoredPricesOnly,
} from '../../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

const VAULT_METRICS = `/kvaults/vaults/${USDC_VAULT}/metrics`;
const MAIN_RESERVES = `/svc-market/${MAIN_MARKET}/reserves/metrics`;

type VaultMetrics = Readonly<Record<string, string>>;
type OraclePrice = { readonly mint: string; readonly price: string };
type ReserveMetrics = {
  readonly liquidityToken: string;
  readonly totalSupply: string;
  readonly totalSupplyUsd: string;
};

async function serve(accounts: readonly KeyedAccount[], primary: readonly Address[] = []) {
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node, { primary });
  await waitUntilReady(api);
  /** Seconds of the chain since the recording. */
  const passedSeconds = () => node.clock() / 1_000 - Number(RECORDED_AT.unix);
  return { ...api, passedSeconds };
}

/** USDC is worth 0.9998 in the main market, so the vault's tokens are too. */
async function expectMainPrice({ get }: RunningApi): Promise<void> {
  const { body, headers } = await get(VAULT_METRICS);
  const metrics = body as VaultMetrics;
  expect(metrics).toMatchObject({ tokenPrice: '0.9998', solPrice: '78' });
  expect(Number(metrics['tokensInvestedUsd']) / Number(metrics['tokensInvested'])).toBeCloseTo(
    0.9998,
    9,
  );
  expect(headers.get('x-stale-prices')).toBeNull();
  const prices = (await get('/oracles/prices')).body as OraclePrice[];
  expect(prices.find(({ mint }) => mint === USDC_MINT)?.price).toBe('0.9998');
}

async function readSupplyPrice({ get }: RunningApi, market: Address, token: string) {
  const { body, headers } = await get(`/svc-market/${market}/reserves/metrics`);
  const row = (body as ReserveMetrics[]).find(({ liquidityToken }) => liquidityToken === token);
  return { price: Number(row?.totalSupplyUsd) / Number(row?.totalSupply), headers };
}

test("a stranger's market prices its own reserves and nothing else", async () => {
  const api = await serve(withAccounts(completeCluster(), ...hostileMarket()));
  await expectMainPrice(api);
  expect((await readSupplyPrice(api, HOSTILE.market, 'USDC')).price).toBeCloseTo(3, 9);
});

test('a fresh price wins over an older one of another listed market', async () => {
  const api = await serve(withAccounts(completeCluster(), ...staleMarket()), [STALE.market]);
  await expectMainPrice(api);
});

test('a market whose price is 47 minutes old says so', async () => {
  const api = await serve(withAccounts(completeCluster(), ...staleMarket()), [STALE.market]);
  const { price, headers } = await readSupplyPrice(api, STALE.market, 'USDC');
  expect(price).toBeCloseTo(1.05, 9);
  const [mint, age] = (headers.get('x-stale-prices') ?? '').split(';age=');
  expect(mint).toBe(USDC_MINT);
  expect(Number(age)).toBeGreaterThanOrEqual(47 * 60);
  expect(Number(age)).toBeLessThan(50 * 60 + api.passedSeconds());
});

/** 1,786,057,260 (now) − 1,784,690,266 (the time in the reserve) seconds. */
const SOL_PRICE_AGE = 1_366_994;

test('a stored price of 16 days ago is used and marked', async () => {
  const api = await serve(withStoredPricesOnly());
  const { price, headers } = await readSupplyPrice(api, MAIN_MARKET, 'SOL');
  // the price in the recorded reserve
  expect(price).toBeCloseTo(77.9649, 4);
  const [mint, age] = (headers.get('x-stale-prices') ?? '').split(';age=');
  expect(mint).toBe(SOL_MINT);
  expect(Number(age)).toBeGreaterThanOrEqual(SOL_PRICE_AGE);
  expect(Number(age)).toBeLessThanOrEqual(SOL_PRICE_AGE + api.passedSeconds());
  const status = JSON.stringify((await api.get('/status')).body);
  expect(status).toContain(SOL_MINT);
  await expectMarkedPreview(api);
});

/** A preview values the loan at the price of 16 days ago. */
async function expectMarkedPreview(api: RunningApi): Promise<void> {
  const post = jsonPoster(api);
  const request = {
    wallet: SOL_USDC_OWNER,
    market: MAIN_MARKET,
    reserve: MAIN_USDC_RESERVE,
    amount: '1',
  };
  const plain = await post('/ktx/klend/borrow', request);
  expect(plain.status, JSON.stringify(plain.body)).toBe(200);
  expect(plain.headers.get('x-stale-prices')).toBeNull();
  for (const path of ['/ktx/klend/borrow', '/ktx/klend/borrow-instructions']) {
    const { body, headers } = await post(`${path}?preview=true`, request);
    const { preview } = body as { preview: { loan: { before: { address: string } | null } } };
    expect(preview.loan.before).not.toBeNull();
    const [mint, age] = (headers.get('x-stale-prices') ?? '').split(';age=');
    expect(mint).toBe(SOL_MINT);
    expect(Number(age)).toBeGreaterThanOrEqual(SOL_PRICE_AGE);
  }
}

test('a cached response is marked like the first one', async () => {
  const api = await serve(withStoredPricesOnly());
  const first = await api.get(MAIN_RESERVES);
  const second = await api.get(MAIN_RESERVES);
  expect(first.headers.get('x-stale-prices')).toContain(SOL_MINT);
  expect(second.headers.get('x-stale-prices')).toContain(SOL_MINT);
});
