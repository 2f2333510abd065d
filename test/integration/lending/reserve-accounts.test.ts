import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { goldenMarket } from '../../support/golden/golden-addresses.ts';
import { goldenApi, statusAndBody } from '../../support/http/test-api.ts';
import { MAIN_MARKET } from '../../support/reference/golden-reference.ts';

const JLP_MARKET = goldenMarket('JLP Market').address;
const STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const STRANGER = 'So11111111111111111111111111111111111111112';

type Listed = { market: string; reserves: { pubkey: string; data: string }[] };

/** Raw reserve accounts of a market, sorted by address. */
function rawReserves(market: Address): Listed['reserves'] {
  return [...goldenCluster().accounts]
    .filter(
      ([, account]) => reserve.matches(account) && reserve.decode(account).lendingMarket === market,
    )
    .map(([pubkey, { data }]) => ({ pubkey, data: Buffer.from(data).toString('base64') }))
    .sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1));
}

test.each([
  ['repeated', `markets=${MAIN_MARKET}&markets=${JLP_MARKET}`],
  ['comma-separated', `markets=${MAIN_MARKET},${JLP_MARKET}`],
  ['with a duplicate', `markets=${MAIN_MARKET},${JLP_MARKET}&markets=${MAIN_MARKET}`],
])('listReserveAccounts: markets %s are returned in request order', async (_, query) => {
  const { get } = await goldenApi();
  const { body } = await get(`/svc-market/reserves/account-data?${query}`);
  const [main, jlp] = [rawReserves(MAIN_MARKET), rawReserves(JLP_MARKET)];
  expect(main.length + jlp.length).toBe(9);
  expect(main[0]?.data.length).toBe(4 * Math.ceil(8624 / 3));
  expect(body).toEqual([
    { market: MAIN_MARKET, reserves: main },
    { market: JLP_MARKET, reserves: jlp },
  ]);
});

test('listReserveAccounts: an unknown market and one of another program have no reserves', async () => {
  const { get } = await goldenApi();
  const path = '/svc-market/reserves/account-data';
  const none = (market: string) => [{ market, reserves: [] }];
  expect((await get(`${path}?markets=${STRANGER}`)).body).toEqual(none(STRANGER));
  expect((await get(`${path}?markets=${MAIN_MARKET}&programId=${STAGING}`)).body).toEqual(
    none(MAIN_MARKET),
  );
});

/** Distinct addresses of maximum length. */
const manyAddresses = (count: number): string[] => {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  return Array.from({ length: count }, (_, i) => {
    const tail = `${letters[Math.floor(i / 58) % 58]}${letters[i % 58]}`;
    return `9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsy${tail}`;
  });
};

test('listReserveAccounts: accepts 500 markets in both formats, rejects 501', async () => {
  const { get } = await goldenApi();
  const path = '/svc-market/reserves/account-data';
  const many = manyAddresses(500);
  const repeated = await get(`${path}?markets=${many.join('&markets=')}`);
  expect(repeated.status).toBe(200);
  expect(repeated.body).toHaveLength(500);
  expect((await get(`${path}?markets=${many.join(',')}`)).body).toEqual(repeated.body);
  expect(statusAndBody(await get(`${path}?markets=${manyAddresses(501).join(',')}`))).toEqual({
    status: 400,
    body: {
      error: 'Invalid query params',
      details: [
        {
          path: ['markets'],
          code: 'too_big',
          message: 'markets must have at most 500 entries',
          maximum: 500,
        },
      ],
    },
  });
});
