import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { ClusterTokens } from '#server/clusters/cluster-tokens.ts';
import { createClusters } from '#server/clusters/served-clusters.ts';
import { selectRegistry } from '#server/composition/clusters/cluster-registry.ts';
import { parseRegistryDocument, type RegistryDocument } from '#server/registry/registry.ts';
import { createStaticTokens } from '#server/registry/token-feed.ts';
import { silentLog } from '../../support/fakes/silent-log.ts';
import { staticCluster } from '../../support/golden/golden-clusters.ts';
import { startApi } from '../../support/http/test-api.ts';
import { mainnetAccounts } from '../../support/mainnet/mainnet-fixtures.ts';

const MAIN_MARKET = '7u3HeHxYDLhnCoErrtycNokbQYbWGzLs6JSDqGAv5PfF';
const JITO_MARKET = 'H6rHXmXoCQvq8Ue81MqNh7ow5ysPa1dSozwW3PU1dDH6';
const JITOSOL = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

type Item = Readonly<Record<string, unknown>>;

/** The newest version of each recorded account. */
function recordedState(): ClusterState {
  const state = new ClusterState({ log: silentLog });
  const accounts = mainnetAccounts().sort((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1));
  for (const [index, { address, owner, data }] of accounts.entries()) {
    state.apply({ address, account: { owner, data }, slot: toSlot(BigInt(index)) });
  }
  state.setAt({ slot: toSlot(440_000_000n), unix: toUnixSeconds(1_790_000_000n) });
  return state;
}

const recordedReserves = () => mainnetAccounts().filter(({ kind }) => kind === 'klend-Reserve');

function serve(
  document?: RegistryDocument,
  source?: ConstructorParameters<typeof ClusterTokens>[1],
) {
  const registry = selectRegistry('mainnet-beta', document);
  const clusters = createClusters([
    staticCluster({ env: 'mainnet-beta', reader: recordedState(), registry }),
  ]);
  return startApi({ clusters, tokens: new ClusterTokens(clusters, source) });
}

const replacing = parseRegistryDocument({ replaceBuiltIn: true }, 'x');

test('without REGISTRY the main market is primary, described and has its lookup table', async () => {
  const { get } = await serve();
  const list = (await get('/v2/svc-market')).body as Item[];
  expect(list.map(({ lendingMarket }) => lendingMarket)).toEqual([MAIN_MARKET, JITO_MARKET]);
  expect(list[0]).toEqual({
    name: 'Main Market',
    isPrimary: true,
    description: expect.stringMatching(/^The general market/),
    lendingMarket: MAIN_MARKET,
    lookupTable: 'FGMSBiyVE8TvZcdQnZETAAKw28tkQJ2ccZy6pyp95URb',
    isCurated: false,
  });
});

test('a field in REGISTRY changes the built-in market and keeps its other fields', async () => {
  const { mainnetRegistry: known } = await import('#server/registry/mainnet/mainnet-registry.ts');
  const json = { markets: [{ address: MAIN_MARKET, description: 'Ours' }] };
  const { get } = await serve(parseRegistryDocument(json, 'x', { known }));
  const list = (await get('/v2/svc-market')).body as Item[];
  expect(list).toHaveLength(2);
  expect(list[0]).toMatchObject({ name: 'Main Market', isPrimary: true, description: 'Ours' });
});

test('without a listing a market has the name in its account', async () => {
  const { get } = await serve(replacing);
  expect((await get(`/v2/svc-market/${MAIN_MARKET}`)).body).toMatchObject({
    name: 'Main Market',
    isPrimary: false,
    description: '',
    lookupTable: ZERO_ADDRESS,
  });
});

test('the catalogue has the mint of every recorded reserve, without figures', async () => {
  const { get } = await serve();
  const list = (await get('/tokens-api/tokens?limit=1000')).body as Item[];
  const mints = new Set(list.map(({ mint }) => mint));
  const used = recordedReserves().map((account) => reserve.view(account).liquidity.mintPubkey);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((mint) => !mints.has(mint))).toEqual([]);
  expect(mints.size).toBe(list.length);
  expect(
    list.filter(({ tradingVolume24H, marketCapUsd }) => tradingVolume24H ?? marketCapUsd),
  ).toEqual([]);
});

