import { describe, expect, test } from 'vitest';
import {
  goldenLoan,
  goldenMarket,
  goldenReserve,
  goldenUser,
  goldenVault,
} from '../../support/golden/golden-addresses.ts';
import {
  badRequest,
  claimPaths,
  lendingBody,
  lendingPaths,
  startBuilderApi,
  unknownWallet,
  vaultBody,
  vaultPaths,
} from '../../support/http/builder-requests.ts';
import type { BundleJson } from '../../support/http/instruction-bundle.ts';

/** Several requests to one server. */

const U64_MAX = 2n ** 64n - 1n;
const { wallet, market, reserve } = lendingBody;
/** The wallet has a deposit in it. */
const SOL_RESERVE = goldenReserve('Main Market', 'SOL').address;
/** A market without the reserve. */
const otherMarket = goldenMarket('JLP Market').address;

type Post = Awaited<ReturnType<typeof startBuilderApi>>['post'];

/** The first argument of the last lending instruction. */
async function argumentOf(post: Post, path: string, body: unknown): Promise<bigint> {
  const response = await post(`${path}-instructions`, body);
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  const { instructions } = response.body as BundleJson;
  const lending = instructions.filter(({ programAddress }) => programAddress.startsWith('KLend'));
  return Buffer.from(lending.at(-1)?.data ?? '', 'base64').readBigUInt64LE(8);
}

describe('amounts', () => {
  const plainly = (text: string) =>
    `"${text}" is not a valid amount: it is not a plain decimal number. Write a decimal number such as 12.5.`;
  const overflow = (text: string) =>
    `"${text}" exceeds the maximum amount of a token with 6 decimals. Use a smaller amount; only repay and withdraw accept U64::MAX for the full amount.`;
  const invalidAmounts = [
    ['0', '"0" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.'],
    [
      '0.000000',
      '"0.000000" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.',
    ],
    ['-1', '"-1" is not a valid amount: it is negative. Write a decimal number such as 12.5.'],
    ['-0', '"-0" is not a valid amount: it is negative. Write a decimal number such as 12.5.'],
    [
      '1.0000001',
      '"1.0000001" is not a valid amount: the token has only 6 decimals. Write a decimal number such as 12.5.',
    ],
    ['1e6', plainly('1e6')],
    ['1E-2', plainly('1E-2')],
    ['+1', plainly('+1')],
    [' 1', plainly(' 1')],
    ['1 ', plainly('1 ')],
    ['1 000', plainly('1 000')],
    ['1,5', plainly('1,5')],
    ['01', plainly('01')],
    ['1.', plainly('1.')],
    ['.5', plainly('.5')],
    ['0x10', plainly('0x10')],
    ['Infinity', plainly('Infinity')],
    ['NaN', plainly('NaN')],
    ['', plainly('')],
    ['u64::max', plainly('u64::max')],
    ['1\n', plainly('1\n')],
    ['１', plainly('１')],
  ] as const;

  test.each(invalidAmounts)('%j is rejected by every builder', async (amount, message) => {
    const { expectError } = await startBuilderApi();
    await expectError(lendingPaths, { ...lendingBody, amount }, badRequest(message));
    await expectError(vaultPaths, { ...vaultBody, amount }, badRequest(message));
  });

  test('a very long amount is rejected with a truncated message', async () => {
    const { expectError } = await startBuilderApi();
    const amount = '9'.repeat(10_000);
    await expectError(
      lendingPaths,
      { ...lendingBody, amount },
      badRequest(plainly('9'.repeat(200))),
    );
  });

  test.each(['18446744073709.551616', '18446744073710', '99999999999999999999'])(
    '%s exceeds 64 bits in every builder',
    async (amount) => {
      const { expectError } = await startBuilderApi();
      const expected = badRequest(overflow(amount), 'DECIMAL_TO_LAMPORTS_OVERFLOW');
      await expectError(lendingPaths, { ...lendingBody, amount }, expected);
      await expectError(vaultPaths, { ...vaultBody, amount }, expected);
    },
  );

  test.each(['U64::MAX', '18446744073709551615'])(
    '%s is the whole balance for repay and withdraw, and an overflow for deposit and borrow',
    async (amount) => {
      const { post, expectError } = await startBuilderApi();
      const expected = badRequest(overflow(amount), 'DECIMAL_TO_LAMPORTS_OVERFLOW');
      const inflowPaths = lendingPaths.filter((path) => /deposit|borrow/.test(path));
      await expectError(inflowPaths, { ...lendingBody, amount }, expected);
      await expectError(['/ktx/kvault/deposit'], { ...vaultBody, amount }, expected);
      expect(await argumentOf(post, '/ktx/klend/repay', { ...lendingBody, amount })).toBe(U64_MAX);
      const deposited = { ...lendingBody, reserve: SOL_RESERVE, amount };
      expect(await argumentOf(post, '/ktx/klend/withdraw', deposited)).toBe(U64_MAX);
    },
  );

  test('the largest 64-bit amount is the whole balance in any notation', async () => {
    const { post } = await startBuilderApi();
    const body = { ...lendingBody, amount: '18446744073709.551615' };
    expect(await argumentOf(post, '/ktx/klend/repay', body)).toBe(U64_MAX);
  });

  test('an amount is encoded exactly', async () => {
    const { post } = await startBuilderApi();
    const body = (amount: string) => ({ ...lendingBody, amount });
    expect(await argumentOf(post, '/ktx/klend/deposit', body('1.5'))).toBe(1_500_000n);
    expect(await argumentOf(post, '/ktx/klend/repay', body('0.000001'))).toBe(1n);
    const largest = '18446744073709.551614';
    expect(await argumentOf(post, '/ktx/klend/borrow', body(largest))).toBe(U64_MAX - 1n);
  });

  test('trailing zeros are ignored', async () => {
    const { post } = await startBuilderApi();
    const { status } = await post('/ktx/klend/deposit', {
      ...lendingBody,
      amount: '1.50000000000',
    });
    expect(status).toBe(200);
  });

  test('an amount that is not a string is rejected', async () => {
    const { expectError } = await startBuilderApi();
    const expected = badRequest('amount must be a string');
    for (const amount of [1, 1.5, null, true, ['1'], { value: '1' }]) {
      await expectError(['/ktx/klend/repay'], { ...lendingBody, amount }, expected);
      await expectError(['/ktx/kvault/deposit'], { ...vaultBody, amount }, expected);
    }
  });
});

