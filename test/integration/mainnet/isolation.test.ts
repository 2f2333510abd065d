import { expect, test } from 'vitest';
import { toLamports } from '#core/base/numbers/lamports.ts';
import type { KeyedAccount } from '#core/base/solana/cluster-account.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { LONG_POLL, waitUntilReady } from '../../support/clusters/served-cluster.ts';
import { jsonPoster } from '../../support/http/post-json.ts';
import type { RunningApi } from '../../support/http/test-api.ts';
import {
  editAccount,
  findAccount,
  withAccounts,
} from '../../support/recorded-mainnet/edit-account.ts';
import {
  MAIN_MARKET,
  MAIN_SOL_RESERVE,
  MAIN_USDC_RESERVE,
  SOL_USDC_LOAN,
  SOL_USDC_OWNER,
  UNKNOWN_RESERVE,
  UNKNOWN_RESERVE_LOAN,
  UNKNOWN_RESERVE_OWNER,
  UNRECORDED_RESERVE,
  USDC_DEPOSIT_LOAN,
  USDC_DEPOSIT_OWNER,
  USDC_VAULT,
  USDC_VAULT_SHARES_MINT,
  VAULT_MARKET,
} from '../../support/recorded-mainnet/recorded-addresses.ts';
import { startRecordedMainnet } from '../../support/recorded-mainnet/recorded-mainnet.ts';
import {
  completeCluster,
  enlarged,
  loanWithUnknownMarket,
  loanWithUnknownReserve,
  UNKNOWN_MARKET,
  UNKNOWN_MARKET_LOAN,
  unpriceableSol,
  vaultWithEmptyAllocation,
  vaultWithUnknownReserve,
  withoutVaultMarket,
  withUnknownVersion,
} from '../../support/recorded-mainnet/scenarios.ts';
import { startServer } from '../../support/recorded-mainnet/start-server.ts';

const RESERVES = `/svc-market/${MAIN_MARKET}/reserves/metrics`;
const VAULT_METRICS = `/kvaults/vaults/${USDC_VAULT}/metrics`;
const DATA_CODE = expect.stringMatching(/^(ACCOUNT_UNREADABLE|PRICE_UNAVAILABLE)$/);

type ReserveRow = { readonly reserve: string; readonly totalSupply: string };

async function serve(accounts: readonly KeyedAccount[]) {
  const node = await startRecordedMainnet({ accounts });
  const api = await startServer(node);
  await waitUntilReady(api);
  return { node, api };
}

const usdcReserve = (): KeyedAccount => ({
  address: MAIN_USDC_RESERVE,
  account: findAccount(completeCluster(), MAIN_USDC_RESERVE),
});

/** The list has these reserves, and names the omitted one with a reason. */
async function expectReserves({ get }: RunningApi, listed: readonly string[], omitted: string) {
  const { status, body, headers } = await get(RESERVES);
  expect(status).toBe(200);
  expect((body as ReserveRow[]).map((row) => row.reserve)).toEqual(listed);
  expect(headers.get('x-omitted')).toMatch(new RegExp(`^${omitted};reason="[^"]+"$`));
}

test('a reserve that cannot be priced affects only what depends on it', async () => {
  const { api } = await serve(withAccounts(completeCluster(), unpriceableSol()));
  await expectReserves(api, [MAIN_USDC_RESERVE], MAIN_SOL_RESERVE);
  expect((await api.get(`/klend/loans/${USDC_DEPOSIT_LOAN}`)).status).toBe(200);
  expect(await api.get(`/klend/loans/${SOL_USDC_LOAN}`)).toMatchObject({
    status: 503,
    body: { code: DATA_CODE },
  });
  expect((await api.get(`/svc-market/${MAIN_MARKET}/leverage/metrics`)).status).toBe(200);
  const own = await api.get(`/svc-market/${MAIN_MARKET}/users/${USDC_DEPOSIT_OWNER}/obligations`);
  expect(own).toMatchObject({ status: 200, body: [{ obligationAddress: USDC_DEPOSIT_LOAN }] });
  const other = await api.get(`/svc-market/${MAIN_MARKET}/users/${SOL_USDC_OWNER}/obligations`);
  expect(other).toMatchObject({ status: 200, body: [] });
  expect(other.headers.get('x-omitted')).toContain(SOL_USDC_LOAN);
});

test('no current-state operation fails with 500 because of one reserve', async () => {
  const { api } = await serve(withAccounts(completeCluster(), unpriceableSol()));
  const paths = [
    RESERVES,
    `/svc-market/${MAIN_MARKET}/leverage/metrics`,
    `/klend/loans/${SOL_USDC_LOAN}`,
    `/svc-market/${MAIN_MARKET}/users/${SOL_USDC_OWNER}/obligations`,
    '/v2/svc-market',
    '/oracles/prices',
    '/oracles/prices?markets=all',
    '/kvaults/vaults',
    '/kvaults/vaults/metrics',
    VAULT_METRICS,
    '/kvaults/summary',
    `/kvaults/vaults/${USDC_VAULT}/allocations`,
    `/portfolio/${SOL_USDC_OWNER}`,
    `/portfolio/${SOL_USDC_OWNER}/rewards`,
    `/kvaults/users/${SOL_USDC_OWNER}/positions`,
  ];
  const statuses = await Promise.all(
    paths.map(async (path) => [path, (await api.get(path)).status] as const),
  );
  expect(statuses.filter(([, status]) => status !== 200 && status !== 503)).toEqual([]);
});

