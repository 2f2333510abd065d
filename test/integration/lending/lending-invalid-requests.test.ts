import { expect, test } from 'vitest';
import { goldenUser } from '../../support/golden/golden-addresses.ts';
import { goldenApi, startApi, statusAndBody } from '../../support/http/test-api.ts';
import { MAIN_MARKET } from '../../support/reference/golden-reference.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const OWNER = goldenUser('treasury').address;

const badAddress = (name: string | (string | number)[]) => {
  const path = [name].flat();
  const message = `${path.join('.')} must be a base58 address of 32 bytes`;
  return { path, code: 'invalid_address', message };
};

const empty = (name: string) => ({
  path: [name],
  code: 'too_small',
  message: `${name} must not be empty`,
  minimum: 1,
});

const accounts = '/svc-market/reserves/account-data';

const rejected: readonly [path: string, part: string, issue: object][] = [
  ['/v2/svc-market?programId=abc', 'query', badAddress('programId')],
  ['/v2/svc-market?programId=', 'query', empty('programId')],
  [
    `/v2/svc-market?programId=${KLEND}&programId=${KLEND}`,
    'query',
    { path: ['programId'], code: 'repeated', message: 'programId must not be repeated' },
  ],
  [`/v2/svc-market/${MAIN_MARKET}?programId=%00`, 'query', badAddress('programId')],
  ['/v2/svc-market/abc', 'path', badAddress('pubkey')],
  [`/v2/svc-market/${'1'.repeat(1500)}`, 'path', badAddress('pubkey')],
  ['/svc-market/abc/reserves/metrics', 'path', badAddress('pubkey')],
  ['/svc-market/abc/leverage/metrics', 'path', badAddress('pubkey')],
  [`/svc-market/abc/users/${OWNER}/obligations`, 'path', badAddress('marketPubkey')],
  [`/svc-market/${MAIN_MARKET}/users/%20/obligations`, 'path', badAddress('userPubkey')],
  ['/klend/loans/0', 'path', badAddress('pubkey')],
  [accounts, 'query', { path: ['markets'], code: 'required', message: 'markets is required' }],
  [
    `${accounts}?market=${MAIN_MARKET}`,
    'query',
    { path: ['markets'], code: 'required', message: 'markets is required' },
  ],
  [`${accounts}?markets=`, 'query', badAddress(['markets', 0])],
  [`${accounts}?markets=${MAIN_MARKET},`, 'query', badAddress(['markets', 1])],
  [`${accounts}?markets=${MAIN_MARKET}&markets=x`, 'query', badAddress(['markets', 1])],
  [`${accounts}?markets=${MAIN_MARKET}&programId=x`, 'query', badAddress('programId')],
];

test('malformed, missing and repeated parameters are rejected', async () => {
  const { get } = await goldenApi();
  for (const [path, part, issue] of rejected) {
    expect(statusAndBody(await get(path)), path).toEqual({
      status: 400,
      body: { error: `Invalid ${part} params`, details: [issue] },
    });
  }
});

test('strict statuses report an unlisted 400 as 500', async () => {
  const { get } = await startApi({ strictStatuses: true });
  for (const [path] of rejected) expect((await get(path)).status, path).toBe(500);
});

test('an unknown env is rejected like a cluster that is not served', async () => {
  const { get } = await goldenApi();
  const { status, body } = await get(`/svc-market/${MAIN_MARKET}/reserves/metrics?env=testnet`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ code: expect.any(String) }] });
});
