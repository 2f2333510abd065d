import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { mainnetRegistry } from '#server/registry/mainnet/mainnet-registry.ts';
import { LONG_POLL, waitUntilReady } from '../../support/clusters/served-cluster.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import { withAccounts } from '../../support/recorded-mainnet/edit-account.ts';
import {
  MAIN_MARKET,
  MAIN_USDC_RESERVE,
  SOL_USDC_OWNER,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import {
  completeCluster,
  MAIN_LOOKUP_TABLE,
  marketCopies,
  stakePool,
} from '../../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

const JITOSOL = toAddress('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn');
/** Addresses of the main program's markets, as published in February 2026. */
const LISTED = 27;

type Market = {
  readonly lendingMarket: string;
  readonly isPrimary: boolean;
  readonly description: string;
  readonly lookupTable: string;
};

const MAIN = { address: MAIN_MARKET, lookupTable: MAIN_LOOKUP_TABLE };

const request = {
  wallet: SOL_USDC_OWNER,
  market: MAIN_MARKET,
  reserve: MAIN_USDC_RESERVE,
  amount: '1',
};

/** The lookup tables of a built transaction. */
async function buildTables(api: RunningApi): Promise<string[]> {
  const { status, body } = await jsonPoster(api)('/ktx/klend/borrow', request);
  expect(status, JSON.stringify(body)).toBe(200);
  const wire = Buffer.from((body as { transaction: string }).transaction, 'base64');
  return decodeWireTransaction(wire).message.lookups.map(({ table }) => table);
}

test('without REGISTRY markets, tokens, stake pools and lookup tables are known', async () => {
  const listed = mainnetRegistry.markets.filter(({ programId }) => programId === KLEND_PROGRAM);
  const copied = listed.filter(({ address }) => address !== MAIN_MARKET);
  const pools = [...mainnetRegistry.stakePools].map(([mint, pool]) => stakePool(pool, mint));
  const accounts = withAccounts(completeCluster(), ...marketCopies([...copied, MAIN]), ...pools);
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node, { registry: 'built-in', recordsHistory: true });
  await waitUntilReady(api);

  const markets = (await api.get('/v2/svc-market')).body as Market[];
  expect(markets).toHaveLength(LISTED);
  expect(markets.filter(({ isPrimary }) => isPrimary)).toMatchObject([
    { lendingMarket: MAIN_MARKET, lookupTable: MAIN_LOOKUP_TABLE },
  ]);
  expect(new Set(markets.map(({ description }) => description)).size).toBe(LISTED);
  expect(new Set(markets.map(({ lookupTable }) => lookupTable)).size).toBe(LISTED);

  expect(await buildTables(api)).toEqual([MAIN_LOOKUP_TABLE]);

  const catalogue = (await api.get('/tokens-api/tokens?limit=1000')).body as { mint: string }[];
  const mints = new Set(catalogue.map(({ mint }) => mint));
  const used = completeCluster()
    .filter(({ account }) => reserve.matches(account))
    .map(({ account }) => reserve.view(account))
    .filter(({ lendingMarket }) => lendingMarket === MAIN_MARKET)
    .map(({ liquidity }) => liquidity.mintPubkey);
  expect(used).toHaveLength(2);
  expect(used.filter((mint) => !mints.has(mint))).toEqual([]);

  const { body } = await api.get('/v2/staking-yields');
  const yields = body as { apy: string; tokenMint: string }[];
  expect(yields).toHaveLength(pools.length);
  // 0.04 % in an epoch of two days
  const apy = Number(yields.find(({ tokenMint }) => tokenMint === JITOSOL)?.apy);
  expect(apy).toBeCloseTo(1.0004 ** 182.5 - 1, 4);
});

test('a stake pool whose account is missing is named', async () => {
  const node = await startRecordedMainnet();
  const api = await startServer(node, { registry: 'built-in', recordsHistory: true });
  await waitUntilReady(api);
  const { status, body, headers } = await api.get('/v2/staking-yields');
  expect([status, body]).toEqual([200, []]);
  expect(headers.get('x-omitted')).toMatch(/\w{32,44};reason="The stake pool of this token/);
});

test('a lookup table that the registry lacks is found in recent transactions', async () => {
  const accounts = withAccounts(completeCluster(), ...marketCopies([MAIN]));
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node, { registry: 'without-tables' });
  await waitUntilReady(api);
  // the recorded repayment uses it
  await expect.poll(() => buildTables(api), LONG_POLL).toEqual([MAIN_LOOKUP_TABLE]);
  expect((await api.get('/status')).body).toMatchObject({
    // the vault's market has none
    clusters: [{ registry: { foundLookupTables: 1, withoutLookupTable: 1 } }],
  });
});