test('tokens that no list has are named by their reserves', async () => {
  const { get } = await serve(replacing);
  const list = (await get('/tokens-api/tokens')).body as Item[];
  expect(list.find(({ mint }) => mint === JITOSOL)).toEqual({
    mint: JITOSOL,
    symbol: 'JITOSOL',
    name: 'JITOSOL',
    decimals: 9,
    logoUrl: null,
    verified: true,
    tradingVolume24H: null,
    marketCapUsd: null,
    priority: 500,
  });
});

test('a token of an unlisted market is not verified', async () => {
  const market = { address: MAIN_MARKET, programId: recordedReserves()[0]?.owner, name: 'Main' };
  const json = { replaceBuiltIn: true, markets: [{ ...market, address: ZERO_ADDRESS }] };
  const { get } = await serve(parseRegistryDocument(json, 'x'));
  expect((await get(`/tokens-api/tokens?mint=${JITOSOL}`)).body).toMatchObject([
    { symbol: 'JITOSOL', verified: false, priority: 1000 },
  ]);
});

test('a source decides the figures, and tokens that it lacks are added', async () => {
  const usdc = {
    mint: recordedReserves()
      .map((each) => reserve.view(each).liquidity.mintPubkey)
      .find((m) => m === USDC),
    symbol: 'USDC',
    name: 'Source',
    decimals: 6,
    logoUrl: null,
    verified: true,
    tradingVolume24H: 5,
    marketCapUsd: 6,
    priority: 1,
  };
  if (usdc.mint === undefined) throw new Error('USDC is not recorded');
  const { get } = await serve(undefined, createStaticTokens([{ ...usdc, mint: usdc.mint }]));
  const list = (await get('/tokens-api/tokens?limit=1000')).body as Item[];
  expect(list[0]).toEqual(usdc);
  expect(list.filter(({ mint }) => mint === USDC)).toHaveLength(1);
  expect(list.find(({ mint }) => mint === JITOSOL)).toMatchObject({ name: 'Jito Staked SOL' });
  // Tokens of the registry that nothing uses stay out of an operator's list.
  expect(list.length).toBeLessThan(20);
});

test('/status counts what the registry lacks', async () => {
  const builtIn = await (await serve()).get('/status');
  expect(builtIn.body).toMatchObject({
    clusters: [{ registry: { markets: 33, unnamedMarkets: 0, unnamedTokens: 0 } }],
  });
  const empty = await (await serve(replacing)).get('/status');
  expect(empty.body).toMatchObject({
    clusters: [{ registry: { markets: 0, unnamedMarkets: 2, tokens: 0 } }],
  });
  const { clusters } = empty.body as { clusters: [{ registry: { unnamedTokens: number } }] };
  // SOL, USDC and JITOSOL in the two recorded markets; the vault has USDC.
  expect(clusters[0].registry.unnamedTokens).toBe(3);
});

test('the version of the catalogue changes only with its content', () => {
  const state = new ClusterState({ log: silentLog });
  const reader = state;
  const clusters = createClusters([staticCluster({ reader, registry: replacing.registry })]);
  const tokens = new ClusterTokens(clusters);
  const apply = (name: string) => {
    const account = mainnetAccounts().find(({ kind, address }) => `${kind} ${address}` === name);
    if (account === undefined) throw new Error(`not recorded: ${name}`);
    const { address, owner, data } = account;
    state.apply({ address, account: { owner, data }, slot: toSlot(1n) });
  };
  const first = [tokens.version(), tokens.catalogue()?.size];
  apply(`klend-LendingMarket ${MAIN_MARKET}`);
  expect([tokens.version(), tokens.catalogue()?.size]).toEqual(first);
  apply('klend-Reserve EVbyPKrHG6WBfm4dLxLMJpUDY43cCAcHSpV3KYjKsktW');
  expect([tokens.version(), tokens.catalogue()?.size]).toEqual([Number(first[0]) + 1, 1]);
});
