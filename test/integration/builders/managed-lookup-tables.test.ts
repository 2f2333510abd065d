import { expect, test } from 'vitest';
import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { KLEND_PROGRAM } from '#core/protocol/klend/program.ts';
import { createRegistry } from '#server/registry/registry.ts';
import { goldenMarket, goldenVault } from '../../support/golden/golden-addresses.ts';
import { goldenClusters } from '../../support/golden/golden-clusters.ts';
import { startApi } from '../../support/http/test-api.ts';

const MAIN = goldenMarket('Main Market');
const JLP = goldenMarket('JLP Market');
const STEADY = goldenVault('Steady USDC');
const SOL = goldenVault('SOL Earn');

/** The JLP market is registered without a table. */
const registry = createRegistry({
  markets: [MAIN, { ...JLP, lookupTable: ZERO_ADDRESS }].map(({ address, lookupTable }) => ({
    address,
    lookupTable,
    programId: KLEND_PROGRAM,
    name: 'A market',
    description: '',
    isPrimary: false,
    isCurated: false,
  })),
});

const start = () => startApi({ clusters: goldenClusters({ registry }) });

const tables = (product: string, ...lutAddresses: string[]) => ({
  productIdentifierAddress: product,
  lutAddresses,
});

const idOf = (address: string) => `productIdentifierAddress=${address}`;

test.each([
  ['a registered market', MAIN.address, [MAIN.lookupTable]],
  ['a market without a table', JLP.address, []],
  ['a vault', STEADY.address, [STEADY.lut]],
  ['an unknown address', ZERO_ADDRESS, []],
])('getManagedLookupTables: the tables of %s', async (_, address, expected) => {
  const { get } = await start();
  expect((await get(`/luts/managed?${idOf(address)}`)).body).toEqual(tables(address, ...expected));
});

test('getManagedLookupTablesBatch: each product once, in request order', async () => {
  const { get } = await start();
  const query = [SOL.address, MAIN.address, SOL.address].map(idOf).join('&');
  const { body } = await get(`/luts/managed/batch?${query}`);
  expect(body).toEqual([tables(SOL.address, SOL.lut), tables(MAIN.address, MAIN.lookupTable)]);
  const { body: one } = await get(`/luts/managed/batch?${idOf(MAIN.address)}`);
  expect(one).toEqual([tables(MAIN.address, MAIN.lookupTable)]);
});

test('getManagedLookupTablesBatch: no product, too many and malformed ones are rejected', async () => {
  const { get } = await start();
  const many = Array.from({ length: 51 }, () => idOf(MAIN.address)).join('&');
  for (const query of ['', many, `${idOf(MAIN.address)}&${idOf('x')}`]) {
    expect((await get(`/luts/managed/batch?${query}`)).status, query).toBe(400);
  }
  const most = Array.from({ length: 50 }, () => idOf(MAIN.address)).join('&');
  expect((await get(`/luts/managed/batch?${most}`)).status).toBe(200);
});

test('listManagedLookupTablesByProduct: products with a table, by address', async () => {
  const { get } = await start();
  const list = async (type: string) => (await get(`/luts/managed/product-type/${type}`)).body;
  expect(await list('market')).toEqual([
    { ...tables(MAIN.address, MAIN.lookupTable), productType: 'market' },
  ]);
  const vaults = [STEADY, SOL].map(({ address, lut }) => ({
    ...tables(address, lut),
    productType: 'vault',
  }));
  expect(await list('vault')).toEqual(
    vaults.sort((a, b) => (a.productIdentifierAddress < b.productIdentifierAddress ? -1 : 1)),
  );
  for (const type of ['swap_pair', 'strategy', 'meta_vault']) expect(await list(type)).toEqual([]);
  expect((await get('/luts/managed/product-type/coupon')).status).toBe(400);
});