test('an enlarged reserve is read by its known part', async () => {
  const { api } = await serve(withAccounts(completeCluster(), enlarged(usdcReserve())));
  const { body, headers } = await api.get(RESERVES);
  expect((body as ReserveRow[]).map((row) => row.reserve)).toContain(MAIN_USDC_RESERVE);
  expect(headers.get('x-omitted')).toBeNull();
});

test('a reserve that an upgrade enlarges while it is served stays current', async () => {
  const { node, api } = await serve(completeCluster());
  const { address, account } = enlarged(usdcReserve());
  const recorded = usdcReserve().account;
  const richer = editAccount(reserve, recorded, (value) => ({
    ...value,
    liquidity: {
      ...value.liquidity,
      totalAvailableAmount: toLamports(value.liquidity.totalAvailableAmount + 10n ** 15n),
    },
  }));
  const data = account.data.slice();
  data.set(richer.data);
  const supply = async () => {
    const rows = (await api.get(RESERVES)).body as ReserveRow[];
    return Number(rows.find((row) => row.reserve === MAIN_USDC_RESERVE)?.totalSupply);
  };
  const before = await supply();
  node.state.setAccount(address, { ...account, data });
  // 10^15 units of a token with 6 decimals; interest of the slots since is far smaller
  await expect
    .poll(async () => Math.round(((await supply()) - before) / 1e6), LONG_POLL)
    .toBe(1_000);
});

test('a reserve of an unknown version is named and not served', async () => {
  const { api } = await serve(withAccounts(completeCluster(), withUnknownVersion(usdcReserve())));
  await expectReserves(api, [MAIN_SOL_RESERVE], MAIN_USDC_RESERVE);
  const loan = await api.get(`/klend/loans/${USDC_DEPOSIT_LOAN}`);
  expect(loan).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(loan.body)).toContain(MAIN_USDC_RESERVE);
  expect(JSON.stringify((await api.get('/status')).body)).toContain(MAIN_USDC_RESERVE);
});

test('the old bytes of a reserve are not served after it becomes unreadable', async () => {
  const { node, api } = await serve(completeCluster());
  const { address, account } = withUnknownVersion(usdcReserve());
  node.state.setAccount(address, account);
  await expect
    .poll(async () => ((await api.get(RESERVES)).body as ReserveRow[]).length, LONG_POLL)
    .toBe(1);
  await expectReserves(api, [MAIN_SOL_RESERVE], MAIN_USDC_RESERVE);
});

const vaults: readonly [string, () => KeyedAccount[], string][] = [
  ['reserve', () => withAccounts(completeCluster(), vaultWithUnknownReserve()), UNRECORDED_RESERVE],
  ['market', withoutVaultMarket, VAULT_MARKET],
];

test.for(vaults)('a vault with an unknown %s is named', async ([, accounts, missing]) => {
  const { api } = await serve(accounts());
  const single = await api.get(VAULT_METRICS);
  expect(single).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(single.body)).toContain(missing);
  const list = await api.get('/kvaults/vaults/metrics');
  expect(list).toMatchObject({ status: 200, body: { result: [] } });
  expect(list.headers.get('x-omitted')).toContain(`${USDC_VAULT};reason="`);
  expect(list.headers.get('x-omitted')).toContain(missing);
});

test('a vault does not depend on a reserve to which it lends nothing', async () => {
  const { api } = await serve(withAccounts(completeCluster(), vaultWithEmptyAllocation()));
  expect(await api.get(VAULT_METRICS)).toMatchObject({
    status: 200,
    body: { tokenPrice: '0.9998' },
  });
});

test('a loan with an unknown reserve answers with the reason', async () => {
  const { api } = await serve(withAccounts(completeCluster(), loanWithUnknownReserve()));
  const loan = await api.get(`/klend/loans/${UNKNOWN_RESERVE_LOAN}`);
  expect(loan).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(loan.body)).toContain(UNKNOWN_RESERVE);
  const list = await api.get(
    `/svc-market/${MAIN_MARKET}/users/${UNKNOWN_RESERVE_OWNER}/obligations`,
  );
  expect(list).toMatchObject({ status: 200, body: [] });
  expect(list.headers.get('x-omitted')).toContain(UNKNOWN_RESERVE_LOAN);
  expect([200, 503]).toContain((await api.get(`/portfolio/${UNKNOWN_RESERVE_OWNER}`)).status);
  const build = await jsonPoster(api)('/ktx/klend/deposit', {
    wallet: UNKNOWN_RESERVE_OWNER,
    market: MAIN_MARKET,
    reserve: MAIN_USDC_RESERVE,
    amount: '1',
  });
  expect(build).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(build.body)).toContain(UNKNOWN_RESERVE);
});

test('the share token of an unreadable vault answers with the reason', async () => {
  const vault = findAccount(completeCluster(), USDC_VAULT);
  const shortened = { ...vault, data: vault.data.slice(0, 1_000) };
  const accounts = withAccounts(completeCluster(), { address: USDC_VAULT, account: shortened });
  const { api } = await serve(accounts);
  const metadata = await api.get(`/kvaults/mints/${USDC_VAULT_SHARES_MINT}/metadata`);
  expect(metadata).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(metadata.body)).toContain(USDC_VAULT);
  expect((await api.get(`/kvaults/mints/${UNKNOWN_RESERVE}/metadata`)).status).toBe(404);
});

test('a loan with an unknown market answers with the reason', async () => {
  const { api } = await serve(withAccounts(completeCluster(), loanWithUnknownMarket()));
  const loan = await api.get(`/klend/loans/${UNKNOWN_MARKET_LOAN}`);
  expect(loan).toMatchObject({ status: 503, body: { code: 'ACCOUNT_UNREADABLE' } });
  expect(JSON.stringify(loan.body)).toContain(UNKNOWN_MARKET);
});
