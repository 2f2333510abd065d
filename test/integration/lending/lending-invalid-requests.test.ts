import { expect, test } from 'vitest';
import { startApi, statusAndBody } from '../../support/http/test-api.ts';
import { MAIN_MARKET } from '../../support/reference/golden-reference.ts';

const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const OWNER = 'BcgScEraToUtTtDmoRmXr3AsMJAktt5k5kcLMcXa5iwN';

const badAddress = (name: string | (string | number)[]) => {
  const path = [name].flat();
  const message = `${path.join('.')} must be a base58 address of 32 bytes`;
  return { path, code: 'invalid_address', message };
};

const accounts = '/svc-market/reserves/account-data';

const refused: readonly [path: string, part: string, issue: object][] = [
  ['/v2/svc-market?programId=abc', 'query', badAddress('programId')],
  ['/v2/svc-market?programId=', 'query', badAddress('programId')],
  [
    `/v2/svc-market?programId=${KLEND}&programId=${KLEND}`,
    'query',
    { path: ['programId'], code: 'repeated', message: 'programId must be given once' },
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

test('what is malformed, missing or repeated is refused as the caller’s mistake', async () => {
  const { get } = await startApi();
  for (const [path, part, issue] of refused) {
    expect(statusAndBody(await get(path)), path).toEqual({
      status: 400,
      body: { error: `Invalid ${part} params`, details: [issue] },
    });
  }
});

test('with strict statuses such a mistake looks like the listed 500, and says no more', async () => {
  const { get } = await startApi({ strictStatuses: true });
  for (const [path] of refused) expect((await get(path)).status, path).toBe(500);
});

test('an env that is no cluster at all is refused like one that is not served', async () => {
  const { get } = await startApi();
  const { status, body } = await get(`/svc-market/${MAIN_MARKET}/reserves/metrics?env=testnet`);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ code: expect.any(String) }] });
});
