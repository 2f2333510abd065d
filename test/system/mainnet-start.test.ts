import { beforeAll, expect, test } from 'vitest';
import { runTidegate, startServerAsIs, waitUntilReady } from '../support/processes/run-tidegate.ts';
import { fileScope, onTestEnd } from '../support/processes/test-scope.ts';
import { withAccounts } from '../support/recorded-mainnet/edit-account.ts';
import { MAIN_MARKET, USDC_VAULT } from '../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../support/recorded-mainnet/recorded-mainnet.ts';
import { completeCluster, hostileMarket } from '../support/recorded-mainnet/scenarios.ts';

type Market = {
  readonly lendingMarket: string;
  readonly isPrimary: boolean;
  readonly description: string;
  readonly lookupTable: string;
};

type Token = {
  readonly mint: string;
  readonly tradingVolume24H: number | null;
  readonly marketCapUsd: number | null;
};

const NO_LOOKUP_TABLE = '11111111111111111111111111111111';
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

async function getJson(url: string, headers: Record<string, string> = {}): Promise<unknown> {
  return (await fetch(url, { headers })).json();
}

async function startOnMainnet(accounts = completeCluster(), onEnd = onTestEnd): Promise<string> {
  const node = await startRecordedMainnet({ accounts }, onEnd);
  const { url } = await startServerAsIs({ RPC_URL: node.rpcUrl.href }, onEnd);
  await waitUntilReady(url);
  return url;
}

const onFileEnd = fileScope();
let url = '';
beforeAll(async () => {
  url = await startOnMainnet(completeCluster(), onFileEnd);
});

test('only RPC_URL is needed: the main market is known', async () => {
  const markets = (await getJson(`${url}/v2/svc-market`)) as Market[];
  const main = markets.find(({ lendingMarket }) => lendingMarket === MAIN_MARKET);
  expect(main?.isPrimary).toBe(true);
  expect(main?.description).not.toBe('');
  expect(main?.lookupTable).not.toBe(NO_LOOKUP_TABLE);
});

test("without REGISTRY a stranger's market does not price tokens", async () => {
  const hostile = await startOnMainnet(withAccounts(completeCluster(), ...hostileMarket()));
  const metrics = await getJson(`${hostile}/kvaults/vaults/${USDC_VAULT}/metrics`);
  expect(metrics).toMatchObject({ tokenPrice: '0.9998' });
});

test('tokens have no invented volumes and market caps', async () => {
  const tokens = (await getJson(`${url}/tokens-api/tokens?limit=1000`)) as Token[];
  expect(tokens.length).toBeGreaterThan(0);
  const invented = tokens.filter(
    ({ tradingVolume24H, marketCapUsd }) => tradingVolume24H !== null || marketCapUsd !== null,
  );
  expect(invented).toEqual([]);
});

test('an endpoint of another cluster stops the start', async () => {
  const node = await startRecordedMainnet({ faults: { genesisHash: DEVNET } });
  const { code, err } = await runTidegate(['serve'], { RPC_URL: node.rpcUrl.href, PORT: '0' });
  expect(code).toBe(1);
  expect(err).toContain('CLUSTER');
});

test('a proxy that is not trusted is reported', async () => {
  expect(JSON.stringify(await getJson(`${url}/status`))).not.toContain('TRUSTED_PROXIES');
  await getJson(`${url}/v2/svc-market`, { 'x-forwarded-for': '203.0.113.7' });
  expect(JSON.stringify(await getJson(`${url}/status`))).toContain('TRUSTED_PROXIES');
});
