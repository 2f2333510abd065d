import { expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { goldenCluster } from '../../support/golden/golden.ts';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';
import { MAIN_MARKET } from '../../support/reference/golden-reference.ts';

const JLP_MARKET = toAddress('BNRFRTPpL4JqYi1Mwv55DBDYndk15hZpnBrbR91b9nzW');
const STAGING = toAddress('SLendK7ySfcEzyaFqy93gDnD3RtrpXJcnRwb6zFHJSh');
const STRANGER = 'So11111111111111111111111111111111111111112';

type Listed = { market: string; reserves: { pubkey: string; data: string }[] };

/** All reserves of a market by address, as the cluster has their bytes. */
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
  ['separated by a comma', `markets=${MAIN_MARKET},${JLP_MARKET}`],
  ['named twice', `markets=${MAIN_MARKET},${JLP_MARKET}&markets=${MAIN_MARKET}`],
])('listReserveAccounts: markets %s give their reserves’ bytes in that order', async (_, query) => {
  const { get } = await startApi();
  const { body } = await get(`/svc-market/reserves/account-data?${query}`);
  const [main, jlp] = [rawReserves(MAIN_MARKET), rawReserves(JLP_MARKET)];
  expect(main.length + jlp.length).toBe(9);
  expect(main[0]?.data.length).toBe(4 * Math.ceil(8624 / 3));
  expect(body).toEqual([
    { market: MAIN_MARKET, reserves: main },
    { market: JLP_MARKET, reserves: jlp },
  ]);
});

test('listReserveAccounts: a market that is not known, or of another program, has no reserves', async () => {
  const { get } = await startApi();
  const path = '/svc-market/reserves/account-data';
  const none = (market: string) => [{ market, reserves: [] }];
  expect((await get(`${path}?markets=${STRANGER}`)).body).toEqual(none(STRANGER));
  expect((await get(`${path}?markets=${MAIN_MARKET}&programId=${STAGING}`)).body).toEqual(
    none(MAIN_MARKET),
  );
});

/** Different addresses of the greatest length. */
const manyAddresses = (count: number): string[] => {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  return Array.from({ length: count }, (_, i) => {
    const tail = `${letters[Math.floor(i / 58) % 58]}${letters[i % 58]}`;
    return `9VUb8vXKtjT4xWpe72Sfo3yGWKCaK6Xf9GMnB8xDsy${tail}`;
  });
};

test('listReserveAccounts: 500 markets are taken in either form, 501 are not', async () => {
  const { get } = await startApi();
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
          message: 'markets must have 500 entries or fewer',
          maximum: 500,
        },
      ],
    },
  });
});
