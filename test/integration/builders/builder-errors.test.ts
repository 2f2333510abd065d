import { describe, expect, test } from 'vitest';
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
const slow = { timeout: 60_000 };

const U64_MAX = 2n ** 64n - 1n;
const { wallet, market, reserve } = lendingBody;
/** What the wallet has deposited. */
const SOL_RESERVE = '4YBrhwpzdrgQgz8AFvD6JBD1Yq3QZZEx4hySgNdufAJm';
/** A market of which the reserve is not. */
const otherMarket = 'BNRFRTPpL4JqYi1Mwv55DBDYndk15hZpnBrbR91b9nzW';

type Post = Awaited<ReturnType<typeof startBuilderApi>>['post'];

/** The eight bytes behind the name of the lending program's last instruction. */
async function argumentOf(post: Post, path: string, body: unknown): Promise<bigint> {
  const answer = await post(`${path}-instructions`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { instructions } = answer.body as BundleJson;
  const lending = instructions.filter(({ programAddress }) => programAddress.startsWith('KLend'));
  return Buffer.from(lending.at(-1)?.data ?? '', 'base64').readBigUInt64LE(8);
}

describe('amounts', () => {
  const plainly = (text: string) => `"${text}" is not a valid amount: it is not a plain decimal number. Write a decimal number such as 12.5.`;
  const overflow = (text: string) =>
    `"${text}" exceeds the maximum amount of a token with 6 decimals. Use a smaller amount; only repay and withdraw accept U64::MAX for the full amount.`;
  const wrongEverywhere = [
    ['0', '"0" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.'],
    ['0.000000', '"0.000000" is not a valid amount: it must be above zero. Write a decimal number such as 12.5.'],
    ['-1', '"-1" is not a valid amount: it is negative. Write a decimal number such as 12.5.'],
    ['-0', '"-0" is not a valid amount: it is negative. Write a decimal number such as 12.5.'],
    ['1.0000001', '"1.0000001" is not a valid amount: the token has only 6 decimals. Write a decimal number such as 12.5.'],
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

  test.each(wrongEverywhere)('%j is refused by every builder', slow, async (amount, message) => {
    const { expectRefused } = await startBuilderApi();
    await expectRefused(lendingPaths, { ...lendingBody, amount }, badRequest(message));
    await expectRefused(vaultPaths, { ...vaultBody, amount }, badRequest(message));
  });

  test('a very long one is refused without being told in full', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const amount = '9'.repeat(10_000);
    await expectRefused(
      lendingPaths,
      { ...lendingBody, amount },
      badRequest(plainly('9'.repeat(200))),
    );
  });

  test.each(['18446744073709.551616', '18446744073710', '99999999999999999999'])(
    '%s is more than 64 bits, for every builder',
    slow,
    async (amount) => {
      const { expectRefused } = await startBuilderApi();
      const expected = badRequest(overflow(amount), 'DECIMAL_TO_LAMPORTS_OVERFLOW');
      await expectRefused(lendingPaths, { ...lendingBody, amount }, expected);
      await expectRefused(vaultPaths, { ...vaultBody, amount }, expected);
    },
  );

  test.each(['U64::MAX', '18446744073709551615'])(
    '%s is everything, and too much where something goes in',
    slow,
    async (amount) => {
      const { post, expectRefused } = await startBuilderApi();
      const expected = badRequest(overflow(amount), 'DECIMAL_TO_LAMPORTS_OVERFLOW');
      const into = lendingPaths.filter((path) => /deposit|borrow/.test(path));
      await expectRefused(into, { ...lendingBody, amount }, expected);
      await expectRefused(['/ktx/kvault/deposit'], { ...vaultBody, amount }, expected);
      expect(await argumentOf(post, '/ktx/klend/repay', { ...lendingBody, amount })).toBe(U64_MAX);
      const deposited = { ...lendingBody, reserve: SOL_RESERVE, amount };
      expect(await argumentOf(post, '/ktx/klend/withdraw', deposited)).toBe(U64_MAX);
    },
  );

  test('all of 64 bits are everything, however they are written', slow, async () => {
    const { post } = await startBuilderApi();
    const body = { ...lendingBody, amount: '18446744073709.551615' };
    expect(await argumentOf(post, '/ktx/klend/repay', body)).toBe(U64_MAX);
  });

  test('an amount goes into the instruction as it is written', slow, async () => {
    const { post } = await startBuilderApi();
    const body = (amount: string) => ({ ...lendingBody, amount });
    expect(await argumentOf(post, '/ktx/klend/deposit', body('1.5'))).toBe(1_500_000n);
    expect(await argumentOf(post, '/ktx/klend/repay', body('0.000001'))).toBe(1n);
    const most = '18446744073709.551614';
    expect(await argumentOf(post, '/ktx/klend/borrow', body(most))).toBe(U64_MAX - 1n);
  });

  test('trailing zeros are no digits too many', slow, async () => {
    const { post } = await startBuilderApi();
    const { status } = await post('/ktx/klend/deposit', {
      ...lendingBody,
      amount: '1.50000000000',
    });
    expect(status).toBe(200);
  });

  test('a number is not a text', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const expected = badRequest('amount must be a text');
    for (const amount of [1, 1.5, null, true, ['1'], { value: '1' }]) {
      await expectRefused(['/ktx/klend/repay'], { ...lendingBody, amount }, expected);
      await expectRefused(['/ktx/kvault/deposit'], { ...vaultBody, amount }, expected);
    }
  });
});