describe('an error for', () => {
  test('an unknown market', async () => {
    const { expectError } = await startBuilderApi();
    const message = `The lending market ${unknownWallet} does not exist. Check the address.`;
    const expected = badRequest(message, 'KLEND_MARKET_NOT_FOUND');
    await expectError(lendingPaths, { ...lendingBody, market: unknownWallet }, expected);
    await expectError(claimPaths, { wallet, market: unknownWallet }, expected);
  });

  test('a reserve that is unknown or of another market', async () => {
    const { expectError } = await startBuilderApi();
    const missing = `The market ${market} has no reserve ${unknownWallet}. Use a reserve of this market.`;
    const unknown = badRequest(missing, 'KLEND_RESERVE_NOT_FOUND');
    await expectError(lendingPaths, { ...lendingBody, reserve: unknownWallet }, unknown);
    await expectError(claimPaths, { wallet, market, reserve: unknownWallet }, unknown);
    const message = `The market ${otherMarket} has no reserve ${reserve}. Use a reserve of this market.`;
    const ofOtherMarket = badRequest(message, 'KLEND_RESERVE_NOT_FOUND');
    await expectError(lendingPaths, { ...lendingBody, market: otherMarket }, ofOtherMarket);
  });

  test('an address that is not a vault', async () => {
    const { expectError } = await startBuilderApi();
    for (const address of [unknownWallet, market, wallet]) {
      const message = `The earn vault ${address} does not exist. Check the address.`;
      const expected = badRequest(message, 'KVAULT_NOT_FOUND');
      await expectError(vaultPaths, { ...vaultBody, kvault: address }, expected);
      await expectError(claimPaths, { wallet, kvault: address }, expected);
    }
  });

  test('a missing loan', async () => {
    const { expectError } = await startBuilderApi();
    const message = `${unknownWallet} has no loan in the market ${market}. Deposit first.`;
    const expected = badRequest(message, 'KLEND_OBLIGATION_NOT_FOUND');
    const paths = lendingPaths.filter((path) => !path.endsWith('deposit'));
    await expectError(paths, { ...lendingBody, wallet: unknownWallet }, expected);
    await expectError(claimPaths, { wallet: unknownWallet, market }, expected);
  });

  test('missing shares, with a code, or too few', async () => {
    const { post, expectError } = await startBuilderApi();
    const message = `${unknownWallet} holds no shares of the vault “Steady USDC” to withdraw.`;
    for (const amount of [vaultBody.amount, 'U64::MAX']) {
      const body = { ...vaultBody, wallet: unknownWallet, amount };
      await expectError(['/ktx/kvault/withdraw'], body, badRequest(message, 'KVAULT_NO_SHARES'));
    }
    const { address: holder } = goldenUser('erin');
    const tooMany = { ...vaultBody, wallet: holder, amount: '18446744073709' };
    const few = await post('/ktx/kvault/withdraw', tooMany);
    expect(few.status).toBe(400);
    expect(Object.keys(few.body as object)).toEqual(['statusCode', 'message', 'error']);
    expect(JSON.stringify(few.body)).toContain('shares of the vault “Steady USDC”');
  });
});

describe('wallets', () => {
  const programDerived = goldenVault('Steady USDC').authority;

  test('a program-derived wallet is accepted', async () => {
    const { post } = await startBuilderApi();
    for (const [path, body] of [
      ['/ktx/klend/deposit', { ...lendingBody, wallet: programDerived }],
      ['/ktx/kvault/deposit', { ...vaultBody, wallet: programDerived }],
    ] as const) {
      expect((await post(path, body)).status, path).toBe(200);
    }
  });

  test.each([
    '11111111111111111111111111111111',
    'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
    'So11111111111111111111111111111111111111112',
    market,
    reserve,
    vaultBody.kvault,
    goldenLoan('frank'),
    goldenReserve('Main Market', 'SOL').liquiditySupply,
  ])('%s as wallet causes no internal error', async (unusual) => {
    const { post } = await startBuilderApi();
    const requests = [
      ...lendingPaths.map((path) => [path, { ...lendingBody, wallet: unusual }] as const),
      ...vaultPaths.map((path) => [path, { ...vaultBody, wallet: unusual }] as const),
      ...claimPaths.map((path) => [path, { wallet: unusual, market }] as const),
    ];
    for (const [path, body] of requests) {
      const { status, body: responseBody } = await post(`${path}?preview=true`, body);
      expect([200, 400], `${path}: ${JSON.stringify(responseBody)}`).toContain(status);
    }
  });

  test('previews of the smallest and largest amounts cause no internal error', async () => {
    const { post } = await startBuilderApi();
    for (const amount of ['0.000001', '18446744073709.551614']) {
      for (const path of [...lendingPaths, ...vaultPaths]) {
        const body = { ...lendingBody, ...vaultBody, amount };
        const { status, body: responseBody } = await post(`${path}?preview=true`, body);
        expect([200, 400], `${path}: ${JSON.stringify(responseBody)}`).toContain(status);
      }
    }
  });
});