describe('what is not there', () => {
  test('an unknown market', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const message = `The lending market ${unknownWallet} does not exist. Check the address.`;
    const expected = badRequest(message, 'KLEND_MARKET_NOT_FOUND');
    await expectRefused(lendingPaths, { ...lendingBody, market: unknownWallet }, expected);
    await expectRefused(claimPaths, { wallet, market: unknownWallet }, expected);
  });

  test('a reserve that is unknown, or of another market', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const missing = `The market ${market} has no reserve ${unknownWallet}. Use a reserve of this market.`;
    const unknown = badRequest(missing, 'KLEND_RESERVE_NOT_FOUND');
    await expectRefused(lendingPaths, { ...lendingBody, reserve: unknownWallet }, unknown);
    await expectRefused(claimPaths, { wallet, market, reserve: unknownWallet }, unknown);
    const message = `The market ${otherMarket} has no reserve ${reserve}. Use a reserve of this market.`;
    const foreign = badRequest(message, 'KLEND_RESERVE_NOT_FOUND');
    await expectRefused(lendingPaths, { ...lendingBody, market: otherMarket }, foreign);
  });

  test('a vault that is unknown, or is something else', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    for (const address of [unknownWallet, market, wallet]) {
      const message = `The earn vault ${address} does not exist. Check the address.`;
      const expected = badRequest(message, 'KVAULT_NOT_FOUND');
      await expectRefused(vaultPaths, { ...vaultBody, kvault: address }, expected);
      await expectRefused(claimPaths, { wallet, kvault: address }, expected);
    }
  });

  test('a loan, where one is needed', slow, async () => {
    const { expectRefused } = await startBuilderApi();
    const message = `${unknownWallet} has no loan in the market ${market}. Deposit first.`;
    const expected = badRequest(message, 'KLEND_OBLIGATION_NOT_FOUND');
    const paths = lendingPaths.filter((path) => !path.endsWith('deposit'));
    await expectRefused(paths, { ...lendingBody, wallet: unknownWallet }, expected);
    await expectRefused(claimPaths, { wallet: unknownWallet, market }, expected);
  });

  test('shares, or more of them than there are', slow, async () => {
    const { post } = await startBuilderApi();
    const answers = [
      await post('/ktx/kvault/withdraw', { ...vaultBody, wallet: unknownWallet }),
      await post('/ktx/kvault/withdraw', {
        ...vaultBody,
        wallet: unknownWallet,
        amount: 'U64::MAX',
      }),
      await post('/ktx/kvault/withdraw', { ...vaultBody, amount: '18446744073709' }),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(Object.keys(body as object)).toEqual(['statusCode', 'message', 'error']);
      expect(JSON.stringify(body)).toContain('shares of the vault Steady USDC');
    }
  });
});

describe('wallets', () => {
  const programDerived = 'DDaMukCnPyQwNDqTNGxTgDWqh8H84eAagU5cq5CjUzGF';

  test('one that no key can sign for is taken like any other', slow, async () => {
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
    '48C1Q3qbd1ieesAwQXFaC7aYfUzeDFtVGPbuW7uGxkSe',
    '9kYxwtrDevBdQB5SNTJdPVbyp4dVNEPNsgjJyg2z5aUf',
  ])('%s, which is none, makes nothing fail', slow, async (strange) => {
    const { post } = await startBuilderApi();
    const asked = [
      ...lendingPaths.map((path) => [path, { ...lendingBody, wallet: strange }] as const),
      ...vaultPaths.map((path) => [path, { ...vaultBody, wallet: strange }] as const),
      ...claimPaths.map((path) => [path, { wallet: strange, market }] as const),
    ];
    for (const [path, body] of asked) {
      const { status, body: said } = await post(`${path}?preview=true`, body);
      expect([200, 400], `${path}: ${JSON.stringify(said)}`).toContain(status);
    }
  });

  test('amounts up to the last one of 64 bits make no preview fail', slow, async () => {
    const { post } = await startBuilderApi();
    for (const amount of ['0.000001', '18446744073709.551614']) {
      for (const path of [...lendingPaths, ...vaultPaths]) {
        const body = { ...lendingBody, ...vaultBody, amount };
        const { status, body: said } = await post(`${path}?preview=true`, body);
        expect([200, 400], `${path}: ${JSON.stringify(said)}`).toContain(status);
      }
    }
  });
});
